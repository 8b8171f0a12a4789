import { workflowId } from '../../domain/ids';
import { registry } from '../../runtime/metrics';
import { type EndedSpan, startTracing } from '../../runtime/tracing';
import { LogLines, type LogLine } from '../support/log-lines';
import { type Answer, depositBody, type MerchantClient, Platform } from '../support/platform';
import { Scrape } from '../support/prometheus';
import { answering, Receiver } from '../support/receiver';
import { devServer, type TestTemporal } from '../support/temporal';
import { until } from '../support/until';
import { startWorkers, type TestWorkers } from '../support/workers';

/** The span of a caller, as its header names it. */
const THEIRS = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;

/** One deposit from HTTP in to HTTP out, followed by its trace id. The test drives the relay step by step. */
describe('the trace of a deposit', () => {
  const gateway = new LogLines('gateway');
  const worker = new LogLines('worker');
  let platform: Platform;
  let temporal: TestTemporal;
  let workers: TestWorkers;
  let merchant: MerchantClient;
  let accountId: string;
  const receivers: Receiver[] = [];
  const spans: EndedSpan[] = [];
  const sink = { add: (span: EndedSpan) => void spans.push(span) };
  const endTracing = startTracing(sink);

  beforeAll(async () => {
    [platform, temporal] = await Promise.all([Platform.open({ deps: { log: gateway.log } }), devServer()]);
    workers = await startWorkers(platform.tenant, temporal, worker.log);
    merchant = await platform.merchant({ allowInsecureCallbacks: true });
    accountId = await platform.account();
  });
  afterAll(async () => {
    await workers.stop();
    for (const receiver of receivers) await receiver.close();
    await platform.close();
    await temporal.stop();
    endTracing();
  });

  /** The outbox rows of an order. */
  const outbox = async (orderNo: string): Promise<{ noun: string; arguments: LogLine }[]> =>
    await platform.tenant.database.sql<{ noun: string; arguments: LogLine }[]>`
      select noun, arguments from outbox where arguments->>'orderNo' = ${orderNo}`;

  interface Created {
    readonly orderNo: string;
    readonly traceId: string;
    readonly remark: string;
  }

  async function create(status: number): Promise<Created> {
    const receiver = await Receiver.listen(answering(status));
    receivers.push(receiver);
    const body = depositBody({ callback_url: receiver.url });
    const answer = await merchant.signed('POST', '/orders/deposit', body, {
      headers: { 'x-request-id': 'of-the-callers-own', traceparent: THEIRS },
    });
    const { order_no: orderNo, remark } = answer.body.data as Record<string, string>;
    const traceId = answer.headers['x-request-id'];
    return { orderNo, traceId, remark } as Created;
  }

  async function pay({ remark }: Created): Promise<Answer> {
    const agent = await platform.agent([accountId]);
    return await platform.notify(agent, {
      account_id: accountId,
      amount: '100.00',
      currency_code: 'USD',
      bank_time: new Date().toISOString(),
      memo: remark,
    });
  }

  const result = async (id: string): Promise<unknown> => await temporal.env.client.workflow.getHandle(id).result();

  it('passes through request, row, outbox, workflow, credit and callback', async () => {
    const created = await create(200);
    const { orderNo, traceId } = created;
    const order = { orderNo, traceId, merchantCode: merchant.merchantCode };
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(await platform.tenant.operate('Deposit', { orderNo })).toMatchObject({ traceId });
    expect(await outbox(orderNo)).toMatchObject([{ noun: 'deposit', arguments: order }]);
    await workers.relay.once();

    const notified = await pay(created);
    const notification = notified.headers['x-request-id'];
    expect(notification).not.toBe(traceId);
    await workers.relay.once();
    await result(workflowId('deposit', orderNo));
    expect(await outbox(orderNo)).toMatchObject([{ noun: 'callback', arguments: order }]);
    await workers.relay.once();
    await result(workflowId('callback', `${orderNo}:deposit_completed`));

    expect(gateway.having({ traceId }).map((line) => line['msg'])).toEqual(['deposit created', 'request answered']);
    expect(gateway.having({ traceId: notification })).toMatchObject([
      { msg: 'bank transfer recorded', orderNo, depositTraceId: traceId, unmatchedReason: null },
      { msg: 'request answered', orderNo, transferId: notified.body.data?.['transfer_id'] },
    ]);
    // The SDK delays lines for a moment, to sort them.
    const delivered = { workflowType: 'callbackDelivery2', msg: 'Workflow completed' };
    await until('its last line', () => worker.having({ traceId, ...delivered }).length === 1);
    const lines = worker.having(order);
    expect(new Set(lines.map((line) => line['msg']))).toEqual(
      new Set([
        ...['workflow signalled', 'deposit settled', 'callback attempted'],
        ...['Activity completed', 'Workflow completed'],
      ]),
    );
    // All lines have it, except the SDK's first lines, which precede the input.
    const others = worker.lines.filter((line) => JSON.stringify(line).includes(orderNo) && !lines.includes(line));
    expect(new Set(others.map((line) => line['msg']))).toEqual(new Set(['Activity started', 'Workflow started']));
    expect(new Set(lines.map((line) => line['role']))).toEqual(new Set(['worker']));

    const own = spans.filter((span) => span.traceId === traceId);
    const above = (span: EndedSpan): string[] => {
      const parent = own.find(({ spanId }) => spanId === span.parentSpanId);
      return [span.name, ...(parent ? above(parent) : [])];
    };
    const paths = new Set(own.map((span) => above(span).reverse().join(' > ')));
    const request = 'POST /api/v1/merchant/orders/deposit';
    expect([...paths]).toEqual(
      expect.arrayContaining([
        request,
        `${request} > graph CreateDeposit`,
        `${request} > temporal wake deposit`,
        `${request} > step settleDeposit`,
        `${request} > step settleDeposit > sql select`,
        `${request} > temporal wake callback`,
        `${request} > step attemptCallbackAtOnce > POST outside`,
      ]),
    );
    // The statements, without their values.
    expect([...paths].filter((path) => / > sql \w+$/.test(path))).not.toEqual([]);
    const said = JSON.stringify(own.map(({ attributes }) => attributes));
    expect(said).toContain('select credit_deposit(');
    expect(said).not.toContain(created.remark);
    // A receiver gets only the headers of the contract, and nothing leads to a caller's span.
    expect(said).not.toContain('ab'.repeat(16));
    expect(receivers[0]?.received[0]?.headers).not.toHaveProperty('traceparent');
  });

  it('is in the line of a step that fails', async () => {
    const created = await create(500);
    await pay(created);
    await workers.relay.once();
    await result(workflowId('deposit', created.orderNo));
    await workers.relay.once();
    const { traceId, orderNo } = created;
    const failures = () => worker.having({ traceId, msg: 'Activity failed' });
    await until('the line', () => failures().length > 0);
    // One attempt is enough: the second would follow after half a minute.
    const id = workflowId('callback', `${orderNo}:deposit_completed`);
    await temporal.env.client.workflow.getHandle(id).terminate('seen');
    expect(failures()).toMatchObject([{ orderNo, activityType: 'attemptCallback', attempt: 1 }]);
    expect(worker.having({ traceId, msg: 'callback attempted' })).toMatchObject([
      { orderNo, attempt: 1, answer: 'HTTP 500' },
    ]);
    // A merchant's answer is no fault of the platform.
    expect(worker.having({ traceId, level: 'warn' })).toEqual([]);
  });

  it('is absent where the order has none', async () => {
    const { orderNo, traceId } = await create(200);
    await workers.relay.once();
    const { sql } = platform.tenant.database;
    await sql`update deposit_orders set trace_id = null where order_no = ${orderNo}`;
    await sql`select wake_deposit(d, now()) from deposit_orders d where order_no = ${orderNo}`;
    const [row] = await outbox(orderNo);
    expect(row?.arguments).toMatchObject({ version: 1, orderNo });
    expect(row?.arguments).not.toHaveProperty('traceId');
    await workers.relay.once();
    expect(worker.having({ msg: 'workflow signalled', orderNo }).map((line) => line['traceId'])).toEqual([
      traceId,
      undefined,
    ]);
  });

  it('cannot be chosen by the caller, and differs for each request', async () => {
    const asked = await Promise.all(Array.from({ length: 20 }, async () => await create(200)));
    expect(new Set(asked.map(({ traceId }) => traceId)).size).toBe(20);
    const all = JSON.stringify([...gateway.lines, ...worker.lines]);
    expect(all).not.toContain('of-the-callers-own');
    expect(all).not.toContain('ab'.repeat(16));
  });

  it('is counted and timed at every step, without data of an order in the labels', async () => {
    const text = await registry.metrics();
    expect(text).not.toMatch(/D\d{8}[0-9A-Z]{12}|[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(text).not.toContain(merchant.merchantCode);
    const scraped = new Scrape(text);
    const counted = (name: string, labels: Record<string, string> = {}): number | undefined =>
      scraped.value(`causeway_${name}`, labels);
    expect(counted('deposits_settled_total', { status: 'COMPLETED' })).toBe(2);
    expect(counted('deposits_credited_amount_total', { currency: 'USD' })).toBe(200);
    expect(counted('deposit_payment_seconds_count')).toBe(2);
    expect(counted('deposit_credit_seconds_count')).toBe(2);
    expect(counted('callback_attempts_total', { verdict: 'SUCCESS' })).toBe(1);
    expect(counted('callback_attempts_total', { verdict: 'RETRY' })).toBe(1);
    expect(counted('callback_attempt_duration_seconds_count', { verdict: 'RETRY' })).toBe(1);
    expect(counted('callback_attempts_in_flight')).toBe(0);
    expect(counted('callback_delivery_seconds_count')).toBe(1);
    const atOnce = { activity: 'attemptCallbackAtOnce', outcome: 'OK' };
    expect(counted('activity_duration_seconds_count', atOnce)).toBe(2);
    const notDue = { activity: 'attemptCallback', outcome: 'CallbackNotAcknowledged' };
    expect(counted('activity_duration_seconds_count', notDue)).toBe(1);
    const delivered = counted('outbox_delivered_total', { noun: 'callback' });
    expect(delivered).toBe(2);
    expect(counted('outbox_delivery_seconds_count', { noun: 'callback' })).toBe(delivered);
    expect(counted('relay_batch_seconds_count')).toBeGreaterThanOrEqual(5);
    expect(counted('relay_looks_total')).toBeGreaterThanOrEqual(5);
    expect(counted('bank_transfers_total', { outcome: 'matched' })).toBe(2);
    const create = { operation: 'Mutation.createDeposit', outcome: 'OK' };
    expect(counted('graph_operation_duration_seconds_count', create)).toBe(23);
    const route = { route: '/api/v1/merchant/orders/deposit', code: 'SUCCESS' };
    expect(counted('request_duration_seconds_count', route)).toBe(23);
    expect(counted('requests_in_flight')).toBe(0);
    expect(counted('graph_calls_in_flight')).toBe(0);
    expect(counted('graph_calls_limit')).toBe(1_000);
  });

  it('crosses our border where the deployment says so', async () => {
    startTracing(sink, 1, { fromCallers: true, to: ['merchants'] });
    const created = await create(200);
    const { orderNo, traceId } = created;
    await pay(created);
    await workers.relay.once();
    await result(workflowId('deposit', orderNo));
    await workers.relay.once();
    await result(workflowId('callback', `${orderNo}:deposit_completed`));
    const own = spans.filter((span) => span.traceId === traceId);
    expect(own.find(({ parentSpanId }) => parentSpanId === null)).toMatchObject({
      name: 'POST /api/v1/merchant/orders/deposit',
      link: { traceId: 'ab'.repeat(16), spanId: 'cd'.repeat(8) },
    });
    const request = own.find(({ name }) => name === 'POST outside');
    expect(receivers.at(-1)?.received[0]?.headers).toMatchObject({
      traceparent: `00-${traceId}-${request?.spanId ?? ''}-01`,
    });
  });
});
