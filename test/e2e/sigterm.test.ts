import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, request } from 'undici';
import WebSocket from 'ws';
import { FailpointFolder } from '../../local/failpoint-folder';
import { OperatorClient } from '../../local/operator-client';
import { sendSignal } from '../../local/processes';
import { RoleProcess } from '../../local/role-process';
import { depositBody, md5, MERCHANT_API, signingString } from '../support/platform';
import { itInFull } from '../support/in-full';
import { answering, hanging, Receiver } from '../support/receiver';
import { devServer, type TestTemporal } from '../support/temporal';
import { temporaryFolder } from '../support/temporary-folder';
import { newKeys, Tenant, type TestMerchant } from '../support/tenant';
import { until } from '../support/until';

const ADMIN = { login: 'admin', password: 'a password of the tests' };

const MAIN = path.join(__dirname, '..', '..', 'dist', 'main.js');

/** Roles as deployments run and stop them: each a process, with work in flight. */
describe('a role that gets SIGTERM', () => {
  const folder = temporaryFolder();
  const failpoints = new FailpointFolder(path.join(folder, 'failpoints'));
  const keys = newKeys();
  const receivers: Receiver[] = [];
  let tenant: Tenant;
  let temporal: TestTemporal;
  let merchant: TestMerchant;
  let accountId: string;

  beforeAll(async () => {
    [tenant, temporal] = await Promise.all([Tenant.create(undefined, { keys }), devServer()]);
    // The longest timeout of an attempt: none times out before its worker exits.
    merchant = await tenant.merchant({ callbackTimeoutSeconds: 60 });
    accountId = await tenant.account();
  });
  afterAll(async () => {
    for (const receiver of receivers) await receiver.close();
    await tenant.close();
    await temporal.stop();
  });

  async function start(
    role: 'gateway' | 'graph' | 'worker',
    settings: Readonly<Record<string, string>> = {},
  ): Promise<{
    readonly url: string;
    readonly running: RoleProcess;
    readonly signal: (signal: NodeJS.Signals) => void;
  }> {
    const running = new RoleProcess({
      program: MAIN,
      role,
      logDir: folder,
      pidDir: folder,
      env: {
        ...process.env,
        // As deployments run it: under jest's own value some packages leave signals alone.
        NODE_ENV: 'production',

        CAUSEWAY_ENV: 'sandbox',
        DATABASE_URL: tenant.url,
        TEMPORAL_ADDRESS: temporal.address,
        GATEWAY_PORT: '0',
        GRAPH_PORT: '0',
        CAUSEWAY_FAILPOINTS: path.join(folder, 'failpoints'),
        CAUSEWAY_LOOKUP_KEY: keys.lookup.toString('base64'),
        CAUSEWAY_ENCRYPTION_KEY: keys.encryption.toString('base64'),
        CASHIER_TOKEN_SECRET: randomBytes(32).toString('base64'),
        ...settings,
      },
    });
    const url = (await running.started()) ?? '';
    const signal = (name: NodeJS.Signals): void => {
      if (running.record) sendSignal(running.record.pid, name);
    };
    return { url, running, signal };
  }

  /** Sends a signed create. @returns its status, once answered */
  async function create(url: string): Promise<number> {
    const timestamp = String(Math.floor(Date.now() / 1000));
    const body = depositBody({ currency_code: 'THB' });
    const { statusCode } = await request(`${url}${MERCHANT_API}/orders/deposit`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-api-key': merchant.apiKey,
        'x-timestamp': timestamp,
        'x-signature': md5(signingString(body, timestamp) + merchant.apiKey),
      },
      body: JSON.stringify(body),
    });
    return statusCode;
  }

  it('delivers the answer in flight and exits with 0', async () => {
    const gateway = await start('gateway');
    const isAtStep = failpoints.arm({ step: 'deposit.routed', action: 'freeze' });
    const answer = create(gateway.url);
    await until('the create to be under way', isAtStep);
    gateway.signal('SIGTERM');
    gateway.signal('SIGCONT');
    await expect(answer).resolves.toBe(201);
    await expect(gateway.running.ended).resolves.toBe('exit code 0');
  });

  it("delivers an operator's answer in flight, ends sockets with 1001, and exits with 0", async () => {
    const graph = await start('graph');
    const operator = new OperatorClient(`${graph.url}/graphql`);
    const { token } = await operator.run<{ token: string }>('Login', ADMIN);
    await operator.login(ADMIN.login, ADMIN.password);
    const socket = new WebSocket(`${graph.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    const payload = { authorization: `Bearer ${token}` };
    socket.send(JSON.stringify({ type: 'connection_init', payload }));
    await once(socket, 'message');
    const closed = once(socket, 'close') as Promise<[number]>;

    const isAtStep = failpoints.arm({ step: 'transfer.judged', action: 'freeze' });
    const { expectedRemark: memo } = await tenant.deposit(merchant);
    const bankTime = new Date().toISOString();
    const answer = operator.run<{ duplicate: boolean }>('RecordBankNotification', {
      input: { accountId, amount: '100.00', currencyCode: 'THB', bankTime, memo },
    });
    await until('the report to be under way', isAtStep);
    graph.signal('SIGTERM');
    graph.signal('SIGCONT');
    await expect(answer).resolves.toMatchObject({ duplicate: false });
    expect((await closed)[0]).toBe(1001);
    await expect(graph.running.ended).resolves.toBe('exit code 0');
  });

  itInFull.each(['gateway', 'graph'] as const)('%s: is not ready at first, then ends; none is cut', async (role) => {
    const listener = await start(role, { DRAIN_SECONDS: '2' });
    const ready = `${listener.url}/health/ready`;
    expect((await request(ready)).statusCode).toBe(200);
    const operator = new OperatorClient(`${listener.url}/graphql`);
    let operation: Promise<unknown> | undefined;
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => {
        // A separate connection, kept alive until an answer says that it closes.
        let client = new Client(listener.url);
        for (let sent = 0; ; sent++) {
          if (n === 0 && sent === 5) listener.signal('SIGTERM');
          const answer = await client.request({ method: 'GET', path: '/health/ready' });
          await answer.body.dump();
          // Balancers have not noticed yet: requests that they still send are served.
          if (role === 'graph' && answer.statusCode === 503) operation ??= operator.run('Login', ADMIN);
          if (answer.headers['connection'] !== 'close') continue;
          await client.close();
          // Requests that were under way at the signal are answered as before.
          if (answer.statusCode !== 200) return answer.statusCode;
          client = new Client(listener.url);
        }
      }),
    );
    expect(outcomes).toEqual(Array(10).fill(503));
    if (role === 'graph') expect(await operation).toHaveProperty('token');
    await expect(listener.running.ended).resolves.toBe('exit code 0');
  });

  itInFull('finishes or releases callback attempts in flight and exits with 0', async () => {
    let answer = (): void => undefined;
    const slow = await Receiver.listen((response, n) => {
      answer = () => {
        answering(200)(response, n);
      };
    });
    const silent = await Receiver.listen(hanging);
    receivers.push(slow, silent);
    const worker = await start('worker');
    const paid = async ({ url: callbackUrl }: Receiver): Promise<string> => {
      const { orderNo, expectedRemark } = await tenant.deposit(merchant, { callbackUrl });
      await tenant.notify({ accountId, memo: expectedRemark });
      return orderNo;
    };
    const finished = await paid(slow);
    const released = await paid(silent);
    await until('both attempts to be under way', () => slow.received.length > 0 && silent.received.length > 0);

    worker.signal('SIGTERM');
    await until('the worker to stop', () => readFileSync(worker.running.log, 'utf8').includes('"stopping"'));
    answer();
    await expect(worker.running.ended).resolves.toBe('exit code 0');

    const standing = async (orderNo: string): Promise<unknown> =>
      (
        await tenant.database.sql`
          select status, attempt_count, lease_until, next_attempt_at is not null as is_due, last_error
          from notification_logs where order_no = ${orderNo}`
      )[0];
    expect(await standing(finished)).toEqual({
      status: 'SUCCESS',
      attemptCount: 1,
      leaseUntil: null,
      isDue: false,
      lastError: null,
    });
    // It does not wait for the merchant's timeout.
    expect(await standing(released)).toEqual({
      status: 'WAITING_RETRY',
      attemptCount: 1,
      leaseUntil: null,
      isDue: true,
      lastError: 'network: our worker stopped',
    });
  });
});
