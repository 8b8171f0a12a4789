import { DEFAULT_DAY_LIMITS } from '../domain/authority/day-amounts';
import { readConfig } from '../config';

const key = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
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
};

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
  ])('refuses %s=%s', (name, value) => {
    expect(() => readConfig({ ...enough, [name]: value })).toThrow();
  });

  it('purges nothing unless a sandbox sets a number of days', () => {
    const days = (env: Record<string, string>): unknown =>
      readConfig({ ...enough, ...env }).purgeDays;
    expect(days({})).toBeNull();
    expect(days({ SANDBOX_PURGE_DAYS: '30' })).toBe(30);
    expect(() => days({ SANDBOX_PURGE_DAYS: '0' })).toThrow('SANDBOX_PURGE_DAYS');
    const production = { CAUSEWAY_ENV: 'production', ...mailed };
    expect(days(production)).toBeNull();
    expect(() => days({ ...production, SANDBOX_PURGE_DAYS: '30' })).toThrow('SANDBOX_PURGE_DAYS');
  });

  it('requires two people and a cooling day in production, and neither in a sandbox', () => {
    const changes = (env: Record<string, string>): unknown =>
      readConfig({ ...enough, ...env }).changes;
    const week = 7 * 86_400_000;
    expect(changes({})).toEqual({
      ...{ onePerson: true, expiryMs: week, coolingMs: 0, dayLimits: null },
      ...{ floatHistoryDays: 0, unclaimedAfterMs: 0 },
    });
    expect(changes({ ONE_PERSON_CHANGES: 'false' })).toMatchObject({ onePerson: false });
    const production = { CAUSEWAY_ENV: 'production', ...mailed };
    const day = 86_400_000;
    expect(changes(production)).toEqual({
      ...{ onePerson: false, expiryMs: week, coolingMs: day, dayLimits: DEFAULT_DAY_LIMITS },
      ...{ floatHistoryDays: 3, unclaimedAfterMs: 90 * day },
    });
    expect(() => changes({ ...production, ONE_PERSON_CHANGES: 'true' })).toThrow(
      'ONE_PERSON_CHANGES',
    );
  });

  it.each(['SMTP_URL', 'CONSOLE_URL', 'MARKER_FOLDER'])('refuses production without %s', (name) => {
    expect(() =>
      readConfig({ ...enough, ...mailed, CAUSEWAY_ENV: 'production', [name]: undefined }),
    ).toThrow(name);
  });

  it('refuses production without certificate checks, with a message', () => {
    expect(() =>
      readConfig({ ...enough, ...mailed, CAUSEWAY_ENV: 'production', WEBHOOK_SSL_VERIFY: 'false' }),
    ).toThrow('WEBHOOK_SSL_VERIFY');
  });
});
