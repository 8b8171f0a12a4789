import { generateKeyPairSync, hash } from 'node:crypto';
import { DEFAULT_DAY_LIMITS } from '../domain/authority/day-amounts';
import { readConfig } from '../config';
import { requireAuditKey } from '../roles/secrets';
import { withSecrets } from '../runtime/secret-settings';
import { readDatabase } from '../runtime/server-settings';
import { DEFAULT_SIZES, WORKER_SETTINGS, type WorkerSizes } from '../runtime/worker-settings';
import { certificate, certificateFile } from './support/certificates';

/** Different keys that look random, the same in each run. */
const key = (n: number): string => hash('sha256', `a key of tests ${n}`, 'base64');
const enough = {
  CAUSEWAY_ENV: 'sandbox',
  DATABASE_URL: 'postgres://localhost/causeway',
  CAUSEWAY_LOOKUP_KEY: key(1),
  CAUSEWAY_ENCRYPTION_KEY: key(2),
  CASHIER_TOKEN_SECRET: key(3),
};

/** Settings that production also requires. */
const mailed = {
  SMTP_URL: 'smtps://mail.example.com',
  CONSOLE_URL: 'https://ops.example.com/console',
  CASHIER_URL: 'https://pay.example.com/cashier',
  MARKER_FOLDER: '/var/lib/causeway/marker',
  TRUSTED_PROXIES: '10.0.0.0/8',
};

/** TLS with all defaults. */
const PLAINLY = { ca: null, client: null, serverName: null };

