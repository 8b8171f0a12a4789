import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import postgres from 'postgres';
import { uuidv7 } from 'uuidv7';
import { percentile, secondsSince, seeded } from './harness';
import { BENCH_TABLES } from './bench-tables';
import type { Load, Loaded } from './load';
import { merchantSignature, unixSeconds } from './outside-signing';

/*
 * The load generator's process: `fork`ed by load.ts, one load after another. It uses bare sockets, because an HTTP
 * client library costs as much as the measured server; it signs by the contract, without the product's code.
 */

type StatementLoad = Load & { kind: 'insertRows' | 'updateHotRow' };
type HttpLoad = Exclude<Load, StatementLoad>;

/** Writes one request, signed now. */
type NextRequest = () => string;

/** Counts and times calls. */
class Tally {
  private readonly start = performance.now();
  private readonly cpu = process.cpuUsage();
  /** Of the first answer of each connection, and of all later ones. */
  private readonly first: number[] = [];
  private readonly later: number[] = [];
  private readonly unexpected: Record<string, number> = {};

  constructor(private readonly forSeconds: number) {}

  get isOver(): boolean {
    return this.seconds >= this.forSeconds;
  }

  get seconds(): number {
    return secondsSince(this.start);
  }

  good(since: number, isFirst: boolean): void {
    (isFirst ? this.first : this.later).push(performance.now() - since);
  }

  bad(what: string): void {
    this.unexpected[what] = (this.unexpected[what] ?? 0) + 1;
  }

  result(): Loaded {
    const latencies = [...this.first, ...this.later];
    const answered = latencies.length;
    const { user, system } = process.cpuUsage(this.cpu);
    return {
      answered,
      seconds: secondsSince(this.start),
      unexpected: this.unexpected,
      p50Ms: percentile(latencies, 0.5),
      p95Ms: percentile(latencies, 0.95),
      p99Ms: percentile(latencies, 0.99),
      maxMs: percentile(latencies, 1),
      firstMaxMs: percentile(this.first, 1),
      laterP99Ms: percentile(this.later, 0.99),
      cpuMicroseconds: (user + system) / Math.max(1, answered),
    };
  }
}

/** Contract, "Authentication": the headers of a signed request. */
function signedHead(
  request: string,
  host: string,
  parameters: Readonly<Record<string, string>>,
  apiKey: string,
): string {
  const timestamp = unixSeconds();
  const signature = merchantSignature({ ...parameters, timestamp }, apiKey);
  return (
    `${request} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${apiKey}\r\n` +
    `X-Timestamp: ${timestamp}\r\nX-Signature: ${signature}\r\n`
  );
}

/** Numbers that no other load has used. */
const run = randomBytes(6).toString('hex');
let number = 0;
const random = seeded(1);

