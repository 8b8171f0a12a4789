import { createHmac } from 'node:crypto';
import { readJsonObject } from './json';
import { signatureOver } from './oracle';
import type { Random } from './random';
import type { KnownAgent, World } from './world';

/** How a body's length is announced. */
export type Framing = 'length' | 'chunked' | 'as-it-is';

/** A request before it is written as bytes. Texts of the head hold one character per byte. */
export interface Draft {
  readonly kind: 'create' | 'find' | 'get' | 'balance' | 'notify';
  method: string;
  target: string;
  version: string;
  headers: [name: string, value: string][];
  body: Buffer;
  framing: Framing;
}

/** A JSON member: its name and the text of its value. */
export type Member = [name: string, json: string];

/** The content of a request, before it is signed. */
export interface Content {
  /** For a create or a notification. */
  members: Member[];
  /** The body's exact text, if it is not made of the members. */
  text: ((members: readonly Member[]) => string) | null;
  /** For a query, the text after the `?`. */
  query: string;
  timestamp: string;
}

const API = '/api/v1/merchant';

/** UTF-8 as a head holds it. */
export const bytesOf = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const objectOf = (members: readonly Member[]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;

/** What honest clients send, with a new number each time. */
export class Drafts {
  private made = 0;

  constructor(
    private readonly world: World,
    private readonly random: Random,
    /** Distinguishes this attack's numbers from any other's. */
    private readonly run: string,
  ) {}

  timestamp(shiftSeconds = 0): string {
    return String(Math.floor(this.world.now().getTime() / 1000) + shiftSeconds);
  }

  content(kind: Draft['kind']): Content {
    const { merchant, agent } = this.world;
    const number = `${this.run}-${++this.made}`;
    const timestamp = this.timestamp();
    const nothing = { members: [], text: null, query: '', timestamp };
    switch (kind) {
      case 'create':
        return {
          ...nothing,
          members: [
            ['merchant_order_no', JSON.stringify(number)],
            ['amount', '"100.00"'],
            ['currency_code', '"USD"'],
            ['callback_url', '"https://merchant.example/callback?a=1"'],
            ['user_id', JSON.stringify(`u-${this.random.hex(8)}`)],
            ['extra_data', '"Zürich 😀"'],
            ['account_no', '"1234567890"'],
            ['items', '[1,{"b":null}]'],
            ['rate', '1.50'],
          ],
        };
      case 'notify':
        return {
          ...nothing,
          members: [
            ['account_id', JSON.stringify(agent.accountId)],
            ['amount', '"1.00"'],
            ['currency_code', '"USD"'],
            ['bank_time', JSON.stringify(this.world.now().toISOString())],
            ['memo', '"thank you"'],
            ['bank_reference', JSON.stringify(number)],
          ],
        };
      case 'find':
        return { ...nothing, query: `merchant_order_no=${merchant.order.merchantOrderNo}` };
      case 'get':
      case 'balance':
        return nothing;
    }
  }

  /** The request with this content, signed like an honest client's. */
  draft(kind: Draft['kind'], content: Content): Draft {
    const { members, query, timestamp } = content;
    const isPost = kind === 'create' || kind === 'notify';
    const body = Buffer.from(isPost ? (content.text ?? objectOf)(members) : '');
    const path = {
      create: `${API}/orders/deposit`,
      find: `${API}/query/deposit`,
      get: `${API}/query/deposit/${this.world.merchant.order.orderNo}`,
      balance: `${API}/balance`,
      notify: '/bank-notifications',
    }[kind];
    const draft: Draft = {
      kind,
      method: isPost ? 'POST' : 'GET',
      target: query === '' ? path : `${path}?${query}`,
      version: '1.1',
      headers: [['Host', 'gateway.test']],
      body,
      framing: isPost ? 'length' : 'as-it-is',
    };
    if (kind === 'notify') this.signAsAgent(draft, this.world.agent, timestamp);
    else this.sign(draft, timestamp, this.world.merchant.apiKey, query);
    if (isPost) draft.headers.push(['Content-Type', 'application/json']);
    draft.headers.push(['Connection', 'close']);
    return draft;
  }

  /** Sets a merchant's headers; signs the body or the query as an honest client would. */
  private sign(draft: Draft, timestamp: string, apiKey: string, query: string): void {
    const fields = readJsonObject(draft.body);
    const parameters =
      draft.method === 'GET'
        ? [...new URLSearchParams(query)]
        : (fields ?? []).filter(({ kind }) => kind !== 'null').map(({ name, text }) => [name, text] as const);
    draft.headers.push(
      ['X-API-Key', apiKey],
      ['X-Timestamp', bytesOf(timestamp)],
      ['X-Signature', signatureOver(new Map(parameters), timestamp, apiKey)],
    );
  }

  /** Signs the draft's current content again, with the key and timestamp of its headers. */
  signAgain(draft: Draft): void {
    const value = (name: string): string => draft.headers.find(([given]) => given.toLowerCase() === name)?.[1] ?? '';
    if (draft.kind === 'notify') {
      const { secret } = this.world.agent;
      const timestamp = value('x-agent-timestamp');
      setHeader(draft, 'X-Agent-Signature', hmac(secret, timestamp, value('x-agent-nonce'), draft.body));
      return;
    }
    const query = draft.target.split('?')[1] ?? '';
    const [timestamp, apiKey] = [value('x-timestamp'), value('x-api-key')];
    const again: Draft = { ...draft, headers: [] };
    this.sign(again, timestamp, apiKey, query);
    setHeader(draft, 'X-Signature', again.headers[2]?.[1] ?? '');
  }

  signAsAgent(draft: Draft, { keyId, secret }: KnownAgent, timestamp: string): void {
    const nonce = this.random.hex(16);
    draft.headers = draft.headers.filter(([name]) => !name.startsWith('X-Agent-'));
    draft.headers.push(
      ['X-Agent-Key', keyId],
      ['X-Agent-Timestamp', bytesOf(timestamp)],
      ['X-Agent-Nonce', nonce],
      ['X-Agent-Signature', hmac(secret, timestamp, nonce, draft.body)],
    );
  }
}

const hmac = (secret: string, timestamp: string, nonce: string, body: Buffer): string =>
  createHmac('sha256', secret).update(`${timestamp}.${nonce}.`).update(body).digest('hex');

/** Changes a header in place, or adds it. */
export function setHeader(draft: Draft, name: string, value: string): void {
  const there = draft.headers.find(([given]) => given.toLowerCase() === name.toLowerCase());
  if (there) there[1] = value;
  else draft.headers.push([name, value]);
}

/** A body in chunks of at most this many bytes. */
export function chunked(body: Buffer, size: number, trailer = ''): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)]);
}

/** The bytes of a request. */
export function bytesOfDraft(draft: Draft): Buffer {
  const { method, target, version, headers, body, framing } = draft;
  const framed: [string, string][] =
    framing === 'length'
      ? [['Content-Length', String(body.length)]]
      : framing === 'chunked'
        ? [['Transfer-Encoding', 'chunked']]
        : [];
  const lines = [...headers, ...framed].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = Buffer.from(`${method} ${target} HTTP/${version}\r\n${lines}\r\n`, 'latin1');
  return Buffer.concat([head, framing === 'chunked' ? chunked(body, 37) : body]);
}
