import type { KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { readEd25519Key } from './crypto/ed25519';
import { type Keys, readKeys } from './crypto/key-settings';
import { publicAddress } from './domain/url';
import { TRACE_SETTINGS, type TraceSettings, traceSettingsOf } from './runtime/trace-settings';
import envSchema from 'env-schema';
import { Type, type Static } from 'typebox';
import { DEFAULT_DAY_LIMITS, type DayLimits, readDayLimits } from './domain/authority/day-amounts';
import { type OidcSettings, readRoleMapping } from './domain/oidc';
import { BUILT_IN_ROLES } from './domain/permissions';
import { readWorkerQueues, WORKER_QUEUES, type WorkerQueue } from './domain/worker-queues';
import { proxiesOf } from './runtime/client-address';
import { refuseUnsafe, refuseUnverified } from './runtime/production';
import { WORKER_SETTINGS, type WorkerSizes, workerSizesOf } from './runtime/worker-settings';
import { readSecurityContacts } from './runtime/security-text';
import {
  databaseOf,
  type DatabaseSettings,
  SERVER_SETTINGS,
  temporalOf,
  type TemporalSettings,
} from './runtime/server-settings';

const Key = Type.Optional(Type.String({ minLength: 1 }));
const Port = (value: number) => Type.Integer({ minimum: 0, maximum: 65_535, default: value });

/**
 * Every setting, from the environment; those of PostgreSQL and Temporal are in runtime/server-settings.ts, those of traces in
 * runtime/trace-settings.ts, the sizes of a worker in runtime/worker-settings.ts. Secrets have no
 * default: `npm start` makes them on its first run.
 */
const Settings = Type.Object({
  /** sandbox: simulated money; keys begin with `pre_`. production: refuses unsafe settings. */
  CAUSEWAY_ENV: Type.Union([Type.Literal('sandbox'), Type.Literal('production')]),
  LOG_LEVEL: Type.Union(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => Type.Literal(level)),
    { default: 'info' },
  ),

  ...SERVER_SETTINGS,
  ...TRACE_SETTINGS,
  ...WORKER_SETTINGS,
  /**
   * Which version of the workers gets tasks. auto: the newest version makes itself current once it runs. manual: a
   * person or a rollout tool sets the version in Temporal; until then new workers get no tasks
   * (docs/changing-a-workflow.md).
   */
  WORKER_VERSION: Type.Union([Type.Literal('auto'), Type.Literal('manual')], { default: 'auto' }),
  /**
   * Whether the Temporal UI can show the call stack of a workflow that waits. It takes as much CPU as a short workflow itself:
   * for a search of a bug (docs/production.md).
   */
  WORKER_STACK_TRACES: Type.Boolean({ default: false }),
  /**
   * The queues that this worker serves, comma-separated: orders, withdrawals, background, callbacks, payouts,
   * channel-deposits. By default all. Each queue needs a worker somewhere (docs/production.md).
   */
  WORKER_QUEUES: Type.Optional(Type.String({ minLength: 1 })),
  /** The address of the Temporal UI; used only for links. */
  TEMPORAL_UI_URL: Type.Optional(Type.String()),

  GATEWAY_HOST: Type.String({ default: '127.0.0.1' }),
  GATEWAY_PORT: Port(8080),
  /**
   * Processes of a gateway, behind one port and with the limits of one: for a machine with several cores. The role's own
   * process is then only their parent (docs/production.md). `npm start` takes two from four cores on.
   */
  GATEWAY_PROCESSES: Type.Integer({ minimum: 1, maximum: 8, default: 1 }),
  GRAPH_HOST: Type.String({ default: '127.0.0.1' }),
  GRAPH_PORT: Port(4000),

  /**
   * Our own proxies in front of either listener: addresses and networks, comma-separated, such as 10.0.0.0/8. Their
   * X-Forwarded-For is trusted. Limits by address and the audit log use it.
   */
  TRUSTED_PROXIES: Type.Optional(Type.String({ minLength: 1 })),

  /**
   * The address of the console, such as https://ops.example.com/console: for links in mails, and to recognise the pages
   * that may use an operator's login. https, except on this machine's loopback. By default that of GRAPH_PORT.
   */
  CONSOLE_URL: Type.Optional(Type.String({ minLength: 1 })),
  /**
   * Where your engineers read docs/runbook.md, such as https://git.example.com/causeway/docs/runbook.md: workflows in the
   * Temporal UI link to its paragraphs. Unset: they name the paragraph.
   */
  RUNBOOK_URL: Type.Optional(Type.String({ minLength: 1 })),

  /**
   * The internal listeners for /metrics. 0: any free port. Without GRAPH_METRICS_PORT the graph of a sandbox serves
   * metrics beside GraphQL, to everybody who can reach the console; in production it is 0 by default.
   */
  METRICS_HOST: Type.String({ default: '127.0.0.1' }),
  GATEWAY_METRICS_PORT: Port(0),
  GRAPH_METRICS_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  WORKER_METRICS_PORT: Port(0),

  /**
   * The ring of keys (docs/keys.md): 32 bytes each, base64, separated by commas or white space. What is sealed, looked
   * up or signed names its key; the database says which is the current one. Each setting of a key may also be the file
   * NAME_FILE, or a text that Vault has wrapped.
   */
  CAUSEWAY_KEYS: Key,
  /** 32 bytes, base64, the current one first: signs the audit log. Production requires it, except of a gateway. */
  CAUSEWAY_AUDIT_KEY: Key,
  /** The keys from before the ring, 32 bytes, base64: for look-up hashes, sealed secrets, and cashier tokens. */
  CAUSEWAY_LOOKUP_KEY: Key,
  CAUSEWAY_ENCRYPTION_KEY: Key,
  CASHIER_TOKEN_SECRET: Key,
  /** Where payers open the cashier, such as https://pay.example.com/cashier. By default that of GATEWAY_PORT. */
  CASHIER_URL: Type.Optional(Type.String({ minLength: 1 })),
  /** Where merchants reach the REST API, as the page with a new api key shows it. By default /api/v1/merchant at the cashier's host. */
  MERCHANT_API_URL: Type.Optional(Type.String({ minLength: 1 })),

  /** The first operator, created by `migrate` if both are set and the login does not exist. */
  OPERATOR_LOGIN: Type.Optional(Type.String({ minLength: 1 })),
  OPERATOR_PASSWORD: Type.Optional(Type.String({ minLength: 12 })),
  /** More operators for `migrate` to create, with permission to view and approve: `login:password`, comma-separated. */
  SANDBOX_APPROVERS: Type.Optional(Type.String({ minLength: 1 })),

  /**
   * The mail server for operators' mails, such as `smtps://user:password@mail.example.com`. Without it no mail is sent:
   * mails wait.
   */
  SMTP_URL: Type.Optional(Type.String({ minLength: 1 })),
  /** The sender of the mails. */
  MAIL_FROM: Type.String({ default: 'Causeway <causeway@localhost>' }),
  /**
   * E-mail addresses of this deployment's owners, comma-separated; `migrate` invites each once. Two owners can approve
   * each other's changes.
   */
  OWNER_EMAILS: Type.Optional(Type.String({ minLength: 3 })),
  /**
   * Public keys of Ed25519 (SPKI, DER in base64), comma-separated, two or more: two holders together can invite a new
   * owner (docs/operators.md, "Locked out").
   */
  BREAK_GLASS_KEYS: Type.Optional(Type.String({ minLength: 1 })),
  /** The folder in which the sandbox's own mail server stores the mails. */
  SANDBOX_MAILS: Type.Optional(Type.String({ minLength: 1 })),
  /**
   * Whether a proposer may approve their own change (docs/two-people.md): by default true in a sandbox; refused in
   * production.
   */
  ONE_PERSON_CHANGES: Type.Optional(Type.Boolean()),
  /**
   * Whether approvers must have a passkey and approve by it alone (docs/operators.md): by default true in production,
   * false in a sandbox. Passkeys need a CONSOLE_URL with a name.
   */
  APPROVER_PASSKEYS: Type.Optional(Type.Boolean()),
  /**
   * The identity provider by which operators may log in beside their passwords, such as https://login.example.com: all
   * three or none (docs/operators.md, "Single sign-on"). The secret may be the file OIDC_CLIENT_SECRET_FILE.
   */
  OIDC_ISSUER: Type.Optional(Type.String({ minLength: 1 })),
  OIDC_CLIENT_ID: Type.Optional(Type.String({ minLength: 1 })),
  OIDC_CLIENT_SECRET: Type.Optional(Type.String({ minLength: 1 })),
  /**
   * The claim by which the provider bounds roles, such as groups, and what its values allow:
   * `payments-approvers=approve,finance=treasurer+reconcile`. Both or none; none: no bound.
   */
  OIDC_ROLE_CLAIM: Type.Optional(Type.String({ minLength: 1 })),
  OIDC_ROLES: Type.Optional(Type.String({ minLength: 1 })),
  /**
   * Whether payers and beneficiaries are masked for operators without READ_PERSONAL (docs/personal-data.md): by default
   * where two people are required.
   */
  MASK_PERSONAL: Type.Optional(Type.Boolean()),
  /** Days after which an undecided change expires. */
  CHANGE_EXPIRY_DAYS: Type.Integer({ minimum: 1, maximum: 90, default: 7 }),
  /**
   * For how many hours after a new key, new rules or new callback hosts a merchant's withdrawals need the approval of a
   * person who did not make that change: by default 24 in production, 0 in a sandbox.
   */
  COOLING_HOURS: Type.Optional(Type.Integer({ minimum: 0, maximum: 720 })),
  /** After how many days money that waits for a person may be written off: by default 90, in a sandbox 0. */
  UNCLAIMED_AFTER_DAYS: Type.Optional(Type.Integer({ minimum: 0, maximum: 3650 })),
  /**
   * For how many days an amount of one payer's order goes to another payer only if no other amount is free; a credit of
   * it then waits for a person unless the payer's data agree. By default 3, in a sandbox 0.
   */
  FLOAT_HISTORY_DAYS: Type.Optional(Type.Integer({ minimum: 0, maximum: 90 })),
  /**
   * Sums per UTC day beyond which a second person must decide, by matcher, approver, merchant and beneficiary:
   * `THB=35000:3500000:17500000:700000`, comma-separated. Where two people are required, they override the defaults
   * (domain/authority/day-amounts.ts), and a currency without sums is refused; elsewhere only these apply.
   */
  DAY_AMOUNTS: Type.Optional(Type.String({ minLength: 1 })),

  /**
   * Signed requests of one merchant that one gateway accepts: in a burst, and per second. Further ones get 429.
   */
  MERCHANT_REQUESTS_AT_ONCE: Type.Integer({ minimum: 1, default: 5_000 }),
  MERCHANT_REQUESTS_PER_SECOND: Type.Integer({ minimum: 1, default: 1_000 }),
  /** How long a paid deposit may wait for its credit before new deposits are refused with 503. */
  CREDIT_AGE_LIMIT_SECONDS: Type.Integer({ minimum: 10, default: 120 }),

  /**
   * For how many seconds a gateway or graph continues to serve after SIGTERM, reported as not ready, so that balancers
   * and clients use other processes first: by default 5 in production, 0 in a sandbox.
   */
  DRAIN_SECONDS: Type.Optional(Type.Number({ minimum: 0, maximum: 300 })),

  /**
   * A folder on another disk than the database's, and in no backup of it: roles keep the database's marker there and
   * recognise by it that the database was restored to an earlier state (docs/disaster.md). Roles on several machines
   * may share it. Required in production.
   */
  MARKER_FOLDER: Type.Optional(Type.String({ minLength: 1 })),

  /**
   * Where strangers report vulnerabilities, comma-separated, such as mailto:security@example.com: both listeners name it
   * in /.well-known/security.txt. Unset: there is no such file.
   */
  SECURITY_CONTACT: Type.Optional(Type.String({ minLength: 1 })),

  /** Whether merchants' certificates are verified (contract, "Callback request", TLS). */
  WEBHOOK_SSL_VERIFY: Type.Boolean({ default: true }),

  /**
   * Where the worker keeps the heads of the chain over the postings, a signed line each minute; best on another machine
   * than the database. Without it they are only in the log.
   */
  LEDGER_HEADS_FILE: Type.Optional(Type.String({ minLength: 1 })),

  /**
   * Only in a sandbox: each night, orders without any change for this many days are deleted with everything that
   * belongs to them, and their balances carried forward into a new book (docs/sandbox-purge.md). Unset: nothing is
   * deleted.
   */
  SANDBOX_PURGE_DAYS: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),

  /** A folder that names the steps at which this process must fail (local/failpoint-folder.ts); only for rehearsals. */
  CAUSEWAY_FAILPOINTS: Type.Optional(Type.String({ minLength: 1 })),
});

