import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { keepBusy, secondsSince } from './harness';
import { agentSignature, merchantSignature, unixSeconds } from './outside-signing';
import type { Paid, PaymentsPlace, PaymentsTask, SteadyOrders } from './payments';

/* `fork`ed by payments.ts: gets the addresses first, then one task after another. */

const API = '/api/v1/merchant';
/** An order that takes long is queried more rarely, each time after this share of its age: merchants have a rate. */
const RARER = 0.2;
/** More than a rush has requests under way: else they wait here for each other, and fewer orders are paid. */
const CONNECTIONS = 256;

type Figures = { -readonly [Kind in 'create' | 'query' | 'completed' | 'callback']: number[] };
type Row = Readonly<Record<string, unknown>>;

const run = randomBytes(5).toString('hex');
const arrivals = new Map<string, (at: number) => void>();
let number = 0;

/** One connection pool of the place's gateway. */
let gateway: Pool;

async function call(
  path: string,
  method: 'GET' | 'POST',
  headers: Record<string, string>,
  body?: string,
): Promise<{ status: number; data: Row }> {
  const answer = await gateway.request({ path, method, headers, body: body ?? null });
  const { data } = (await answer.body.json()) as { data?: Row | null };
  return { status: answer.statusCode, data: data ?? {} };
}

/** The merchant's server: acknowledges everything, or answers nothing. */
async function listen(hangs: boolean): Promise<string> {
  const server = createServer((incoming, response) => {
    let text = '';
    incoming.setEncoding('utf8');
    incoming.on('data', (part: string) => (text += part));
    incoming.on('end', () => {
      if (!hangs) response.end('success');
      const { order_no: orderNo } = JSON.parse(text) as { order_no: string };
      arrivals.get(orderNo)?.(performance.now());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

class Client {
  readonly figures: Figures = { create: [], query: [], completed: [], callback: [] };
  readonly unexpected: Record<string, number> = {};
  late = 0;

  constructor(
    private readonly place: PaymentsPlace,
    private readonly callbackUrl: string,
    private readonly task: PaymentsTask,
  ) {}

  /** One order, from the create to its callback. */
  async order(): Promise<void> {
    const order = await this.create();
    if (!order) return;
    await sleep(this.task.paidAfterMs);
    const orderNo = String(order['order_no']);
    const arrived = new Promise<number>((resolve) => arrivals.set(orderNo, resolve));
    const reportedAt = performance.now();
    const giveUp = reportedAt + this.task.patienceMs;
    const called = Promise.race([arrived, sleep(this.task.patienceMs, undefined)]);
    const { queryEveryMs } = this.task;
    const [completed, callback] = await Promise.all([
      this.report(order).then(() =>
        queryEveryMs === null ? called : this.completed(orderNo, reportedAt, queryEveryMs),
      ),
      called,
    ]);
    arrivals.delete(orderNo);
    if (completed === undefined || callback === undefined) this.late++;
    this.figures.completed.push((completed ?? giveUp) - reportedAt);
    this.figures.callback.push((callback ?? giveUp) - reportedAt);
  }

  private async create(): Promise<Row | undefined> {
    number++;
    const fields = {
      merchant_order_no: `${run}-${number}`,
      amount: `${100 + (number % 4_000)}.00`,
      currency_code: this.place.currencyCode,
      callback_url: this.callbackUrl,
      user_id: `payer-${number}`,
    };
    const { status, data } = await this.signed('create', 'POST', '/orders/deposit', fields);
    return status === 201 ? data : undefined;
  }

  private async signed(
    kind: 'create' | 'query',
    method: 'GET' | 'POST',
    path: string,
    fields: Record<string, string>,
  ): Promise<{ status: number; data: Row }> {
    const { apiKey } = this.place;
    const timestamp = unixSeconds();
    const since = performance.now();
    const answer = await call(
      API + path,
      method,
      {
        'x-api-key': apiKey,
        'x-timestamp': timestamp,
        'x-signature': merchantSignature({ ...fields, timestamp }, apiKey),
        ...(method === 'POST' && { 'content-type': 'application/json' }),
      },
      method === 'POST' ? JSON.stringify(fields) : undefined,
    );
    this.figures[kind].push(performance.now() - since);
    if (answer.status >= 300) this.count(`${kind}: ${answer.status}`);
    return answer;
  }

  private async report(order: Row): Promise<void> {
    const { agent: key, accounts, currencyCode } = this.place;
    const remark = order['remark'];
    const body = JSON.stringify({
      account_id: accounts[String(order['account_no'])],
      amount: order['amount'],
      currency_code: currencyCode,
      bank_time: new Date().toISOString(),
      bank_reference: randomUUID(),
      payer_name: 'A Payer',
      memo: typeof remark === 'string' ? `transfer ${remark}` : '',
    });
    const timestamp = unixSeconds();
    const nonce = randomUUID();
    const { status } = await call(
      '/bank-notifications',
      'POST',
      {
        'content-type': 'application/json',
        'x-agent-key': key.keyId,
        'x-agent-timestamp': timestamp,
        'x-agent-nonce': nonce,
        'x-agent-signature': agentSignature(key.secret, timestamp, nonce, body),
      },
      body,
    );
    if (status >= 300) this.count(`bank notification: ${status}`);
  }

  /** @returns when the merchant first saw it COMPLETED; undefined if that took too long */
  private async completed(orderNo: string, reportedAt: number, queryEveryMs: number): Promise<number | undefined> {
    for (;;) {
      const tookMs = performance.now() - reportedAt;
      if (tookMs > this.task.patienceMs) return undefined;
      const { data } = await this.signed('query', 'GET', `/query/deposit/${orderNo}`, {});
      if (data['status'] === 'completed') return performance.now();
      await sleep(Math.max(queryEveryMs, tookMs * RARER));
    }
  }

  private count(what: string): void {
    this.unexpected[what] = (this.unexpected[what] ?? 0) + 1;
  }
}

async function work(place: PaymentsPlace, callbackUrl: string, task: PaymentsTask): Promise<Paid> {
  const client = new Client(place, callbackUrl, task);
  const begun = performance.now();
  if ('payers' in task)
    await keepBusy(task.payers, task.seconds, async () => {
      await client.order();
    });
  else
    await atSteadyRate(task, async () => {
      await client.order();
    });
  const { figures, late, unexpected } = client;
  return { ...figures, late, unexpected, seconds: secondsSince(begun) };
}

async function atSteadyRate({ orders, perSecond }: SteadyOrders, order: () => Promise<void>): Promise<void> {
  const begun = performance.now();
  const under: Promise<void>[] = [];
  for (let n = 0; n < orders; n++) {
    const due = begun + (n * 1000) / perSecond;
    await sleep(Math.max(0, due - performance.now()));
    under.push(order());
  }
  await Promise.all(under);
}

process.once('message', (place: PaymentsPlace) => {
  gateway = new Pool(place.gatewayUrl, { connections: CONNECTIONS });
  void listen(place.hangs).then((callbackUrl) => {
    process.on('message', (task: PaymentsTask) => {
      work(place, callbackUrl, task).then(
        (paid) => process.send?.(paid),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
          process.exit(1);
        },
      );
    });
    process.send?.('listening');
  });
});
process.on('disconnect', () => {
  process.exit(0);
});
