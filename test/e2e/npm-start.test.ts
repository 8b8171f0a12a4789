import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { openDatabase } from '../../db/client';
import { sealLedger, sumLedger } from '../../db/proof/seals';
import { withLocalDatabase } from '../../local/database';
import type { Sandbox } from '../../local/sandbox';
import { temporalFiles } from '../../local/temporal-server';
import { scrape } from '../support/prometheus';
import { temporaryFolder } from '../support/temporary-folder';
import { eventually, until } from '../support/until';

const ROOT = path.join(__dirname, '..', '..');
const run = promisify(execFile);

/** What `npm start` and `npm run demo` run, from the build that `npm test` makes first. */
describe('the platform on one machine', () => {
  const dataDir = path.join(temporaryFolder(), 'data');
  const sandboxFile = path.join(dataDir, 'sandbox.json');
  const env = {
    ...process.env,
    CAUSEWAY_DATA: dataDir,
    GATEWAY_PORT: '0',
    GRAPH_PORT: '0',
    POSTGRES_PORT: '0',
    TEMPORAL_PORT: '0',
    TEMPORAL_UI_PORT: '0',
  };
  let platform: { readonly child: ChildProcess; readonly ended: Promise<unknown> } | undefined;
  let printed = '';

  afterAll(async () => {
    await stop();
  });

  async function start(): Promise<Sandbox> {
    printed = '';
    const child = spawn(process.execPath, [path.join(ROOT, 'dist', 'main.js')], { cwd: ROOT, env });
    // With its whole output: the exit may come before the last lines.
    platform = { child, ended: once(child, 'close') };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => {
        printed += text.toString();
      });
    return await until('sandbox.json', () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it did not start:\n${printed}`);
      return readSandbox();
    });
  }

  const readSandbox = (): Sandbox | undefined =>
    existsSync(sandboxFile) ? (JSON.parse(readFileSync(sandboxFile, 'utf8')) as Sandbox) : undefined;

  async function stop(): Promise<number | null> {
    platform?.child.kill('SIGINT');
    await platform?.ended;
    return platform?.child.exitCode ?? null;
  }

  /** @throws what it printed, and its exit code */
  const command = async (...args: string[]): Promise<string> => {
    try {
      return (await run(process.execPath, args, { cwd: ROOT, env })).stdout;
    } catch (error) {
      const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
      throw Object.assign(new Error(`${args.join(' ')}: exit ${code}:\n${stdout}${stderr}`), {
        code,
        stdout,
      });
    }
  };

  /** Every process that has our data folder in its command line or listens on one of our ports. */
  async function processesLeft(): Promise<string[]> {
    const { stdout } = await run('ps', ['-eo', 'args']);
    return stdout.split('\n').filter((line) => line.includes(dataDir));
  }

  /** Changes a balance and an entry by hand: both are reported, exit 1; after restoring them the check passes. */
  async function expectCorruptionNamed({ databaseUrl, merchant }: Sandbox): Promise<void> {
    const database = openDatabase({ url: databaseUrl, applicationName: 'test' });
    const shift = async (by: number): Promise<void> => {
      await database.transaction(async (tx) => {
        await tx`set local session_replication_role = replica`;
        await tx`update merchant_balances set available = available + ${by} where merchant_id = ${merchant.id}
          and currency_code = 'THB'`;
        await tx`update ledger_entries set amount = amount + ${by} where account = 'fee_income'`;
      });
    };
    // A posting that the worker seals or sums while its entries are changed would stay a discrepancy.
    await until('every posting is sealed and summed', async () => {
      await sealLedger(database, true, new Date());
      await sumLedger(database);
      const [row] = await database.sql<{ readonly done: boolean }[]>`
        select summed_through() = (select max(seq) from ledger_seals) and not exists (
          select from ledger_transfers t where not exists (select from ledger_seals s where s.transfer_id = t.id)) as done`;
      return row?.done;
    });
    await shift(1);
    const failed = await command('dist/main.js', 'ledger:verify').catch(
      (error: unknown) => error as { code: number; stdout: string },
    );
    expect(failed).toMatchObject({ code: 1 });
    const output = typeof failed === 'string' ? failed : failed.stdout;
    expect(output).toMatch(new RegExp(`balance ${merchant.id} THB: stored available 2956\\.0000`));
    expect(output).toMatch(/deposit D.*: DEPOSIT_CREDIT: posted as fee_income 23\.5000/);
    await shift(-1);
    await database.close();
    expect(await command('dist/main.js', 'ledger:verify')).toContain('discrepancies=0');
  }

  /** Each role exports metrics of the demo on its own listener; the public listener has none. */
  async function expectMetricsOfEachRole({ metrics, merchantApi }: Sandbox): Promise<void> {
    const roles = ['gateway', 'graph', 'worker'] as const;
    const [gateway, graph, worker] = await Promise.all(
      roles.map(async (role) => {
        const scraped = await scrape(metrics[role]);
        expect(scraped.samples.filter(({ labels }) => labels['role'] !== role)).toEqual([]);
        // A gateway may have several processes.
        expect(scraped.distinct('causeway_role_ready')).toEqual([1]);
        expect(scraped.value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
        return scraped;
      }),
    );
    const created = { route: '/api/v1/merchant/orders/deposit', code: 'SUCCESS' };
    expect(gateway?.value('causeway_request_duration_seconds_count', created)).toBe(1);
    expect(graph?.value('causeway_logins_total', { outcome: 'accepted' })).toBeGreaterThan(0);
    // Nothing is read or timed while nobody subscribes.
    expect(graph?.value('causeway_event_lag_seconds_count')).toBeGreaterThanOrEqual(0);
    expect(graph?.value('causeway_merchant_available_amount', { currency: 'THB' })).toBe(2955);
    expect(graph?.distinct('causeway_total_readable')).toEqual([1]);
    expect(worker?.value('causeway_deposits_settled_total', { status: 'COMPLETED' })).toBe(1);
    expect(worker?.value('causeway_callback_attempts_total', { verdict: 'SUCCESS' })).toBe(1);
    expect(worker?.value('temporal_workflow_completed_total')).toBeGreaterThanOrEqual(2);
    const { origin } = new URL(merchantApi);
    expect((await fetch(`${origin}/metrics`)).status).toBe(404);
  }

  /** Temporal's count of order workflows, and its schedules. */
  async function known({ temporalAddress }: Sandbox): Promise<{ workflows: number; schedules: string[] }> {
    const connection = await Connection.connect({ address: temporalAddress });
    const client = new Client({ connection });
    const { count } = await client.workflow.count('WorkflowType IN ("depositOrder", "callbackDelivery2")');
    const schedules = [];
    for await (const { scheduleId } of client.schedule.list()) schedules.push(scheduleId);
    await connection.close();
    return { workflows: count, schedules: schedules.sort() };
  }

  let first: Sandbox;

  it('is started and stopped by the demo when nothing runs, and leaves no process', async () => {
    const playing = command('dist/local/demo.js');
    // sandbox.json has the addresses of the started platform until the demo ends.
    first = await until('sandbox.json', () => readSandbox());
    expect(statSync(sandboxFile).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(dataDir, 'temporal')).mode & 0o777).toBe(0o700);
    expect(first).toEqual({
      merchantApi: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/merchant$/) as string,
      console: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/console\/$/) as string,
      graphql: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/graphql$/) as string,
      temporalUi: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) as string,
      temporalAddress: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
      databaseUrl: expect.stringMatching(/^postgres(ql)?:\/\//) as string,
      merchant: {
        id: expect.any(String) as string,
        code: 'DEMO',
        apiKey: expect.stringMatching(/^pre_/) as string,
      },
      accounts: expect.arrayContaining([
        expect.objectContaining({ id: expect.any(String) as string, currencyCode: 'THB' }),
      ]) as unknown[],
      banks: expect.objectContaining({
        THB: expect.arrayContaining(['KBANK']) as string[],
      }) as unknown,
      channels: [expect.objectContaining({ channelCode: 'mock', mockOutcome: 'COMPLETED' })],
      cashier: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/cashier$/) as string,
      agent: {
        keyId: expect.stringMatching(/^ak_/) as string,
        secret: expect.any(String) as string,
      },
      operator: { login: 'admin', password: expect.any(String) as string },
      operators: [
        { login: 'admin', password: expect.any(String) as string, role: 'admin' },
        { login: 'approver-1', password: expect.any(String) as string, role: 'approver' },
        { login: 'approver-2', password: expect.any(String) as string, role: 'approver' },
      ],
      mails: expect.stringMatching(/mails$/) as string,
      metrics: {
        gateway: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/) as string,
        graph: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/) as string,
        worker: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/) as string,
      },
    });

    const demo = await playing;
    expect(demo).toContain('no platform is running: starting one for the demo');
    expect(demo).toContain('callback deposit.completed arrived, its signature is ours');
    expect(demo).toMatch(/Balance +│ 0\.0000 → 1477\.5000 THB/);
    // SQLite's header: 2 says that the file has a write-ahead log.
    const { dbFile } = temporalFiles(path.join(dataDir, 'temporal'));
    expect([...readFileSync(dbFile).subarray(18, 20)]).toEqual([2, 2]);
    expect(existsSync(sandboxFile)).toBe(false);
    expect(await processesLeft()).toEqual([]);
  }, 300_000);

  it('has kept its data when it starts again, and leaves no process', async () => {
    const second = await start();
    await eventually(async () => {
      expect(await known(second)).toEqual({
        workflows: 2,
        schedules: [
          ...['billing-issue', 'books-proof', 'books-proof-whole', 'callback-sweep'],
          ...['channel-watch', 'day-close', 'hold-release', 'payout-sweep', 'reconcile'],
          'settlement-run',
        ],
      });
    });
    expect(second.merchant).toEqual(first.merchant);
    expect(second.agent).toEqual(first.agent);
    // The platform's key is rotated meanwhile.
    const [demo, rotated] = await Promise.all([command('dist/local/demo.js'), command('dist/main.js', 'keys:rotate')]);
    expect(demo).toMatch(/1477\.5000 → 2955\.0000 THB/);
    expect(rotated).toMatch(/^current [0-9a-f]{8}\nsealed again: rows=[1-9]/);
    expect(await command('dist/main.js', 'ledger:verify')).toContain('discrepancies=0');

    // Metrics follow a moment later.
    await eventually(async () => {
      await expectMetricsOfEachRole(second);
    });
    await expectCorruptionNamed(second);

    expect(await stop()).toBe(0);
    expect(printed).toContain('stopped; the data is kept');
    expect(existsSync(sandboxFile)).toBe(false);
    expect(await processesLeft()).toEqual([]);
  }, 300_000);

  it('refuses the data of another history, says what to move away, and leaves no process', async () => {
    await withLocalDatabase(env, async (url) => {
      const database = openDatabase({ url, applicationName: 'test' });
      await database.sql`
        insert into migrations.journal (name, hash, applied_at) values ('0122_balance_chain', 'x', now())`;
      await database.close();
    });
    await expect(start()).rejects.toThrow('it did not start');
    await platform?.ended;
    expect(platform?.child.exitCode).toBe(1);
    expect(printed).toContain(
      'The database was built by migrations that this release does not have (the newest is 0122_balance_chain), and ' +
        'cannot be migrated: move the data folder of `npm start` away (.causeway, or CAUSEWAY_DATA);',
    );
    expect(printed).not.toMatch(/^ +at /m);
    expect(printed).toContain('Everything was stopped; the data is kept.');
    expect(existsSync(sandboxFile)).toBe(false);
    expect(await processesLeft()).toEqual([]);
  }, 300_000);
});