/** The settings as roles use them. Fields mean what the variables in Settings above say. */
export interface Config {
  readonly environment: 'sandbox' | 'production';
  readonly logLevel: string;
  readonly database: DatabaseSettings;
  readonly temporal: TemporalSettings;
  /** Null: no trace is made. */
  readonly traces: TraceSettings | null;
  readonly workerVersion: 'auto' | 'manual';
  /** Whether workflows keep their call stacks for the Temporal UI. */
  readonly workerStackTraces: boolean;
  readonly workerQueues: readonly WorkerQueue[];
  readonly workerSizes: WorkerSizes;
  /** The namespace's address in the Temporal UI. */
  readonly temporalUi: string | null;
  readonly gateway: { readonly host: string; readonly port: number };
  readonly gatewayProcesses: number;
  readonly graph: { readonly host: string; readonly port: number };
  readonly trustedProxies: readonly string[];
  /** Without a trailing slash. */
  readonly consoleUrl: string;
  /** Without a trailing slash; null: the runbook is only named. */
  readonly runbookUrl: string | null;
  readonly gatewayMetrics: { readonly host: string; readonly port: number };
  /** Null: on the graph's own listener. */
  readonly graphMetrics: { readonly host: string; readonly port: number } | null;
  readonly workerMetrics: { readonly host: string; readonly port: number };
  /** Null: only in the log. */
  readonly ledgerHeadsFile: string | null;
  /** Null: no purge. */
  readonly purgeDays: number | null;
  readonly keys: Keys;
  /** Without a trailing slash; a token follows it. */
  readonly cashierUrl: string;
  /** Without a trailing slash; a route of the REST API follows it. */
  readonly merchantApiUrl: string;
  /** The operators that `migrate` creates: the first has all permissions, the others may view and approve. */
  readonly firstOperators: readonly {
    readonly login: string;
    readonly password: string;
    readonly roles: readonly string[];
  }[];
  /** Null: no mail is sent; mails wait. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | null;
  readonly ownerEmails: readonly string[];
  /** The public keys of those who can invite a person from outside the console. */
  readonly breakGlassKeys: readonly KeyObject[];
  readonly sandboxMails: string | null;
  readonly approverPasskeys: boolean;
  /** Null: passwords alone. */
  readonly oidc: (Omit<OidcSettings, 'clientSecret'> & { readonly clientSecret: string | null }) | null;
  readonly maskPersonal: boolean;
  /** How changes are decided. Periods in milliseconds. */
  readonly changes: {
    readonly onePerson: boolean;
    readonly expiryMs: number;
    readonly coolingMs: number;
    readonly unclaimedAfterMs: number;
    readonly floatHistoryDays: number;
    readonly dayLimits: DayLimits;
  };
  readonly merchantAllowance: { readonly atOnce: number; readonly perSecond: number };
  readonly creditAgeLimitMs: number;
  readonly drainMs: number;
  /** Null: only running roles recognise a database that was restored. */
  readonly markerFolder: string | null;
  /** None: no security.txt. */
  readonly securityContacts: readonly string[];
  readonly webhookSslVerify: boolean;
  /** Null if no failure is rehearsed. */
  readonly failpoints: string | null;
}