function createDeposit(load: Load & { kind: 'createDeposit' }): NextRequest {
  const { host } = new URL(load.url);
  return () => {
    number++;
    const body = {
      merchant_order_no: `${run}-${number}`,
      amount: `${100 + Math.floor(random() * 9_900)}.${String(Math.floor(random() * 100)).padStart(2, '0')}`,
      currency_code: load.currencyCode,
      callback_url: load.callbackUrl ?? 'https://merchant.example/payments/callbacks',
      user_id: `user-${number % 5_000}`,
      account_holder: 'Somchai Jaidee',
    };
    const apiKey = load.apiKeys[number % load.apiKeys.length] ?? '';
    const text = JSON.stringify(body);
    const head = signedHead('POST /api/v1/merchant/orders/deposit', host, body, apiKey);
    return `${head}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
  };
}

function queryDeposit(load: Load & { kind: 'queryDeposit' }): NextRequest {
  const { host } = new URL(load.url);
  return () => {
    number++;
    const order = load.orders[number % load.orders.length];
    if (!order) throw new Error('there are no orders to query');
    const { orderNo, apiKey } = order;
    return `${signedHead(`GET /api/v1/merchant/query/deposit/${orderNo}`, host, {}, apiKey)}\r\n`;
  };
}

function setTimeoutIfLater(seconds: number, work: () => void): void {
  if (seconds > 0) setTimeout(work, seconds * 1000);
  else work();
}

/** The end of an answer, or undefined while it is incomplete. An answer has its length; none is chunked. */
function endOfAnswer(text: string): number | undefined {
  const head = text.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const length = /content-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  if (length === undefined) throw new Error('an answer has no Content-Length');
  const end = head + 4 + Number(length);
  return text.length >= end ? end : undefined;
}

/** How many more requests there are, and when the next may start, seconds since the beginning. */
class Quota {
  private taken = 0;
  constructor(
    private readonly most = Infinity,
    private readonly perSecond = Infinity,
  ) {}

  /** @returns seconds since the beginning; undefined if there are no more */
  take(): number | undefined {
    return this.taken < this.most ? this.taken++ / this.perSecond : undefined;
  }
}

/** One connection, one request under way, until time is up or the quota is used. */
async function converse(socket: Socket, next: NextRequest, expected: string, tally: Tally, quota: Quota) {
  await new Promise<void>((resolve, reject) => {
    let text = '';
    let since = 0;
    let isFirst = true;
    const send = (): void => {
      const at = tally.isOver ? undefined : quota.take();
      if (at === undefined) {
        resolve();
        return;
      }
      setTimeoutIfLater(at - tally.seconds, () => {
        since = performance.now();
        socket.write(next());
      });
    };
    // Latin 1, so that lengths are those of the bytes.
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      const end = endOfAnswer(text);
      if (end === undefined) return;
      const status = text.slice(9, 12);
      if (status === expected) tally.good(since, isFirst);
      else tally.bad(`HTTP ${status}: ${text.slice(text.indexOf('\r\n\r\n') + 4, end)}`);
      text = text.slice(end);
      isFirst = false;
      send();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      reject(new Error('the server closed the connection'));
    });
    send();
  });
  socket.destroy();
}

async function http(load: HttpLoad): Promise<Loaded> {
  const other = load.kind === 'createDeposit' ? load.otherUrl : undefined;
  const sockets = await Promise.all(
    Array.from(
      { length: load.connections },
      (_none, n) =>
        new Promise<Socket>((resolve, reject) => {
          const { hostname, port } = new URL(n % 2 === 1 ? (other ?? load.url) : load.url);
          const socket = connect({ host: hostname, port: Number(port), noDelay: true });
          socket.once('connect', () => {
            resolve(socket);
          });
          socket.once('error', reject);
        }),
    ),
  );
  const next = load.kind === 'createDeposit' ? createDeposit(load) : queryDeposit(load);
  const expected = load.kind === 'createDeposit' ? '201' : '200';
  const tally = new Tally(load.seconds);
  const quota = load.kind === 'createDeposit' ? new Quota(load.orders, load.perSecond) : new Quota();
  await Promise.all(
    sockets.map(async (socket) => {
      await converse(socket, next, expected, tally, quota);
    }),
  );
  return tally.result();
}

/** Like the gateway's own pool for single statements: db/client.ts. */
const POOL = { max: 16, max_pipeline: 1 };

/** The counterpart of an accepted deposit: one row, one prepared statement, one commit. */
const insertRow = async (sql: postgres.Sql): Promise<void> => {
  number++;
  await sql`
    insert into bench_rows (id, merchant_order_no, amount, currency_code, created_at)
    values (${uuidv7()}, ${`${run}-${number}`}, ${'100.00'}, ${'THB'}, ${new Date()})`;
};

/** The counterpart of a counted deposit: the one row that all wait for, one prepared statement, one commit. */
const updateHotRow = async (sql: postgres.Sql): Promise<void> => {
  await sql`
    update bench_hot_row set amount = amount + ${'100.00'}, deposits = deposits + 1 where id = 1`;
};

/** Runs single statements as fast as they are answered. */
async function statements({ kind, databaseUrl, connections, seconds }: StatementLoad): Promise<Loaded> {
  const sql = postgres(databaseUrl, { ...POOL, onnotice: () => undefined });
  await sql.unsafe(BENCH_TABLES);
  await Promise.all(Array.from({ length: POOL.max }, async () => await sql`select 1`));
  const step = kind === 'insertRows' ? insertRow : updateHotRow;
  const tally = new Tally(seconds);
  const caller = async (): Promise<void> => {
    for (let isFirst = true; !tally.isOver; isFirst = false) {
      const since = performance.now();
      await step(sql);
      tally.good(since, isFirst);
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  const result = tally.result();
  await sql.end();
  return result;
}

process.on('message', (load: Load) => {
  const work = load.kind === 'insertRows' || load.kind === 'updateHotRow' ? statements({ ...load }) : http(load);
  work.then(
    (loaded) => process.send?.(loaded),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => {
  process.exit(0);
});
