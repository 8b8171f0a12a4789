import { addressBehind } from '../../runtime/client-address';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type DocumentNode, parse } from 'graphql';
import pino from 'pino';
import { uuidv7 } from 'uuidv7';
import { createChannels } from '../../channels';
import { createAuditSigner } from '../../crypto/audit-signer';
import { createCashierTokens } from '../../crypto/cashier-token';
import { firstKey, KeyRing } from '../../crypto/key-ring';
import { createLookup } from '../../crypto/lookup';
import type { Seals } from '../../crypto/personal';
import { createSealer, type Sealer } from '../../crypto/seal';
import { type Database, type DatabaseOptions, openDatabase } from '../../db/client';
import { findMerchantsByKeys } from '../../db/merchants/merchants';
import { findOperatorByLogin } from '../../db/operators/operators';
import { BUILT_IN_ROLES, type Permission } from '../../domain/permissions';
import { createGraph, type Graph } from '../../graph';
import type { Actor } from '../../steps/access/actor';
import type { ChangeRules } from '../../steps/context';
import { consoleSite } from '../../graph/browser';
import { EventHub } from '../../graph/events/event-hub';
import { operationsByName } from '../../local/documents';
import { operationText } from '../../local/operator-client';
import { createCallbackSender } from '../../temporal/http/callback-sender';
import { createTestDatabase, type TestDatabase } from './database';
import { ensureFirstOperator } from '../../steps/operators/first-operator';

const silent = pino({ level: 'silent' });

/** The factor by which timeouts are longer than in production, in tests that do not concern them. */
export const PATIENCE = 10;

/** Where channels may be: the tests' own upstreams. */
const LOOPBACK = { allowInsecure: true, allowedHosts: null };

/** The keys with which a graph seals secrets and finds them: 32 bytes each. */
export interface TestKeys {
  readonly encryption: Buffer;
  readonly lookup: Buffer;
  /** A ring of these keys alone, as before rotations; tests of rotations add keys to it. */
  readonly ring: KeyRing;
}

export const newKeys = (): TestKeys => {
  const [encryption, lookup, cashier] = [randomBytes(32), randomBytes(32), randomBytes(32)];
  return {
    encryption,
    lookup,
    ring: new KeyRing([firstKey({ seal: encryption, lookup, cashier })]),
  };
};

/** One of docs/operations.graphql, with the fragments that it needs. */
export const operatorDocument = (name: string): DocumentNode => parse(operationText(name));

const facade = operationsByName(parse(readFileSync(path.join(__dirname, '../../gateway/operations.graphql'), 'utf8')));

function facadeDocument(name: string): DocumentNode {
  const document = facade.get(name);
  if (!document) throw new Error(`gateway/operations.graphql has no ${name}`);
  return document;
}

/** An operator as the caller. */
export type OperatorActor = Extract<Actor, { readonly kind: 'operator' }>;

export interface TestMerchant {
  readonly id: string;
  readonly merchantCode: string;
  readonly apiKey: string;
  readonly actor: Actor;
}

export interface TestDeposit {
  readonly orderNo: string;
  readonly amount: string;
  readonly requestedAmount: string;
  readonly expectedRemark: string;
  readonly expireAt: string;
}

export interface TestSession {
  readonly sessionId: string;
  readonly token: string;
  readonly expireAt: string;
  readonly orderNo: string | null;
}

/** A graph with a database of its own, an operator, and a clock that the test sets. */
export class Tenant {
  /** How changes are decided: by default as in a sandbox. */
  readonly changes: { -readonly [Key in keyof ChangeRules]: ChangeRules[Key] };
  /** The graph's current time. */
  now: () => Date = () => new Date();

  private constructor(
    readonly database: Database,
    readonly url: string,
    readonly graph: Graph,
    readonly sealer: Sealer,
    readonly operator: Actor,
    changes: Tenant['changes'],
    private readonly end: () => Promise<void>,
  ) {
    this.changes = changes;
  }

