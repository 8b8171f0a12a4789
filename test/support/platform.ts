import { addressBehind } from '../../runtime/client-address';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { Pool } from 'undici';
import { uuidv7 } from 'uuidv7';
import { ANSWER_WITHIN_MS } from '../../gateway/deadline';
import { buildGateway, type GatewayDeps } from '../../gateway/server';
import type { TestDatabase } from './database';
import { PATIENCE, Tenant, type TestKeys } from './tenant';

export const MERCHANT_API = '/api/v1/merchant';

/** An answer, and its body read as the envelope. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: {
    readonly success: boolean;
    readonly code: string;
    readonly message: string;
    readonly data: Record<string, unknown> | null;
  };
}

/** What a test may change in a request. */
export interface Overrides {
  /** X-Timestamp; by default the platform's time. */
  readonly timestamp?: string;
  readonly apiKey?: string;
  readonly signature?: string;
  /** The signed parameters, if a client gets them wrong. */
  readonly signingString?: (timestamp: string) => string;
  /** Headers in addition to or instead of the usual ones (by lower-case name); null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

export interface MerchantClient {
  readonly id: string;
  readonly merchantCode: string;
  readonly apiKey: string;
  /**
   * Sends a signed request to the merchant API.
   * @param path below MERCHANT_API, with its query
   * @param body fields of flat text or numbers, or the body's exact text (then give signingString)
   */
  signed(
    method: string,
    path: string,
    body?: Readonly<Record<string, unknown>> | string,
    overrides?: Overrides,
  ): Promise<Answer>;
}

export interface Agent {
  readonly keyId: string;
  readonly secret: string;
}

export interface AgentOverrides {
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly signature?: string;
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** The contract's signing string, written again without the product's code. */
export function signingString(fields: Readonly<Record<string, unknown>>, timestamp: string): string {
  const texts = Object.entries<unknown>({ ...fields, timestamp })
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)] as const);
  return texts
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, text]) => `${key}=${text}`)
    .join('&');
}

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** What an agent signs (docs/bank-notifications.md). */
export const agentSignature = (
  secret: string,
  { timestamp, nonce }: { readonly timestamp: string; readonly nonce: string },
  body: string,
): string => createHmac('sha256', secret).update(`${timestamp}.${nonce}.${body}`).digest('hex');

/** A valid create, with a number of its own. */
export const depositBody = (fields: Readonly<Record<string, unknown>> = {}) => ({
  merchant_order_no: uuidv7(),
  amount: '100.00',
  currency_code: 'USD',
  callback_url: 'https://merchant.example/callback',
  ...fields,
});

/** Where payers are sent in tests. */
export const CASHIER_URL = 'https://pay.example/cashier';

const silent = pino({ level: 'silent' });

/** The public listener on a port of its own, over a real graph and a database of its own. */
export class Platform {
  private constructor(
    /** The graph, the operator who provisions, and the clock (`tenant.now`). */
    readonly tenant: Tenant,
    readonly gateway: FastifyInstance,
    readonly port: number,
    readonly pool: Pool,
  ) {}

  /**
   * @param options a database instead of a fresh one of the run's server; other deps of the gateway; the factor by
   * which timeouts are longer than in production
   */
  static async open(
    options: {
      database?: TestDatabase;
      deps?: Partial<GatewayDeps>;
      keys?: TestKeys;
      patience?: number;
    } = {},
  ): Promise<Platform> {
    const { keys, patience = PATIENCE } = options;
    const tenant = await Tenant.create(options.database, { patience, ...(keys && { keys }) });
    const gateway = await buildGateway({
      graph: tenant.graph,
      clock: () => tenant.now(),
      log: silent,
      environment: 'sandbox',
      cashierUrl: CASHIER_URL,
      merchantApiUrl: 'https://api.example/api/v1/merchant',
      addressOf: addressBehind([]),
      answerWithinMs: ANSWER_WITHIN_MS * patience,
      clientPatience: patience,
      ...options.deps,
    });
    await gateway.listen({ host: '127.0.0.1', port: 0 });
    const { port } = gateway.server.address() as AddressInfo;
    return new Platform(tenant, gateway, port, new Pool(`http://127.0.0.1:${port}`, { connections: 64 }));
  }

  /** How long a create waits for a channel's details, milliseconds: longer than the merchants' 3.8 s on a busy machine. */
  openWithin(ms: number): void {
    (this.tenant.graph.core as { openWithinMs?: number }).openWithinMs = ms;
  }

  async close(): Promise<void> {
    await this.pool.close();
    await this.gateway.close();
    await this.tenant.close();
  }