const HOUR_MS = 3_600_000;

/** @throws if one is not `login:password` */
function approvers(text: string | undefined): Config['firstOperators'] {
  return (text?.split(',') ?? []).map((pair) => {
    const [, login, password] = /^([^:]+):(.{12,})$/.exec(pair) ?? [];
    if (login === undefined || password === undefined)
      throw new Error('SANDBOX_APPROVERS must be login:password, comma-separated');
    return { login, password, roles: ['approve', 'read_personal'] };
  });
}

/** @throws if one is not a key, if two are equal, or if there is only one */
function holderKeys(text: string | undefined): readonly KeyObject[] {
  const keys = (text?.split(',') ?? []).map((key) => key.trim());
  if (keys.length === 1 || new Set(keys).size < keys.length)
    throw new Error('BREAK_GLASS_KEYS must be two different keys, or more');
  try {
    return keys.map(readEd25519Key);
  } catch {
    throw new Error('BREAK_GLASS_KEYS must be public keys of Ed25519: SPKI, DER in base64');
  }
}

/** @throws if passkeys are required and the console's address is an IP address: no browser makes a passkey there */
function approverPasskeysOf(
  set: boolean | undefined,
  environment: Config['environment'],
  consoleUrl: string | undefined,
): boolean {
  const wanted = set ?? environment === 'production';
  const host = URL.canParse(consoleUrl ?? '') ? new URL(consoleUrl ?? '').hostname : '';
  if (wanted && isIP(host.replaceAll(/[[\]]/g, '')) !== 0)
    throw new Error('CONSOLE_URL must have a name, not an address: APPROVER_PASSKEYS needs it');
  return wanted;
}