  /**
   * @param made a migrated database other than a fresh one of the run's server
   * @param options watch sees each statement as it is sent; keys are shared with other processes on the same database
   */
  static async create(
    made?: TestDatabase,
    {
      keys = newKeys(),
      maskPersonal = false,
      ...options
    }: Pick<DatabaseOptions, 'watch' | 'patience'> & {
      readonly keys?: TestKeys;
      readonly maskPersonal?: boolean;
    } = {},
  ): Promise<Tenant> {
    const { url, drop } = made ?? (await createTestDatabase());
    const database = openDatabase({
      url,
      applicationName: 'test',
      max: 8,
      patience: PATIENCE,
      ...options,
    });
    const sealer = createSealer(keys.ring);
    const changes = { onePerson: true, expiryMs: 7 * 86_400_000, coolingMs: 0 };
    let tenant: Tenant | undefined = undefined;
    const clock = (): Date => tenant?.now() ?? new Date();
    const events = new EventHub({ database, clock, log: silent });
    const sender = createCallbackSender({ webhookSslVerify: true });
    const openChannel = createChannels({
      environment: 'sandbox',
      sealer,
      clock,
      post: async (request, signal) => await sender.post({ ...request, policy: LOOPBACK }, signal),
    });
    const graph = createGraph({
      database,
      environment: 'sandbox',
      clock,
      sealer,
      lookup: createLookup(keys.ring),
      signer: createAuditSigner({ own: [], lookup: keys.lookup }),
      cashierTokens: createCashierTokens(keys.ring, 'sandbox'),
      events,
      openChannel,
      log: silent,
      temporalUi: null,
      maskPersonal,
      changes,
      addressOf: addressBehind([]),
      site: consoleSite('http://127.0.0.1/console'),
    });
    const admin = { login: 'admin', password: 'a password of the tests' };
    await ensureFirstOperator(database, { ...admin, roles: Object.keys(BUILT_IN_ROLES) }, new Date());
    const operator = await findOperatorByLogin(database, admin.login);
    if (!operator) throw new Error('no operator');
    tenant = new Tenant(
      database,
      url,
      graph,
      sealer,
      { kind: 'operator', operator, via: 'session', cookie: false, tokenHash: '' },
      changes,
      async () => {
        events.stop();
        graph.core.cashierChanges.stop();
        sender.close();
        await database.close();
        await drop();
      },
    );
    return tenant;
  }

  /** What seals personal values, as the graph does. */
  get seals(): Seals {
    return { sealer: this.sealer, lookup: this.graph.core.lookup };
  }

  async close(): Promise<void> {
    await this.end();
  }

  /** Runs one of docs/operations.graphql as the operator and returns its one root field. */
  async operate<Result>(
    name: string,
    variables: Record<string, unknown> = {},
    actor: Actor = this.operator,
  ): Promise<Result> {
    return await this.run(operatorDocument(name), variables, actor);
  }

  /** Another operator, with these roles. */
  async person(login: string, roles: readonly string[]): Promise<OperatorActor> {
    const password = 'a password of the tests';
    await ensureFirstOperator(this.database, { login, password, roles }, new Date());
    const operator = await findOperatorByLogin(this.database, login);
    if (!operator) throw new Error('no operator');
    return { kind: 'operator', operator, via: 'session', cookie: false, tokenHash: '' };
  }