describe('the configuration', () => {
  it('has defaults for all except the environment, the database and the secrets', () => {
    expect(readConfig(enough)).toMatchObject({
      environment: 'sandbox',
      webhookSslVerify: true,
      gateway: { host: '127.0.0.1', port: 8080 },
      workerMetrics: { host: '127.0.0.1', port: 0 },
      firstOperators: [],
    });
  });

  it('lets a worker serve all queues, or some', () => {
    expect(readConfig(enough).workerQueues).toHaveLength(6);
    const some = { ...enough, WORKER_QUEUES: 'payouts, callbacks' };
    expect(readConfig(some).workerQueues).toEqual(['payouts', 'callbacks']);
  });

  it('lets a worker do more or less at once than by default', () => {
    expect(readConfig(enough).workerSizes).toEqual({
      callbackSlots: 500,
      payoutSlots: 200,
      channelDepositSlots: 200,
      backgroundSlots: 8,
      orderTasks: 8,
      cachedOrders: 1_000,
      cachedWithdrawals: 500,
      pollers: 10,
    });
    expect(readConfig(enough).workerSizes).toEqual(DEFAULT_SIZES);
    // Each setting changes one size, and nothing else.
    const names = Object.keys(WORKER_SETTINGS);
    const changed = names.map((name) => {
      const sizes = readConfig({ ...enough, [name]: '7' }).workerSizes;
      const differs = Object.entries(sizes).filter(
        ([size, value]) => value !== DEFAULT_SIZES[size as keyof WorkerSizes],
      );
      expect(differs).toEqual([[expect.any(String), 7]]);
      return differs[0]?.[0];
    });
    expect(new Set(changed).size).toBe(names.length);
    for (const name of names) expect(() => readConfig({ ...enough, [name]: '0' })).toThrow(name);
  });

  it.each([...Object.keys(enough)])('names %s when it is missing', (name) => {
    expect(() => readConfig({ ...enough, [name]: undefined })).toThrow(name);
  });

  it.each([
    ['CAUSEWAY_ENCRYPTION_KEY', 'c2hvcnQ='],
    ['GATEWAY_PORT', '65536'],
    ['GATEWAY_PORT', 'http'],
    ['WORKER_METRICS_PORT', '-1'],
    ['CAUSEWAY_ENV', 'staging'],
    ['CAUSEWAY_LOOKUP_KEY', key(2)],
    ['OPERATOR_LOGIN', 'admin'],
    ['LOG_LEVEL', 'chatty'],
    ['CONSOLE_URL', 'http://ops.example.com/console'],
    ['CONSOLE_URL', 'ops.example.com'],
    ['OPERATOR_PASSWORD', 'short'],
    ['WORKER_QUEUES', 'orders,nobody'],
    ['WORKER_QUEUES', 'orders,orders'],
    ['SECURITY_CONTACT', 'security@example.com'],
    ['SECURITY_CONTACT', 'http://example.com/security'],
    ['SECURITY_CONTACT', 'mailto:security@example.com,'],
    ['SECURITY_CONTACT', 'mailto:security@example.com\nExpires: never'],
  ])('refuses %s=%s', (name, value) => {
    expect(() => readConfig({ ...enough, [name]: value })).toThrow();
  });

  it('takes two holders’ keys, or none', () => {
    const holder = (): string =>
      generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    const keys = (text?: string): unknown =>
      readConfig({ ...enough, ...(text !== undefined && { BREAK_GLASS_KEYS: text }) }).breakGlassKeys;
    const [one, two] = [holder(), holder()];
    expect(keys()).toEqual([]);
    expect(keys(`${one}, ${two}`)).toHaveLength(2);
    for (const wrong of [one, `${one},${one}`, `${one},no key`, `${one},`])
      expect(() => keys(wrong)).toThrow('BREAK_GLASS_KEYS');
  });

  it('shows merchants the REST API at the host of the cashier, unless set otherwise', () => {
    const shown = (env: Record<string, string>): string => readConfig({ ...enough, ...env }).merchantApiUrl;
    expect(shown({})).toBe('http://127.0.0.1:8080/api/v1/merchant');
    const CASHIER_URL = 'https://pay.example.com/cashier';
    expect(shown({ CASHIER_URL })).toBe('https://pay.example.com/api/v1/merchant');
    const MERCHANT_API_URL = 'https://api.example.com/api/v1/merchant/';
    expect(shown({ CASHIER_URL, MERCHANT_API_URL })).toBe('https://api.example.com/api/v1/merchant');
  });

  it('reads the address for reports of vulnerabilities, if set', () => {
    const contacts = (SECURITY_CONTACT?: string): unknown =>
      readConfig({ ...enough, ...(SECURITY_CONTACT !== undefined && { SECURITY_CONTACT }) }).securityContacts;
    expect(contacts()).toEqual([]);
    expect(contacts('mailto:security@example.com, https://example.com/security')).toEqual([
      'mailto:security@example.com',
      'https://example.com/security',
    ]);
  });

  it('purges nothing unless a sandbox sets a number of days', () => {
    const days = (env: Record<string, string>): unknown => readConfig({ ...enough, ...env }).purgeDays;
    expect(days({})).toBeNull();
    expect(days({ SANDBOX_PURGE_DAYS: '30' })).toBe(30);
    expect(() => days({ SANDBOX_PURGE_DAYS: '0' })).toThrow('SANDBOX_PURGE_DAYS');
    const production = { CAUSEWAY_ENV: 'production', ...mailed };
    expect(days(production)).toBeNull();
    expect(() => days({ ...production, SANDBOX_PURGE_DAYS: '30' })).toThrow('SANDBOX_PURGE_DAYS');
  });

  it('requires two people and a cooling day in production, and neither in a sandbox', () => {
    const changes = (env: Record<string, string>): unknown => readConfig({ ...enough, ...env }).changes;
    const week = 7 * 86_400_000;
    expect(changes({})).toEqual({
      onePerson: true,
      expiryMs: week,
      coolingMs: 0,
      dayLimits: null,
      floatHistoryDays: 0,
      unclaimedAfterMs: 0,
    });
    expect(changes({ ONE_PERSON_CHANGES: 'false' })).toMatchObject({ onePerson: false });
    const production = { CAUSEWAY_ENV: 'production', ...mailed };
    const day = 86_400_000;
    expect(changes(production)).toEqual({
      onePerson: false,
      expiryMs: week,
      coolingMs: day,
      dayLimits: DEFAULT_DAY_LIMITS,
      floatHistoryDays: 3,
      unclaimedAfterMs: 90 * day,
    });
    expect(() => changes({ ...production, ONE_PERSON_CHANGES: 'true' })).toThrow('ONE_PERSON_CHANGES');
  });

  it('masks payers and beneficiaries where two people are required', () => {
    const masks = (env: Record<string, string>): boolean => readConfig({ ...enough, ...env }).maskPersonal;
    expect(masks({})).toBe(false);
    expect(masks({ ONE_PERSON_CHANGES: 'false' })).toBe(true);
    expect(masks({ ONE_PERSON_CHANGES: 'false', MASK_PERSONAL: 'false' })).toBe(false);
    expect(masks({ MASK_PERSONAL: 'true' })).toBe(true);
    expect(masks({ CAUSEWAY_ENV: 'production', ...mailed })).toBe(true);
  });

  it('asks approvers for passkeys in production, where the console has a name', () => {
    const asks = (env: Record<string, string>): boolean => readConfig({ ...enough, ...env }).approverPasskeys;
    const production = { CAUSEWAY_ENV: 'production', ...mailed };
    expect(asks({})).toBe(false);
    expect(asks({ APPROVER_PASSKEYS: 'true' })).toBe(true);
    expect(asks(production)).toBe(true);
    const byAddress = { ...production, CONSOLE_URL: 'https://192.0.2.1/console' };
    expect(() => asks(byAddress)).toThrow('CONSOLE_URL must have a name');
    expect(() => asks({ ...byAddress, CONSOLE_URL: 'https://[2001:db8::1]/console' })).toThrow(
      'CONSOLE_URL must have a name',
    );
    expect(asks({ ...byAddress, APPROVER_PASSKEYS: 'false' })).toBe(false);
  });

  it('reads an identity provider, and none by default', () => {
    const oidc = (env: Record<string, string>) => readConfig({ ...enough, ...env }).oidc;
    const given = { OIDC_ISSUER: 'https://login.example.com/', OIDC_CLIENT_ID: 'causeway' };
    const bound = { OIDC_ROLE_CLAIM: 'groups', OIDC_ROLES: 'pay=approve,fin=treasurer+reconcile' };
    expect(oidc({})).toBeNull();
    expect(oidc({ ...given, OIDC_CLIENT_SECRET: 'x', ...bound })).toEqual({
      issuer: 'https://login.example.com/',
      clientId: 'causeway',
      clientSecret: 'x',
      roles: {
        claim: 'groups',
        mapping: new Map([
          ['pay', ['approve']],
          ['fin', ['treasurer', 'reconcile']],
        ]),
      },
    });
    // The secret is the graph's alone.
    expect(oidc(given)).toMatchObject({ clientSecret: null, roles: null });
    for (const [env, why] of [
      [{ OIDC_ISSUER: given.OIDC_ISSUER }, 'must all be set'],
      [{ OIDC_CLIENT_SECRET: 'x' }, 'must all be set'],
      [{ ...given, OIDC_ISSUER: 'http://login.example.com' }, 'must be https'],
      [{ ...given, OIDC_ROLE_CLAIM: 'groups' }, 'must both be set'],
      [{ ...given, ...bound, OIDC_ROLES: 'pay' }, 'OIDC_ROLES must be such as'],
      [{ ...given, ...bound, OIDC_ROLES: 'pay=a1,pay=b1' }, 'OIDC_ROLES must be such as'],
    ] as const)
      expect(() => oidc(env)).toThrow(why);
  });

  it.each(['SMTP_URL', 'CONSOLE_URL', 'MARKER_FOLDER', 'TRUSTED_PROXIES'])('refuses production without %s', (name) => {
    expect(() => readConfig({ ...enough, ...mailed, CAUSEWAY_ENV: 'production', [name]: undefined })).toThrow(name);
  });

  it.each([
    ...['0.0.0.0/0', '::/0', '10.0.0.0/0', '0.0.0.0/0.0.0.0', '0.0.0.0/1,128.0.0.0/1'],
    ...['128.0.0.0/1', '64.0.0.0/2, 10.0.0.0/8', '::/1,8000::/1', '2000::/3', '::ffff:0:0/96'],
    ...['0.0.0.0/128.0.0.0', '16.0.0.0/4', '10.0.0.0/8,proxy'],
  ])('refuses production that takes the word of %s', (TRUSTED_PROXIES) => {
    const unsafe = { ...enough, ...mailed, CAUSEWAY_ENV: 'production', TRUSTED_PROXIES };
    expect(() => readConfig(unsafe)).toThrow('TRUSTED_PROXIES');
  });

  it.each(['uniquelocal, loopback', '10.0.0.0/8,fc00::/7', '104.16.0.0/13,2606:4700::/32'])(
    'takes the proxies %s in production',
    (TRUSTED_PROXIES) => {
      const safe = { ...enough, ...mailed, CAUSEWAY_ENV: 'production', TRUSTED_PROXIES };
      expect(readConfig(safe).trustedProxies).toHaveLength(2);
    },
  );

  it('refuses production without certificate checks of Node.js, before a secret is fetched', async () => {
    const unsafe = { ...mailed, CAUSEWAY_ENV: 'production', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
    expect(() => readConfig({ ...enough, ...unsafe })).toThrow('NODE_TLS_REJECT_UNAUTHORIZED');
    await expect(withSecrets({ ...enough, ...unsafe })).rejects.toThrow('NODE_TLS_REJECT_UNAUTHORIZED');
    expect(() => readConfig({ ...enough, NODE_TLS_REJECT_UNAUTHORIZED: '0' })).not.toThrow();
    expect(() => readConfig({ ...enough, ...unsafe, CAUSEWAY_ENV: 'sandbox' })).not.toThrow();
  });

  it('requires a key of the audit log in production, of each process that writes it', () => {
    const production = { ...enough, ...mailed, CAUSEWAY_ENV: 'production' };
    const require = (env: Record<string, string>) => () => {
      requireAuditKey(readConfig(env));
    };
    expect(require(production)).toThrow('production requires CAUSEWAY_AUDIT_KEY');
    expect(require({ ...production, CAUSEWAY_AUDIT_KEY: key(4) })).not.toThrow();
    expect(require(enough)).not.toThrow();
    expect(require({ ...production, CAUSEWAY_KEYS: 'QUJD' })).toThrow('CAUSEWAY_KEYS must be 32 bytes');
  });

  it('serves the metrics of a graph in production on a port of their own', () => {
    const production = { ...enough, ...mailed, CAUSEWAY_ENV: 'production' };
    const port = (env: Record<string, string>) => readConfig(env).graphMetrics?.port;
    expect(port(production)).toBe(0);
    expect(port({ ...production, GRAPH_METRICS_PORT: '4003' })).toBe(4003);
    expect(port(enough)).toBeUndefined();
  });

  it('refuses production without a cooling period', () => {
    const production = { ...enough, ...mailed, CAUSEWAY_ENV: 'production' };
    expect(() => readConfig({ ...production, COOLING_HOURS: '0' })).toThrow('COOLING_HOURS');
    expect(readConfig({ ...production, COOLING_HOURS: '1' }).changes.coolingMs).toBe(3_600_000);
  });

  it('refuses production that does not set how connections to other machines are encrypted', () => {
    const read = (env: Record<string, string>) => () =>
      readConfig({ ...enough, ...mailed, CAUSEWAY_ENV: 'production', ...env });
    const DATABASE_URL = 'postgres://causeway@db.example.com/causeway';
    expect(read({ DATABASE_URL })).toThrow('DATABASE_TLS');
    expect(read({ DATABASE_URL: `${DATABASE_URL}?sslmode=require` })).toThrow('DATABASE_TLS');
    expect(read({ DATABASE_URL: `${DATABASE_URL}?sslmode=verify-full` })().database.tls).toBeNull();
    expect(read({ DATABASE_URL, DATABASE_TLS: 'false' })().database.tls).toBe(false);
    const TEMPORAL_ADDRESS = 'temporal.example.com:7233';
    expect(read({ TEMPORAL_ADDRESS })).toThrow('TEMPORAL_TLS');
    expect(read({ TEMPORAL_ADDRESS, TEMPORAL_TLS: 'false' })().temporal.tls).toBeNull();
    expect(read({ TEMPORAL_ADDRESS, TEMPORAL_TLS: 'true' })().temporal.tls).toEqual(PLAINLY);
    expect(() => readConfig({ ...enough, DATABASE_URL, TEMPORAL_ADDRESS })).not.toThrow();
  });

  it('reads TLS from files, and any of its settings turns it on', () => {
    const authority = certificateFile('authority.pem');
    const own = {
      DATABASE_TLS_CERT_FILE: certificateFile('client.pem'),
      DATABASE_TLS_KEY_FILE: certificateFile('client.key'),
    };
    expect(readConfig(enough).database.tls).toBeNull();
    expect(readConfig({ ...enough, DATABASE_TLS: 'true' }).database.tls).toEqual(PLAINLY);
    const all = { ...own, DATABASE_TLS_CA_FILE: authority, DATABASE_TLS_SERVER_NAME: 'db.test' };
    const read = {
      ca: certificate('authority.pem'),
      client: { cert: certificate('client.pem'), key: certificate('client.key') },
      serverName: 'db.test',
    };
    expect(readConfig({ ...enough, ...all }).database.tls).toEqual(read);
    expect(readDatabase({ ...all, DATABASE_TLS: 'true' }, 'postgres://b').tls).toEqual(read);
    const { temporal } = readConfig({ ...enough, TEMPORAL_TLS_CA_FILE: authority });
    expect(temporal.tls).toEqual({ ...PLAINLY, ca: read.ca });
    expect(readConfig({ ...enough, TEMPORAL_API_KEY: 'a-key' }).temporal).toMatchObject({
      apiKey: 'a-key',
      tls: PLAINLY,
    });
  });

  it.each([
    [{ DATABASE_TLS: 'false', DATABASE_TLS_SERVER_NAME: 'db.test' }, 'DATABASE_TLS=false'],
    [{ DATABASE_TLS_CERT_FILE: certificateFile('client.pem') }, 'DATABASE_TLS_KEY_FILE'],
    [{ TEMPORAL_TLS_CA_FILE: '/nowhere.pem' }, 'TEMPORAL_TLS_CA_FILE: /nowhere.pem'],
    [{ TEMPORAL_TLS_CA_FILE: __filename }, 'must be PEM'],
    [{ TEMPORAL_TLS: 'false', TEMPORAL_API_KEY: 'a-key' }, 'TEMPORAL_TLS=false'],
  ])('refuses %j', (env, why) => {
    expect(() => readConfig({ ...enough, ...env })).toThrow(why);
  });

  it('limits the connections of a process, and reads whether there is a pooler', () => {
    const url = enough.DATABASE_URL;
    expect(readConfig(enough).database).toEqual({
      url,
      tls: null,
      pooler: false,
      max: 16,
      transactions: 8,
      readers: 4,
    });
    const env = {
      DATABASE_POOLER: 'true',
      DATABASE_CONNECTIONS: '5',
      DATABASE_TRANSACTIONS: '3',
      DATABASE_READERS: '2',
    };
    expect(readConfig({ ...enough, ...env }).database).toEqual({
      url,
      tls: null,
      pooler: true,
      max: 5,
      transactions: 3,
      readers: 2,
    });
    expect(() => readConfig({ ...enough, DATABASE_READERS: '0' })).toThrow('DATABASE_READERS');
  });

  it('serves the metrics of the graph beside GraphQL, unless they have a port', () => {
    expect(readConfig(enough).graphMetrics).toBeNull();
    const env = { ...enough, GRAPH_METRICS_PORT: '4003', METRICS_HOST: '10.0.0.1' };
    expect(readConfig(env).graphMetrics).toEqual({ host: '10.0.0.1', port: 4003 });
  });

  it('refuses production without certificate checks, with a message', () => {
    expect(() => readConfig({ ...enough, ...mailed, CAUSEWAY_ENV: 'production', WEBHOOK_SSL_VERIFY: 'false' })).toThrow(
      'WEBHOOK_SSL_VERIFY',
    );
  });
});