  /** The platform's time in Unix seconds, as X-Timestamp has it. */
  timestamp(shiftSeconds = 0): string {
    return String(Math.floor(this.tenant.now().getTime() / 1000) + shiftSeconds);
  }

  /** Sends the given request. A header whose value is null is left out, one with a list is repeated. */
  async send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | readonly string[] | null>> = {},
    body?: string | Buffer,
  ): Promise<Answer> {
    const lines = Object.entries(headers).flatMap(([name, value]) =>
      [value].flat().flatMap((one) => (one === null ? [] : [name, one])),
    );
    const answer = await this.pool.request({
      method: method,
      path,
      headers: lines,
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      body: (text === '' ? null : JSON.parse(text)) as Answer['body'],
    };
  }

  /** A merchant with USD and a key. @param currency further settings of its USD */
  async merchant(
    settings: Readonly<Record<string, unknown>> = {},
    currency: Readonly<Record<string, unknown>> = {},
  ): Promise<MerchantClient> {
    const { merchant } = await this.tenant.operate<{
      merchant: { id: string; merchantCode: string };
    }>('CreateMerchant', {
      reason: 'test',
      input: {
        merchantCode: `M${randomBytes(6).toString('hex')}`,
        name: 'Test merchant',
        currencies: [{ currencyCode: 'USD', depositFee: { percent: '1' }, ...currency }],
        settings,
      },
    });
    const { apiKey } = await this.tenant.operate<{ apiKey: string }>('IssueApiKey', {
      merchantId: merchant.id,
      reason: 'test',
    });
    return this.client({ ...merchant, apiKey });
  }

  /** The same merchant with another key, or a merchant made elsewhere. */
  client(merchant: Pick<MerchantClient, 'id' | 'merchantCode' | 'apiKey'>): MerchantClient {
    return {
      ...merchant,
      signed: async (method, path, body, overrides = {}) => {
        const apiKey = overrides.apiKey ?? merchant.apiKey;
        const timestamp = overrides.timestamp ?? this.timestamp();
        const fields =
          method === 'GET'
            ? Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? ''))
            : typeof body === 'object'
              ? body
              : {};
        const toSign = (overrides.signingString ?? ((t) => signingString(fields, t)))(timestamp);
        return await this.send(
          method,
          `${MERCHANT_API}${path}`,
          {
            'x-api-key': apiKey,
            'x-timestamp': timestamp,
            'x-signature': overrides.signature ?? md5(toSign + apiKey),
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
            ...overrides.headers,
          },
          typeof body === 'object' ? JSON.stringify(body) : body,
        );
      },
    };
  }

  /** A merchant whose payers may choose 10, 50 or 100 USD, or any amount from 20 to 500. */
  async cashierMerchant(settings: Readonly<Record<string, unknown>> = {}): Promise<MerchantClient> {
    return await this.merchant(settings, {
      cashierAmounts: { denominations: ['10', '50', '100'], customMin: '20', customMax: '500' },
    });
  }

  /** A managed account that takes USD deposits. @returns its id */
  async account(input: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { account } = await this.tenant.operate<{ account: { id: string } }>('CreateBankAccount', {
      reason: 'test',
      input: {
        name: 'Test account',
        bankCode: 'TESTBANK',
        bankName: 'Test Bank',
        accountNo: uuidv7(),
        accountHolder: 'Causeway',
        currencyCode: 'USD',
        ...input,
      },
    });
    return account.id;
  }

  /** A key that reports on these accounts. */
  async agent(
    accountIds: readonly string[],
    limits: Readonly<Record<string, unknown>> = {},
  ): Promise<Agent & { readonly id: string }> {
    const { key, secret } = await this.tenant.operate<{
      key: { id: string; keyId: string };
      secret: string;
    }>('CreateAgentKey', { reason: 'test', input: { label: 'test', accountIds, ...limits } });
    return { ...key, secret };
  }

  /** Sends an agent's signed notification. */
  async notify(
    { keyId, secret }: Agent,
    body: Readonly<Record<string, unknown>> | string,
    overrides: AgentOverrides = {},
  ): Promise<Answer> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const timestamp = overrides.timestamp ?? this.timestamp();
    const nonce = overrides.nonce ?? randomBytes(12).toString('base64url');
    const signed = agentSignature(secret, { timestamp, nonce }, text);
    return await this.send(
      'POST',
      '/bank-notifications',
      {
        'x-agent-key': keyId,
        'x-agent-timestamp': timestamp,
        'x-agent-nonce': nonce,
        'x-agent-signature': overrides.signature ?? signed,
        'content-type': 'application/json',
        ...overrides.headers,
      },
      text,
    );
  }
}