  /** Runs work with one-person changes, in a test about two people. */
  async alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const { onePerson } = this.changes;
    this.changes.onePerson = true;
    try {
      return await work();
    } finally {
      this.changes.onePerson = onePerson;
    }
  }

  /** The rows of a page of a list of docs/operations.graphql, as the operator sees it. */
  async list<Node>(name: string, variables: Record<string, unknown> = {}): Promise<Node[]> {
    return (await this.operate<{ nodes: Node[] }>(name, variables)).nodes;
  }

  private async run<Result>(document: DocumentNode, variables: Record<string, unknown>, actor: Actor): Promise<Result> {
    const data = await this.graph.execute(document, variables, actor, silent);
    return Object.values(data as Record<string, Result>)[0] as Result;
  }

  /** An operator with these permissions, unrestricted by default; not in the database. */
  operatorWith(permissions: readonly Permission[], merchantIds: readonly string[] | null = null): Actor {
    const operator = {
      id: uuidv7(),
      login: 'somebody',
      roles: [],
      email: null,
      alertMails: false,
      totp: false,
      passkeys: 0,
      createdAt: new Date(),
      disabledAt: null,
      permissions: new Set(permissions),
      approveLimits: null,
      merchantIds,
    };
    return { kind: 'operator', operator, via: 'session', cookie: false, tokenHash: '' };
  }

  /** A merchant with a key, in THB by default; callbacks may go to loopback. */
  async merchant(
    settings: Record<string, unknown> = {},
    currencies: readonly Record<string, unknown>[] = [{ currencyCode: 'THB', depositFee: { percent: '1.5' } }],
  ): Promise<TestMerchant> {
    const { merchant } = await this.operate<{ merchant: { id: string; merchantCode: string } }>('CreateMerchant', {
      reason: 'test',
      input: {
        merchantCode: `M${randomBytes(6).toString('hex')}`,
        name: 'Test merchant',
        currencies,
        settings: { allowInsecureCallbacks: true, ...settings },
      },
    });
    const { apiKey } = await this.operate<{ apiKey: string }>('IssueApiKey', {
      merchantId: merchant.id,
      reason: 'test',
    });
    return { ...merchant, apiKey, actor: await this.actorOf(apiKey) };
  }

  /** The merchant, as a signed request with this key would authenticate it now. */
  async actorOf(apiKey: string): Promise<Actor> {
    const { lookup } = this.graph.core;
    const found = await findMerchantsByKeys(this.database, lookup.all(apiKey), this.now());
    const [merchant] = found.values();
    if (!merchant) throw new Error('no live key');
    return { kind: 'merchant', merchant };
  }

  async account(currencyCode = 'THB', input: Record<string, unknown> = {}): Promise<string> {
    const { account } = await this.operate<{ account: { id: string } }>('CreateBankAccount', {
      reason: 'test',
      input: {
        name: 'Test account',
        bankCode: 'TESTBANK',
        bankName: 'Test Bank',
        accountNo: uuidv7(),
        accountHolder: 'Causeway',
        currencyCode,
        ...input,
      },
    });
    return account.id;
  }

  /** A merchant whose payers may choose 100 or 500 THB, or anything from 20 to 1,000. */
  async cashierMerchant(settings: Record<string, unknown> = {}): Promise<TestMerchant> {
    const cashierAmounts = { denominations: ['100', '500'], customMin: '20', customMax: '1000' };
    return await this.merchant(settings, [{ currencyCode: 'THB', depositFee: { percent: '1.5' }, cashierAmounts }]);
  }

  /** Opens a cashier session as the merchant. */
  async cashier(merchant: TestMerchant, input: Record<string, unknown> = {}): Promise<TestSession> {
    return await this.run(
      facadeDocument('CreateCashierSession'),
      { input: { merchantOrderNo: uuidv7(), currencyCode: 'THB', ...input } },
      merchant.actor,
    );
  }

  /** Runs one of the payer's operations with a token. */
  async asPayer<Result>(token: string, name: string, variables: Record<string, unknown> = {}): Promise<Result> {
    const actor = await this.graph.authenticateCashier(token);
    return await this.run(facadeDocument(name), variables, actor);
  }

  async deposit(merchant: TestMerchant, input: Record<string, unknown> = {}): Promise<TestDeposit> {
    return await this.run(
      facadeDocument('CreateDeposit'),
      {
        input: {
          merchantOrderNo: uuidv7(),
          amount: '100.00',
          currencyCode: 'THB',
          callbackUrl: 'http://127.0.0.1:9/nobody-listens',
          ...input,
        },
      },
      merchant.actor,
    );
  }

  /** Creates a withdrawal, 100.00 THB by default; its bank must be in the directory. */
  async withdrawal<Withdrawal>(merchant: TestMerchant, input: Record<string, unknown> = {}): Promise<Withdrawal> {
    return await this.run(
      facadeDocument('CreateWithdrawal'),
      {
        input: {
          merchantOrderNo: uuidv7(),
          amount: '100.00',
          currencyCode: 'THB',
          beneficiaryName: 'Ann',
          beneficiaryAccount: '1',
          beneficiaryBankCode: 'GOODBANK',
          ...input,
        },
      },
      merchant.actor,
    );
  }

  /** Reports a credit of 100.00 THB, as the operator. */
  async notify(
    input: Record<string, unknown>,
    actor: Actor = this.operator,
  ): Promise<{
    duplicate: boolean;
    transfer: { id: string; depositId: string | null; unmatchedReason: string | null };
  }> {
    return await this.run(
      operatorDocument('RecordBankNotification'),
      {
        input: {
          amount: '100.00',
          currencyCode: 'THB',
          bankTime: this.now().toISOString(),
          ...input,
        },
      },
      actor,
    );
  }
}
