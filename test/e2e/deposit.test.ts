import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { depositBody, type MerchantClient, Platform } from '../support/platform';
import { devServer, type TestTemporal } from '../support/temporal';
import { eventually, until } from '../support/until';
import { startWorkers, type TestWorkers } from '../support/workers';

const VERIFIER = path.join(__dirname, '..', 'verifier', 'verify_callback.py');

interface Verified {
  readonly ok: boolean;
  readonly problem: string | null;
  readonly event: string;
  readonly order_no: string;
  readonly status: string;
}

/** The merchant's server, in another language and without our code. */
class PythonReceiver {
  readonly verified: Verified[] = [];

  private constructor(
    private readonly process: ChildProcess,
    readonly url: string,
  ) {}

  static async start(apiKey: string): Promise<PythonReceiver> {
    const child = spawn('python3', [VERIFIER, 'serve', '0', apiKey], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [first] = (await once(createInterface({ input: child.stderr }), 'line')) as [string];
    const { listening } = JSON.parse(first) as { listening: number };
    const receiver = new PythonReceiver(child, `http://127.0.0.1:${listening}/callback`);
    createInterface({ input: child.stdout }).on('line', (line) => {
      receiver.verified.push(JSON.parse(line) as Verified);
    });
    return receiver;
  }

  async stop(): Promise<void> {
    const ended = once(this.process, 'exit');
    this.process.kill('SIGTERM');
    await ended;
  }
}

/** The main path on real parts: HTTP in, PostgreSQL, Temporal's own server, HTTP out. */
describe('a signed deposit', () => {
  let platform: Platform;
  let temporal: TestTemporal;
  let workers: TestWorkers;
  let merchant: MerchantClient;
  let receiver: PythonReceiver;
  let accountId: string;

  beforeAll(async () => {
    [platform, temporal] = await Promise.all([Platform.open(), devServer()]);
    workers = await startWorkers(platform.tenant, temporal);
    workers.relay.start();
    merchant = await platform.merchant({ allowInsecureCallbacks: true });
    receiver = await PythonReceiver.start(merchant.apiKey);
    accountId = await platform.account();
  });
  afterAll(async () => {
    await workers.stop();
    await receiver.stop();
    await platform.close();
    await temporal.stop();
  });

  interface Payment {
    readonly order_no: string;
    readonly remark: string;
    readonly amount: string;
  }

  async function create(fields: Record<string, unknown> = {}): Promise<Payment> {
    const body = depositBody({ callback_url: receiver.url, ...fields });
    const { status, body: answer } = await merchant.signed('POST', '/orders/deposit', body);
    expect(status).toBe(201);
    return answer.data as unknown as Payment;
  }

  const query = async (orderNo: string): Promise<Record<string, unknown>> =>
    (await merchant.signed('GET', `/query/deposit/${orderNo}`)).body.data ?? {};

  /** The workflow's current details. */
  const detailsOf = async (orderNo: string): Promise<string | undefined> =>
    await temporal.env.client.workflow
      .getHandle(`deposit:${orderNo}`)
      .describe()
      .then(
        async (description) => await description.staticDetails(),
        () => undefined,
      );

  it('becomes a credit in the ledger and one signed callback', async () => {
    const agent = await platform.agent([accountId]);
    const payment = await create({ extra_data: 'α, "quoted"' });
    const { status } = await platform.notify(agent, {
      account_id: accountId,
      amount: payment.amount,
      currency_code: 'USD',
      bank_time: new Date().toISOString(),
      memo: `pay ${payment.remark}`,
    });
    expect(status).toBe(201);
    const order = await until('the acknowledged callback', async () => {
      const found = await query(payment.order_no);
      return found['callback_status'] === 'success' && found;
    });
    expect(order).toMatchObject({
      status: 'completed',
      actual_amount: '100.0000',
      fee: '1.0000',
      callback_count: 1,
    });
    const verified = () => receiver.verified.filter((c) => c.order_no === payment.order_no);
    await until('what the merchant says of it', () => verified().length > 0);
    expect(verified()).toEqual([
      expect.objectContaining({ ok: true, event: 'deposit.completed', status: 'completed' }),
    ]);
    const balance = await merchant.signed('GET', '/balance');
    expect(balance.body.data?.['items']).toEqual([
      expect.objectContaining({ available_balance: '99.0000', version: 1 }),
    ]);
  });

  it('shows its state in the Temporal UI', async () => {
    const { order_no: orderNo } = await create();
    const { workflow } = temporal.env.client;
    const found = await until('the workflow in the list', async () => {
      for await (const one of workflow.list({ query: `OrderNo = '${orderNo}'` })) return one;
      return undefined;
    });
    expect(found.workflowId).toBe(`deposit:${orderNo}`);
    const details = await until('its details', async () => await detailsOf(orderNo));
    expect(details).toMatch(/^PENDING: waits for a transfer of 100\.0000 USD until 20/);
  });

  it('has the designed history: 7 events, and 12 for its callback', async () => {
    const lengths = async (): Promise<number[]> => {
      const { order_no: orderNo, remark } = await create();
      await until('its workflow to wait for the payer', async () => (await detailsOf(orderNo))?.startsWith('PENDING'));
      await platform.tenant.notify({ accountId, currencyCode: 'USD', memo: remark });
      await until('the acknowledged callback', async () => (await query(orderNo))['callback_status'] === 'success');
      return await Promise.all(
        [`deposit:${orderNo}`, `callback:${orderNo}:deposit_completed`].map(async (id) => {
          const handle = temporal.env.client.workflow.getHandle(id);
          await handle.result();
          return (await handle.fetchHistory()).events?.length ?? 0;
        }),
      );
    };
    // On a stalled machine a slow step costs its workflow one more task.
    await eventually(async () => {
      const [deposit, callback] = await lengths();
      expect(deposit).toBeLessThanOrEqual(7);
      expect(callback).toBeLessThanOrEqual(12);
    });
  });
});
