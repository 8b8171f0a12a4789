import { createHash, createHmac } from 'node:crypto';
import { METHODS } from 'node:http';
import type { Request } from './http';
import { type JsonField, readJsonObject } from './json';
import type { World } from './world';

/*
 * The rules of the contract, docs/contract.md and docs/bank-notifications.md about a request, written again from those
 * texts: nothing of the platform is imported here.
 */

/** The effect that an accepted request must have; it is checked afterwards. */
export type Effect =
  | { readonly kind: 'deposit'; readonly number: string; readonly order: Record<string, unknown> }
  | { readonly kind: 'transfer' }
  | { readonly kind: 'shown'; readonly data: Record<string, unknown> };

/** The allowed answers to a request. */
export type Verdict =
  | { readonly accept: 'never'; readonly status: number | null; readonly code: string | null }
  | { readonly accept: 'must' | 'may'; readonly effect: Effect | null };

const refused = (status: number | null, code: string | null): Verdict => ({
  accept: 'never',
  status,
  code,
});
const NOT_FOUND = refused(404, 'NOT_FOUND');
const MALFORMED = refused(400, 'VALIDATION_ERROR');
const BAD_FIELD = refused(422, 'VALIDATION_ERROR');
const BAD_SIGNATURE = refused(401, 'INVALID_SIGNATURE');
const BAD_TIMESTAMP = refused(401, 'INVALID_TIMESTAMP');

const BODY_BYTES = 65_536;
const WINDOW_SECONDS = 300;
const API = '/api/v1/merchant';

type Fields = ReadonlyMap<string, string>;

/** A header that was sent once and not empty. */
function only({ headers }: Request, name: string): string | undefined {
  const [value, ...more] = headers.filter(([given]) => given === name).map(([, text]) => text);
  return more.length > 0 || value === '' ? undefined : value;
}

/** Bytes of a header or target, decoded as UTF-8. */
const decodeBytes = (bytes: readonly number[]): string =>
  new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes));

/** Percent-decoding, strict; undefined if the result is not UTF-8. */
function percentDecode(text: string, plusIsSpace: boolean): string | undefined {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '%') {
      const digits = text.slice(i + 1, i + 3);
      if (!/^[0-9a-fA-F]{2}$/.test(digits)) return undefined;
      bytes.push(Number.parseInt(digits, 16));
      i += 2;
    } else bytes.push(character === '+' && plusIsSpace ? 0x20 : text.charCodeAt(i));
  }
  try {
    return decodeBytes(bytes);
  } catch {
    return undefined;
  }
}

/** The query decoded as a form; undefined if it is malformed or repeats a key. */
function readQuery(query: string): Fields | undefined {
  if (!/^[!-~]*$/.test(query)) return undefined;
  const fields = new Map<string, string>();
  for (const pair of query.split('&').filter((piece) => piece !== '')) {
    const [name = '', ...rest] = pair.split('=');
    const key = percentDecode(name, true);
    const value = percentDecode(rest.join('='), true);
    if (key === undefined || value === undefined || fields.has(key)) return undefined;
    if (`${key}${value}`.includes('\0')) return undefined;
    fields.set(key, value);
  }
  return fields;
}

/** Contract, "Signature algorithm", over decoded parameters. */
export function signatureOver(fields: Fields, timestamp: string, apiKey: string): string {
  const all = [...fields].filter(([key]) => key !== 'timestamp');
  all.push(['timestamp', timestamp]);
  const text = all
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, value]) => `${key}=${value}`)
    .join('&');
  return createHash('md5').update(`${text}${apiKey}`, 'utf8').digest('hex');
}

const codePoints = (text: string): number => Array.from(text).length;

/** Decimal places of the currencies that the attack uses. */
const DECIMALS: Readonly<Record<string, number>> = { USD: 2, EUR: 2, JPY: 0, KWD: 3, ZZZ: 4 };

const OPTIONAL: Readonly<Record<string, number>> = {
  extra_data: BODY_BYTES,
  user_id: 64,
  account_holder: 128,
  mobile: 32,
  email: 255,
  bank_code: 32,
  account_no: 64,
};

/** Above zero, plain, and with no more decimals than its currency has: by value. */
function isAmount(text: string, decimals: number): boolean {
  const [, integer = '', fraction = ''] = /^(0|[1-9]\d*)(?:\.(\d+))?$/.exec(text) ?? [];
  if (integer === '' || integer.length > 14) return false;
  const significant = fraction.replace(/0+$/, '');
  return significant.length <= decimals && (integer !== '0' || significant !== '');
}

/** The amount by value with four decimals. */
function fourDecimals(text: string): string {
  const [integer = '', fraction = ''] = text.split('.');
  return `${integer}.${fraction.padEnd(4, '0').slice(0, 4)}`;
}

