import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { type Database, openDatabase } from '../db/client';
import { LIMITS } from '../domain/limits';
import { OperatorClient } from '../local/operator-client';
import { roleEnvironment } from '../local/role-environment';
import { Roles } from '../local/roles';
import { loadSecrets } from '../local/secrets';
import type { Watched } from './cpu';
import { type Needs, openServers, type PID_FOLDERS, type Servers, watch } from './servers';

/** A merchant of the bench and its key. */
export interface BenchMerchant {
  readonly id: string;
  readonly merchantCode: string;
  readonly apiKey: string;
}

/** A process of the testbed. */
export interface Started {
  /** The address it serves at; empty if it has none. */
  readonly url: string;
  readonly watched: readonly Watched[];
}

/** The currency of everything in a bench. */
export const CURRENCY = 'THB';
const REASON = 'bench';

/** A merchant who may have any number of open deposits, as `CreateMerchant` takes it. */
export const merchantInput = (depositExpireMinutes: number, poolId?: string): Record<string, unknown> => ({
  merchantCode: `B${randomBytes(6).toString('hex')}`,
  name: 'Bench merchant',
  currencies: [
    {
      currencyCode: CURRENCY,
      depositFee: { percent: '1.5' },
      ...(poolId !== undefined && { poolId }),
      cashierAmounts: { denominations: ['100', '500'], customMin: '50', customMax: '5000' },
    },
  ],
  settings: {
    allowInsecureCallbacks: true,
    depositExpireMinutes,
    maxOpenDeposits: LIMITS.openDeposits.max,
    maxOpenDepositsPerUser: LIMITS.openDeposits.max,
  },
});

/** A managed account that takes any number of deposits, as `CreateBankAccount` takes it. */
export const accountInput = (n: number): Record<string, unknown> => ({
  name: `Bench ${n}`,
  bankCode: 'KBANK',
  bankName: 'Kasikornbank',
  accountNo: randomBytes(8).toString('hex'),
  accountHolder: 'Causeway Bench',
  currencyCode: CURRENCY,
  limits: { maxOpenDeposits: LIMITS.openDeposits.max },
});

const MAIN = path.join(__dirname, '..', 'main.js');

/** The platform as production runs it, each role a process, on servers of its own. */
export class Testbed {
  private readonly running: Roles[] = [];
  private readonly kept = new Map<string, Started>();

  private constructor(
    readonly servers: Servers,
    readonly database: Database,
    /** The settings with which every role of this testbed starts. */
    readonly env: NodeJS.ProcessEnv,
    private readonly operator: OperatorClient,
    private readonly keepsRoles: boolean,
    /** A platform of the same kind, on servers of its own. The caller closes it. */
    readonly another: () => Promise<Testbed>,
  ) {}

  /** The token of its own login. */
  async token(): Promise<string> {
    const login = this.env['OPERATOR_LOGIN'] ?? '';
    const password = this.env['OPERATOR_PASSWORD'] ?? '';
    const { token } = await this.operator.run<{ token: string }>('Login', { login, password });
    return token;
  }

  /**
   * @param folder of its servers' data
   * @param profiles each process writes a CPU profile into this folder when it ends
   * @param keepsRoles a role that one bench started serves later ones too: then no figure is valid
   */
  static async open(needs: Needs, folder: string, profiles: string | undefined, keepsRoles = false): Promise<Testbed> {
    const servers = await openServers(needs, process.env, folder);
    const env = environmentOf(servers, profiles);
    const database = openDatabase({ url: servers.databaseUrl, applicationName: 'causeway-bench' });
    const roles = rolesOf(servers, env, 'operator', MAIN);
    try {
      await roles.runToEnd('migrate');
      const url = await roles.start('graph');
      const operator = new OperatorClient(`${url ?? ''}/graphql`);
      await operator.login(env['OPERATOR_LOGIN'] ?? '', env['OPERATOR_PASSWORD'] ?? '');
      // Counts statements, if the server has the extension; an external server may lack it.
      if (needs.countStatements)
        await database.sql`create extension if not exists pg_stat_statements`.catch(() => undefined);
      const another = async (): Promise<Testbed> => await Testbed.open(needs, `${folder}-beside`, profiles, keepsRoles);
      const testbed = new Testbed(servers, database, env, operator, keepsRoles, another);
      testbed.running.push(roles);
      return testbed;
    } catch (error) {
      await roles.stop();
      await database.close();
      await servers.close();
      throw error;
    }
  }

  /** Starts a role of the platform. */
  async startRole(role: 'gateway' | 'graph' | 'worker'): Promise<Started> {
    return await this.once(role, async () => await this.start('platform', MAIN, role));
  }

  /** Starts another process of a role; the caller stops it. */
  async startAnother(role: 'gateway' | 'worker'): Promise<Started & { stop(): Promise<void> }> {
    const roles = rolesOf(this.servers, this.env, 'another', MAIN);
    this.running.push(roles);
    const url = (await roles.start(role)) ?? '';
    const pidFile = path.join(this.servers.folder, 'another', `${role}.pid`);
    return {
      url,
      watched: watch(`the second ${role}`, pidFile),
      stop: async () => {
        this.running.splice(this.running.indexOf(roles), 1);
        await roles.stop();
      },
    };
  }

  /** Starts the floor for a role: a program of this folder. */
  async startFloor(role: 'gateway' | 'worker'): Promise<Started> {
    const start = async (): Promise<Started> =>
      await this.start('floor', path.join(__dirname, 'floor', `${role}.js`), role);
    // The gateway's floor copies the database at its start.
    return role === 'worker' ? await this.once('floor', start) : await start();
  }