/**
 * The secret is the graph's alone: other processes may lack it (roles/graph.ts).
 * @throws where a part is missing, or the provider is reached without TLS and is not on this machine
 */
function oidcOf(s: Static<typeof Settings>): Config['oidc'] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = s;
  const { OIDC_ROLE_CLAIM: claim, OIDC_ROLES: roles } = s;
  if ((claim === undefined) !== (roles === undefined))
    throw new Error('OIDC_ROLE_CLAIM and OIDC_ROLES must both be set');
  if (issuer === undefined || clientId === undefined) {
    if ([issuer, clientId, secret, claim].some((one) => one !== undefined))
      throw new Error('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must all be set');
    return null;
  }
  // As it was given: a provider may end its name with a slash.
  publicAddress('OIDC_ISSUER', issuer);
  const bound = claim !== undefined && roles !== undefined;
  return {
    issuer,
    clientId,
    clientSecret: secret ?? null,
    roles: bound ? { claim, mapping: readRoleMapping(roles) } : null,
  };
}

/** The sums of a day: if one person suffices, only those that are set; otherwise the defaults too. */
function dayLimitsOf(text: string | undefined, onePerson: boolean): DayLimits {
  const set = text === undefined ? null : readDayLimits(text);
  return onePerson ? set : { ...DEFAULT_DAY_LIMITS, ...set };
}