/** Fields of a create with a valid signature. */
function judgeFields(fields: readonly JsonField[], taken: ReadonlySet<string>): Verdict {
  const given = new Map(fields.filter(({ kind }) => kind !== 'null').map((field) => [field.name, field]));
  const text = (name: string): string | undefined => {
    const field = given.get(name);
    return field?.kind === 'string' ? field.text : undefined;
  };
  const number = text('merchant_order_no') ?? '';
  // eslint-disable-next-line no-control-regex
  if (number === '' || codePoints(number) > 64 || /[\u0000-\u001f\u007f-\u009f]/.test(number)) return BAD_FIELD;
  const currency = text('currency_code') ?? '';
  if (!/^[A-Z]{3}$/.test(currency)) return BAD_FIELD;
  const amount = given.get('amount');
  if (amount?.kind !== 'string' && amount?.kind !== 'number') return BAD_FIELD;
  const url = text('callback_url') ?? '';
  if (url === '' || codePoints(url) > 500) return BAD_FIELD;
  for (const [name, limit] of Object.entries(OPTIONAL))
    if (given.has(name) && codePoints(text(name) ?? 'x'.repeat(limit + 1)) > limit) return BAD_FIELD;
  const decimals = DECIMALS[currency];
  // A random currency: it is refused, but which rule refuses it first is not specified.
  if (decimals === undefined) return refused(null, null);
  if (!isAmount(amount.text, decimals)) return BAD_FIELD;
  const harmless = /^https:\/\/[a-z0-9.-]+\/[\w./-]*(\?[\w=&.%-]*)?$/.test(url);
  if (!harmless && !/^https:\/\/[^@\\\s]+$/i.test(url)) return BAD_FIELD;
  if (taken.has(number)) return refused(409, 'CONFLICT');
  if (currency !== 'USD') return harmless ? refused(400, 'BUSINESS_ERROR') : refused(null, null);
  const order = {
    merchant_order_no: number,
    requested_amount: fourDecimals(amount.text),
    amount: fourDecimals(amount.text),
    currency_code: currency,
    callback_url: url,
    user_id: text('user_id') ?? null,
    payer_bank_code: text('bank_code') ?? null,
    payer_account_last4: text('account_no') === undefined ? null : lastFour(text('account_no')),
    status: 'pending',
  };
  return { accept: harmless ? 'must' : 'may', effect: { kind: 'deposit', number, order } };
}

const lastFour = (text = ''): string => Array.from(text).slice(-4).join('');

type Route =
  | { readonly name: 'create' | 'find' | 'balance' | 'notify' | 'health' }
  | { readonly name: 'get'; readonly orderNo: string };

const METHOD_OF: Record<Route['name'], string> = {
  create: 'POST',
  find: 'GET',
  get: 'GET',
  balance: 'GET',
  notify: 'POST',
  health: 'GET',
};

/** The route of a path. Escapes of ASCII characters are decoded, except reserved ones. */
function routeOf(path: string): Route | 'unknown' | 'undecodable' {
  if (percentDecode(path, false) === undefined) return 'undecodable';
  const plain = path.replace(/%(?!2[346bcf]|3[abdf]|40)[0-9a-f]{2}/gi, (escape) =>
    Number.parseInt(escape.slice(1), 16) < 0x80 ? (percentDecode(escape, false) ?? escape) : escape,
  );
  switch (plain) {
    case `${API}/orders/deposit`:
      return { name: 'create' };
    case `${API}/query/deposit`:
      return { name: 'find' };
    case `${API}/balance`:
      return { name: 'balance' };
    case '/bank-notifications':
      return { name: 'notify' };
    case '/health/live':
    case '/health/ready':
      return { name: 'health' };
  }
  const [, last] = new RegExp(`^${API}/query/deposit/([^/]*)$`).exec(plain) ?? [];
  if (last === undefined) return 'unknown';
  return { name: 'get', orderNo: percentDecode(last, false) ?? '' };
}

/** Judges requests to one platform. */
export class Oracle {
  /** Numbers that are used, of the first merchant and of the stranger. */
  private readonly taken = new Map<string, Set<string>>();
  private readonly nonces = new Set<string>();

  constructor(private readonly world: World) {
    for (const merchant of [world.merchant, world.stranger])
      this.taken.set(merchant.id, new Set([merchant.order.merchantOrderNo]));
  }

  /** The expected answer to a request. Call it in the order in which the requests of one connection are sent. */
  judge(request: Request): Verdict {
    const verdict = this.judgeWhole(request);
    if (!request.doubtful) return verdict;
    // Refusing it is right whatever the reason; accepting it is right only if it is valid otherwise.
    return verdict.accept === 'never' ? refused(null, null) : { accept: 'may', effect: verdict.effect };
  }