  private async once(name: string, start: () => Promise<Started>): Promise<Started> {
    const started = this.kept.get(name) ?? (await start());
    if (this.keepsRoles) this.kept.set(name, started);
    return started;
  }

  private async start(kind: (typeof PID_FOLDERS)[number], program: string, role: string): Promise<Started> {
    const roles = rolesOf(this.servers, this.env, kind, program);
    this.running.push(roles);
    const url = (await roles.start(role)) ?? '';
    const pidFile = path.join(this.servers.folder, kind, `${role}.pid`);
    // A gateway may have several processes.
    return { url, watched: watch(`the ${role}`, pidFile, role === 'gateway') };
  }

  /** Merchants with a key each, created as an operator would. */
  async merchants(count: number, depositExpireMinutes = 1440): Promise<BenchMerchant[]> {
    const made: BenchMerchant[] = [];
    for (let n = 0; n < count; n++) made.push(await this.merchant(depositExpireMinutes));
    return made;
  }

  private async merchant(depositExpireMinutes: number, poolId?: string): Promise<BenchMerchant> {
    const { merchant } = await this.operator.run<{
      merchant: { id: string; merchantCode: string };
    }>('CreateMerchant', {
      reason: REASON,
      input: merchantInput(depositExpireMinutes, poolId),
    });
    const { apiKey } = await this.operator.run<{ apiKey: string }>('IssueApiKey', {
      merchantId: merchant.id,
      reason: REASON,
    });
    return { ...merchant, apiKey };
  }

  /** Managed accounts that take deposits, created as an operator would. @returns their ids */
  async accounts(count: number): Promise<string[]> {
    const made: string[] = [];
    for (let n = 0; n < count; n++) {
      const { account } = await this.operator.run<{ account: { id: string } }>('CreateBankAccount', {
        reason: REASON,
        input: accountInput(n),
      });
      made.push(account.id);
    }
    return made;
  }

  /** Merchants whose deposits all go to one account with a limit for the day: it is alone in their pool. */
  async crowd(
    count: number,
    maxDailyAmount: string,
  ): Promise<{ readonly merchants: readonly BenchMerchant[]; readonly accountId: string }> {
    const account = accountInput(0);
    const limits = { ...(account['limits'] as object), maxDailyAmount };
    const made = await this.operator.run<{ account: { id: string } }>('CreateBankAccount', {
      reason: REASON,
      input: { ...account, limits },
    });
    const accountId = made.account.id;
    const { pool } = await this.operator.run<{ pool: { id: string } }>('PutPool', {
      reason: REASON,
      input: {
        name: randomBytes(6).toString('hex'),
        currencyCode: CURRENCY,
        accountIds: [accountId],
        channelIds: [],
      },
    });
    const merchants: BenchMerchant[] = [];
    for (let n = 0; n < count; n++) merchants.push(await this.merchant(1440, pool.id));
    return { merchants, accountId };
  }

  /** Puts these routing rules in force for deposits; none: as without rules. */
  async routingRules(rules: readonly Record<string, unknown>[]): Promise<void> {
    await this.operator.run('PutRoutingRules', {
      input: { currencyCode: CURRENCY, orderKind: 'DEPOSIT', rules },
      reason: REASON,
    });
  }

  /** An agent that reports on these accounts. */
  async agent(accountIds: readonly string[]): Promise<{ keyId: string; secret: string }> {
    return await this.operator.run<{ keyId: string; secret: string }>('CreateAgentKey', {
      reason: REASON,
      input: { label: 'bench', accountIds },
    });
  }

  /** Plans must fit the current tables, not empty ones; autovacuum would do this only later. */
  async settle(): Promise<void> {
    await this.database.transaction(async (tx) => {
      // It may take long.
      await tx`set local statement_timeout = 0`;
      await tx`analyze`;
    });
  }

  /** Stops the bench's roles and deletes work for workers, so that another bench may follow. */
  async clear(): Promise<void> {
    if (!this.keepsRoles) for (const roles of this.running.splice(1).reverse()) await roles.stop();
    await this.database.sql`truncate outbox`;
  }

  async close(): Promise<void> {
    for (const roles of this.running.reverse()) await roles.stop();
    await this.database.close();
    await this.servers.close();
  }
}

const environmentOf = (
  { databaseUrl, temporal, folder }: Servers,
  profiles: string | undefined,
): NodeJS.ProcessEnv => ({
  ...roleEnvironment(process.env, {
    secrets: loadSecrets(folder, {}),
    databaseUrl,
    // Without Temporal nothing listens there; a client connects only when used.
    temporalAddress: temporal?.address ?? '127.0.0.1:9',
    temporalUi: null,
    markerFolder: path.join(folder, 'marker'),
    gatewayPort: 0,
    graphPort: 0,
    gatewayMetricsPort: 0,
    workerMetricsPort: 0,
  }),
  NODE_ENV: 'production',
  ...(temporal && { TEMPORAL_NAMESPACE: temporal.namespace }),
  ...(profiles !== undefined && { BENCH_PROFILES: profiles }),
  NODE_OPTIONS: [
    process.env['NODE_OPTIONS'] ?? '',
    ...['collect.js', ...(profiles !== undefined ? ['profile.js'] : [])].map(
      (file) => `--require "${path.join(__dirname, file)}"`,
    ),
  ].join(' '),
});

const rolesOf = (
  { folder }: Servers,
  env: NodeJS.ProcessEnv,
  kind: (typeof PID_FOLDERS)[number],
  program: string,
): Roles =>
  new Roles({
    program,
    envOf: () => env,
    logDir: path.join(folder, 'logs', kind),
    pidDir: path.join(folder, kind),
    say: (line) => {
      console.error(line);
    },
    onGivenUp: (message) => {
      console.error(message);
      process.exit(1);
    },
  });
