import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPidFile } from '../local/processes';
import type { Watched } from './cpu';
import { Payments } from './payments';
import { accountInput, CURRENCY, merchantInput } from './testbed';

/** The first start of a checkout installs and compiles. */
const READY_WITHIN_MS = 600_000;
const REASON = 'bench';

/** What a bench needs of `sandbox.json`; all builds write it. */
interface Sandbox {
  readonly merchantApi: string;
  readonly graphql: string;
  readonly accounts: readonly { readonly id: string; readonly accountNo: string }[];
  readonly operator: { readonly login: string; readonly password: string };
}

type Row = Readonly<Record<string, unknown>>;

/**
 * The platform that `npm start` runs in a checkout, used only from outside: by the merchants' contract and by operations
 * that all builds know. So an older build can run beside this one, each with servers of its own.
 */
export class StartedBuild {
  private token = '';
  private sandbox!: Sandbox;

  private constructor(
    private readonly child: ChildProcess,
    private readonly data: string,
  ) {}

  /**
   * @param name of its data folder, in `.causeway-bench`
   * @throws if it is not ready within ten minutes
   */
  static async start(name: string, checkout: string): Promise<StartedBuild> {
    const data = path.resolve('.causeway-bench', name);
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data, { recursive: true });
    const log = openSync(path.join(data, 'start.log'), 'w');
    const anyPort = Object.fromEntries(
      ['GATEWAY', 'GRAPH', 'POSTGRES', 'TEMPORAL', 'TEMPORAL_UI'].map((of) => [`${of}_PORT`, '0']),
    );
    const child = spawn('npm', ['start'], {
      cwd: checkout,
      env: { ...process.env, ...anyPort, CAUSEWAY_DATA: data },
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    const build = new StartedBuild(child, data);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => {
        void build.stop().finally(() => process.exit(1));
      });
    try {
      await build.open(checkout);
      return build;
    } catch (error) {
      await build.stop();
      throw error;
    }
  }

  private async open(checkout: string): Promise<void> {
    const { child, data } = this;
    const file = path.join(data, 'sandbox.json');
    const until = performance.now() + READY_WITHIN_MS;
    while (!existsSync(file)) {
      if (child.exitCode !== null || performance.now() > until)
        throw new Error(`${checkout} did not start:\n${readFileSync(path.join(data, 'start.log'), 'utf8')}`);
      await sleep(200);
    }
    this.sandbox = JSON.parse(readFileSync(file, 'utf8')) as Sandbox;
    const { login, password } = this.sandbox.operator;
    const answer = await this.ask(
      'mutation ($login: String!, $password: String!) { login(login: $login, password: $password) { token } }',
      { login, password },
    );
    this.token = String(answer['token']);
  }

  get gatewayUrl(): string {
    return new URL(this.sandbox.merchantApi).origin;
  }

  /** All processes that `npm start` began. */
  get whole(): Watched {
    return { name: 'the platform', pid: this.child.pid ?? 0, family: true };
  }

  /** One process: a role, or PostgreSQL with its server processes. */
  part(name: 'gateway' | 'graph' | 'worker' | 'PostgreSQL'): Watched {
    const file =
      name === 'PostgreSQL'
        ? path.join(this.data, 'postgres', 'postgres.pid')
        : path.join(this.data, 'run', `${name}.pid`);
    const pid = readPidFile(file)?.pid;
    if (pid === undefined) throw new Error(`there is no ${file}`);
    return { name, pid, family: name === 'PostgreSQL' };
  }

  /** A merchant who may have any number of open deposits. @returns its key */
  async merchant(): Promise<string> {
    const { merchant } = (await this.ask(
      'mutation ($input: CreateMerchantInput!, $reason: String!) { createMerchant(input: $input, reason: $reason) { merchant { id } } }',
      {
        reason: REASON,
        input: merchantInput(1440),
      },
    )) as { merchant: Row };
    const { apiKey } = await this.ask(
      'mutation ($merchantId: ID!, $reason: String!) { issueApiKey(merchantId: $merchantId, reason: $reason) { apiKey } }',
      { merchantId: merchant['id'], reason: REASON },
    );
    return String(apiKey);
  }

  /** Managed accounts beside that of the demo. */
  async accounts(count: number): Promise<readonly { id: string; accountNo: string }[]> {
    const all = [...this.sandbox.accounts];
    for (let n = 0; n < count; n++) {
      const { account } = (await this.ask(
        'mutation ($input: CreateBankAccountInput!, $reason: String!) { createBankAccount(input: $input, reason: $reason) { account { id accountNo } } }',
        {
          reason: REASON,
          input: accountInput(n),
        },
      )) as { account: { id: string; accountNo: string } };
      all.push(account);
    }
    return all;
  }

  /** Payers of this merchant, and the agent that reports what they pay. */
  async payments(apiKey: string, accounts: readonly { id: string; accountNo: string }[]): Promise<Payments> {
    const { keyId, secret } = await this.ask(
      'mutation ($input: CreateAgentKeyInput!, $reason: String!) { createAgentKey(input: $input, reason: $reason) { keyId secret } }',
      { reason: REASON, input: { label: 'bench', accountIds: accounts.map(({ id }) => id) } },
    );
    return await Payments.open({
      gatewayUrl: this.gatewayUrl,
      apiKey,
      hangs: false,
      currencyCode: CURRENCY,
      agent: { keyId: String(keyId), secret: String(secret) },
      accounts: Object.fromEntries(accounts.map(({ id, accountNo }) => [accountNo, id])),
    });
  }

  /** Stops and continues the worker, so that creates can be measured without what follows them. */
  signalWorker(signal: 'SIGSTOP' | 'SIGCONT'): void {
    process.kill(this.part('worker').pid, signal);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    if (this.child.exitCode === null && this.child.pid !== undefined) {
      process.kill(-this.child.pid, 'SIGTERM');
      await ended;
    }
    rmSync(this.data, { recursive: true, force: true });
  }

  /** @returns the one root field */
  private async ask(query: string, variables: Row): Promise<Row> {
    const response = await fetch(this.sandbox.graphql, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token !== '' && { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as {
      data?: Record<string, Row | null> | null;
      errors?: readonly { message: string }[];
    };
    const [result] = Object.values(data ?? {});
    if (!result) throw new Error(errors?.[0]?.message ?? `no answer to ${query}`);
    return result;
  }
}