/** Reads the settings. @throws with the setting's name if one is missing or wrong */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const s = envSchema<Static<typeof Settings>>({ schema: Settings, data: env, dotenv: false });
  refuseUnverified(env);
  if (s.CAUSEWAY_ENV === 'production') refuseUnsafe(s);
  const { OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password, GRAPH_METRICS_PORT: graphMetrics } = s;
  if ((login === undefined) !== (password === undefined))
    throw new Error('OPERATOR_LOGIN and OPERATOR_PASSWORD must both be set');
  const cashierUrl = publicAddress('CASHIER_URL', s.CASHIER_URL ?? `http://127.0.0.1:${s.GATEWAY_PORT}/cashier`);
  return {
    environment: s.CAUSEWAY_ENV,
    logLevel: s.LOG_LEVEL,
    database: databaseOf(s),
    temporal: temporalOf(s),
    traces: traceSettingsOf(s),
    workerVersion: s.WORKER_VERSION,
    workerStackTraces: s.WORKER_STACK_TRACES,
    workerQueues: s.WORKER_QUEUES === undefined ? WORKER_QUEUES : readWorkerQueues(s.WORKER_QUEUES),
    workerSizes: workerSizesOf(s),
    temporalUi:
      s.TEMPORAL_UI_URL === undefined
        ? null
        : `${s.TEMPORAL_UI_URL.replace(/\/$/, '')}/namespaces/${s.TEMPORAL_NAMESPACE}`,
    gateway: { host: s.GATEWAY_HOST, port: s.GATEWAY_PORT },
    gatewayProcesses: s.GATEWAY_PROCESSES,
    graph: { host: s.GRAPH_HOST, port: s.GRAPH_PORT },
    trustedProxies: proxiesOf(s.TRUSTED_PROXIES),
    consoleUrl: publicAddress('CONSOLE_URL', s.CONSOLE_URL ?? `http://127.0.0.1:${s.GRAPH_PORT}/console`),
    runbookUrl: s.RUNBOOK_URL === undefined ? null : publicAddress('RUNBOOK_URL', s.RUNBOOK_URL),
    gatewayMetrics: { host: s.METRICS_HOST, port: s.GATEWAY_METRICS_PORT },
    graphMetrics:
      graphMetrics === undefined && s.CAUSEWAY_ENV === 'sandbox'
        ? null
        : { host: s.METRICS_HOST, port: graphMetrics ?? 0 },
    workerMetrics: { host: s.METRICS_HOST, port: s.WORKER_METRICS_PORT },
    ledgerHeadsFile: s.LEDGER_HEADS_FILE ?? null,
    purgeDays: s.SANDBOX_PURGE_DAYS ?? null,
    keys: readKeys(s, s.CAUSEWAY_ENV === 'production'),
    cashierUrl,
    merchantApiUrl: publicAddress(
      'MERCHANT_API_URL',
      s.MERCHANT_API_URL ?? new URL('/api/v1/merchant', cashierUrl).href,
    ),
    firstOperators: [
      ...(login !== undefined && password !== undefined
        ? [{ login, password, roles: Object.keys(BUILT_IN_ROLES) }]
        : []),
      ...approvers(s.SANDBOX_APPROVERS),
    ],
    mail: s.SMTP_URL === undefined ? null : { smtpUrl: s.SMTP_URL, from: s.MAIL_FROM },
    ownerEmails: (s.OWNER_EMAILS?.split(',') ?? []).map((email) => email.trim()),
    breakGlassKeys: holderKeys(s.BREAK_GLASS_KEYS),
    sandboxMails: s.SANDBOX_MAILS ?? null,
    oidc: oidcOf(s),
    approverPasskeys: approverPasskeysOf(s.APPROVER_PASSKEYS, s.CAUSEWAY_ENV, s.CONSOLE_URL),
    maskPersonal: s.MASK_PERSONAL ?? !(s.ONE_PERSON_CHANGES ?? s.CAUSEWAY_ENV === 'sandbox'),
    changes: {
      onePerson: s.ONE_PERSON_CHANGES ?? s.CAUSEWAY_ENV === 'sandbox',
      expiryMs: s.CHANGE_EXPIRY_DAYS * 24 * HOUR_MS,
      coolingMs: (s.COOLING_HOURS ?? (s.CAUSEWAY_ENV === 'sandbox' ? 0 : 24)) * HOUR_MS,
      floatHistoryDays: s.FLOAT_HISTORY_DAYS ?? (s.CAUSEWAY_ENV === 'sandbox' ? 0 : 3),
      unclaimedAfterMs: (s.UNCLAIMED_AFTER_DAYS ?? (s.CAUSEWAY_ENV === 'sandbox' ? 0 : 90)) * 24 * HOUR_MS,
      dayLimits: dayLimitsOf(s.DAY_AMOUNTS, s.ONE_PERSON_CHANGES ?? s.CAUSEWAY_ENV === 'sandbox'),
    },
    merchantAllowance: {
      atOnce: s.MERCHANT_REQUESTS_AT_ONCE,
      perSecond: s.MERCHANT_REQUESTS_PER_SECOND,
    },
    drainMs: (s.DRAIN_SECONDS ?? (s.CAUSEWAY_ENV === 'sandbox' ? 0 : 5)) * 1_000,
    creditAgeLimitMs: s.CREDIT_AGE_LIMIT_SECONDS * 1_000,
    markerFolder: s.MARKER_FOLDER ?? null,
    securityContacts: readSecurityContacts(s.SECURITY_CONTACT),
    webhookSslVerify: s.WEBHOOK_SSL_VERIFY,
    failpoints: s.CAUSEWAY_FAILPOINTS ?? null,
  };
}