  private judgeWhole(request: Request): Verdict {
    const absolute = request.target.replace(/^https?:\/\/[^/?#]*\//, '/');
    const [path = ''] = absolute.split(/[?#]/);
    const mark = request.target.indexOf('?');
    const query = mark < 0 ? '' : request.target.slice(mark + 1);
    const route = routeOf(path);
    if (!METHODS.includes(request.method)) return refused(null, null);
    if (request.method === 'CONNECT') return NOT_FOUND;
    if (route === 'undecodable') return MALFORMED;
    if (route === 'unknown') return NOT_FOUND;
    if (request.method !== METHOD_OF[route.name]) return refused(405, 'METHOD_NOT_ALLOWED');
    if (route.name === 'health') return { accept: 'must', effect: null };
    if (request.method === 'POST' && request.body.length > BODY_BYTES) return refused(413, 'PAYLOAD_TOO_LARGE');
    return route.name === 'notify' ? this.judgeNotification(request, query) : this.judgeMerchant(request, route, query);
  }

  private badTimestamp(timestamp: string | undefined): boolean {
    if (timestamp === undefined || !/^[0-9]{1,12}$/.test(timestamp)) return true;
    const now = Math.floor(this.world.now().getTime() / 1000);
    return Math.abs(now - Number(timestamp)) > WINDOW_SECONDS;
  }

  private judgeMerchant(request: Request, route: Route, query: string): Verdict {
    const apiKey = only(request, 'x-api-key');
    const signature = only(request, 'x-signature');
    const timestamp = only(request, 'x-timestamp');
    if (apiKey === undefined || signature === undefined) return BAD_SIGNATURE;
    if (timestamp === undefined || this.badTimestamp(timestamp)) return BAD_TIMESTAMP;

    let body: readonly JsonField[] | undefined;
    if (route.name === 'create') {
      const type = only(request, 'content-type') ?? '';
      if (!/^application\/json[ \t]*(;.*)?$/i.test(type)) return refused(415, 'UNSUPPORTED_MEDIA_TYPE');
      body = readJsonObject(request.body);
      if (body === undefined) return MALFORMED;
    }
    const parameters = readQuery(query);
    if (parameters === undefined) return MALFORMED;
    const fields =
      body === undefined
        ? parameters
        : new Map(body.filter(({ kind }) => kind !== 'null').map(({ name, text }) => [name, text]));

    const owner = [this.world.merchant, this.world.stranger].find((m) => m.apiKey === apiKey);
    const signed = fields.get('timestamp');
    if (signed !== undefined && signed !== timestamp) return BAD_SIGNATURE;
    const expected = signatureOver(fields, timestamp, apiKey);
    if (owner === undefined || signature.toLowerCase() !== expected) return BAD_SIGNATURE;

    const { order } = owner;
    const shown = (data: Record<string, unknown>): Verdict => ({
      accept: 'must',
      effect: { kind: 'shown', data },
    });
    switch (route.name) {
      case 'balance':
        return shown({ merchant_id: owner.id });
      case 'get':
        return route.orderNo === order.orderNo ? shown({ order_no: order.orderNo, merchant_id: owner.id }) : NOT_FOUND;
      case 'find': {
        const number = fields.get('merchant_order_no') ?? '';
        if (number === '') return BAD_FIELD;
        return number === order.merchantOrderNo
          ? shown({ merchant_order_no: number, merchant_id: owner.id })
          : NOT_FOUND;
      }
      default:
        return this.claim(owner.id, judgeFields(body ?? [], this.takenBy(owner.id)));
    }
  }

  private takenBy(merchantId: string): Set<string> {
    const taken = this.taken.get(merchantId);
    if (!taken) throw new Error('an unknown merchant');
    return taken;
  }

  /** A number that was accepted once is refused from then on. */
  private claim(merchantId: string, verdict: Verdict): Verdict {
    if (verdict.accept !== 'never' && verdict.effect?.kind === 'deposit')
      this.takenBy(merchantId).add(verdict.effect.number);
    return verdict;
  }

  private judgeNotification(request: Request, query: string): Verdict {
    const keyId = only(request, 'x-agent-key');
    const signature = only(request, 'x-agent-signature');
    const nonce = only(request, 'x-agent-nonce');
    const timestamp = only(request, 'x-agent-timestamp');
    if (keyId === undefined || signature === undefined || nonce === undefined) return BAD_SIGNATURE;
    if (!/^[A-Za-z0-9_-]{8,128}$/.test(nonce) || timestamp === undefined) return BAD_SIGNATURE;
    if (this.badTimestamp(timestamp)) return BAD_TIMESTAMP;
    const type = only(request, 'content-type') ?? '';
    if (!/^application\/json[ \t]*(;.*)?$/i.test(type)) return refused(415, 'UNSUPPORTED_MEDIA_TYPE');
    const body = readJsonObject(request.body);
    if (body === undefined || readQuery(query) === undefined) return MALFORMED;

    const agent = [this.world.agent, this.world.otherAgent].find((a) => a.keyId === keyId);
    if (!agent) return BAD_SIGNATURE;
    const expected = createHmac('sha256', agent.secret)
      .update(`${timestamp}.${nonce}.`)
      .update(request.body)
      .digest('hex');
    if (signature.toLowerCase() !== expected) return BAD_SIGNATURE;
    if (this.nonces.has(`${keyId} ${nonce}`)) return BAD_SIGNATURE;
    this.nonces.add(`${keyId} ${nonce}`);
    const account = body.find(({ name }) => name === 'account_id');
    if (account?.text !== agent.accountId) return refused(null, null);
    // Other tests cover its fields; here only the sender's permission matters.
    return { accept: 'may', effect: { kind: 'transfer' } };
  }
}
