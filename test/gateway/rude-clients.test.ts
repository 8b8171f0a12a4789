import { spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { Connections } from '../../gateway/connections';
import { depositBody, md5, MERCHANT_API, type MerchantClient, Platform, signingString } from '../support/platform';
import { answersIn, rawHttp } from '../support/raw-http';

const silent = pino({ level: 'silent' });

/** Slow clients get 5 s and are checked once a second, clients that do not read get 10 s; the rest allows for a busy machine. */
const ENDED_WITHIN_MS = 45_000;
/** Limit of memory for all of them together. */
const MOST_MEMORY = 300 * 1024 * 1024;
/** Far shorter than the slow clients' wait; the rest allows for a busy machine. */
const HONEST_WITHIN_MS = 15_000;

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Behaviour of one kind of bad client: see support/rude-clients.mjs. */
interface Rude {
  readonly name: string;
  readonly count: number;
  /** Sent first. */
  readonly head?: string;
  /** Then sent repeatedly. */
  readonly piece?: string;
  readonly everyMs?: number;
  /** False for clients that do not read answers. */
  readonly reads?: boolean;
}

/** Runs bad clients in a process. @returns when each kind was disconnected; null for one still connected at the end */
function rudeClients(port: number, kinds: readonly Rude[], withinMs: number) {
  const script = path.join(__dirname, '..', 'support', 'rude-clients.mjs');
  const child = spawn(process.execPath, [script, String(port), JSON.stringify(kinds)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const timer = setTimeout(() => child.stdin.end(), withinMs);
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  return once(child, 'exit').then(() => {
    clearTimeout(timer);
    return JSON.parse(printed) as Record<string, number | null>;
  });
}

describe('slow and oversized clients', () => {
  let platform: Platform;
  let merchant: MerchantClient;

  beforeAll(async () => {
    // The time limit for slow clients is under test.
    platform = await Platform.open({ deps: { clientPatience: 1 } });
    merchant = await platform.merchant();
  });
  afterAll(async () => {
    await platform.close();
  });

  const create = `POST ${MERCHANT_API}/orders/deposit HTTP/1.1\r\nHost: a\r\n`;
  const chunks = `${create}Transfer-Encoding: chunked\r\n\r\n`;
  const slow = { piece: 'x', everyMs: 200 };
  const fast = { count: 5, everyMs: 10, reads: false };
  /** With a wrong signature, so that each is looked up and refused. */
  const signed = (): string =>
    `GET ${MERCHANT_API}/balance HTTP/1.1\r\nHost: a\r\nX-API-Key: x\r\nX-Signature: x\r\n` +
    `X-Timestamp: ${platform.timestamp()}\r\n\r\n`;

  it.each<[string, () => readonly Rude[]]>([
    [
      'slow',
      () => [
        { name: 'idle', count: 200 },
        { name: 'slow headers', count: 100, head: `${create}X-Slow: `, ...slow },
        { name: 'slow body', count: 100, head: `${create}Content-Length: 60000\r\n\r\n`, ...slow },
        { name: 'slow chunk', count: 50, head: `${chunks}ffff\r\n`, ...slow },
        // It does not see that its connection was ended, and sends on.
        { name: 'unread refusal', count: 20, head: `${chunks}ffff\r\n`, ...slow, reads: false },
      ],
    ],
    [
      'oversized',
      () => [
        { name: 'endless headers', head: create, piece: `X: ${'x'.repeat(1_000)}\r\n`, ...fast },
        { name: 'endless header', head: `${create}X: `, piece: 'x'.repeat(10_000), ...fast },
        { name: 'endless line', head: 'GET /', piece: 'x'.repeat(10_000), ...fast },
        {
          name: 'endless chunks',
          head: chunks,
          piece: `4000\r\n${'x'.repeat(0x4000)}\r\n`,
          ...fast,
        },
        { name: 'endless extension', head: `${chunks}1;`, piece: 'x'.repeat(10_000), ...fast },
        { name: 'endless requests', piece: get('/').repeat(50), ...fast },
        { name: 'endless signed requests', piece: signed().repeat(50), ...fast },
        { name: 'unread answers', piece: get('/').repeat(15), ...fast, count: 3, everyMs: 20 },
      ],
    ],
  ])('that are %s are ended in time and in little memory, an honest one is served', async (kind, kindsOf) => {
    const kinds = kindsOf();
    // On an established connection, so that it does not count among the slow new ones.
    expect(await merchant.signed('GET', '/balance')).toMatchObject({ status: 200 });
    const before = process.memoryUsage().rss;
    let most = before;
    let slowest = 0;
    let served = 0;
    let ended: Record<string, number | null> | undefined;
    const over = rudeClients(platform.port, kinds, ENDED_WITHIN_MS).then((value) => (ended = value));
    while (!ended) {
      const sent = performance.now();
      expect(await merchant.signed('GET', '/balance')).toMatchObject({ status: 200 });
      slowest = Math.max(slowest, performance.now() - sent);
      served++;
      most = Math.max(most, process.memoryUsage().rss);
      await sleep(50);
    }
    await over;
    const memory = Math.round((most - before) / 1024 / 1024);
    process.stdout.write(
      `${kind} clients: ended=${JSON.stringify(ended)} ms, memory=+${memory} MiB, ` +
        `honest requests=${served}, slowest=${Math.round(slowest)} ms\n`,
    );
    expect(Object.entries(ended).filter(([, ms]) => ms === null)).toEqual([]);
    expect(most - before).toBeLessThan(MOST_MEMORY);
    expect(slowest).toBeLessThan(HONEST_WITHIN_MS);
  });
});

describe('pipelined requests', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await Platform.open();
    await platform.account();
  });
  afterAll(async () => {
    await platform.close();
  });

  it('are processed in order: a query sees the order created just before', async () => {
    const merchant = await platform.merchant();
    const timestamp = platform.timestamp();
    const body = depositBody();
    const head = (line: string, fields: Record<string, unknown>): string =>
      `${line} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${merchant.apiKey}\r\nX-Timestamp: ${timestamp}\r\n` +
      `X-Signature: ${md5(signingString(fields, timestamp) + merchant.apiKey)}\r\n`;
    const text = JSON.stringify(body);
    const { merchant_order_no } = body;
    const bytes =
      `${head(`POST ${MERCHANT_API}/orders/deposit`, body)}Content-Type: application/json\r\n` +
      `Content-Length: ${text.length}\r\n\r\n${text}` +
      `${head(`GET ${MERCHANT_API}/query/deposit?merchant_order_no=${merchant_order_no}`, { merchant_order_no })}\r\n`;
    const answers = answersIn(await rawHttp(platform.port, bytes, { answers: 2 }));
    expect(answers).toMatchObject([{ status: 201 }, { status: 200 }]);
  });

  it('are at most twenty on a connection', async () => {
    const live = get('/health/live').repeat(20);
    const twenty = answersIn(await rawHttp(platform.port, live, { answers: 20 }));
    expect(twenty.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const outcome = rawHttp(platform.port, get('/health/ready').repeat(21));
    expect(await outcome.catch(() => '')).toBe('');
  });
});

const MOST = 10;

const until = async (so: () => boolean): Promise<void> => {
  while (!so()) await sleep(5);
};

/** A server that answers at once, except for requests held in `slow`. */
async function served(silenceMs = 0) {
  const slow: ServerResponse[] = [];
  let accepted = 0;
  const connections = new Connections(silent, MOST);
  const server = createServer((request, response) => {
    if (request.url === '/slow') slow.push(response);
    else response.end('done');
  });
  server.timeout = silenceMs;
  connections.watch(server);
  server.on('connection', () => accepted++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    slow,
    /** An accepted connection. */
    opened: async (bytes = ''): Promise<Socket> => {
      const before = accepted;
      const socket = connect({ port, host: '127.0.0.1' }).setEncoding('utf8');
      socket.on('error', () => undefined);
      await until(() => accepted > before);
      if (bytes !== '') socket.write(bytes);
      return socket;
    },
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('connections above the limit', () => {
  it('replace idle ones, first those that never sent a request', async () => {
    const { slow, opened, close } = await served();
    const kept = await opened(get('/'));
    await once(kept, 'data');
    const busy = await opened(get('/slow'));
    await until(() => slow.length === 1);
    const silentOnes: Socket[] = [];
    for (let n = 2; n < MOST; n++) silentOnes.push(await opened());

    const newcomers: Socket[] = [];
    for (let n = 2; n < MOST; n++) {
      const newcomer = await opened(get('/'));
      const [answer] = (await once(newcomer, 'data')) as [string];
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      newcomers.push(newcomer);
    }
    await until(() => silentOnes.every(({ destroyed }) => destroyed));
    expect(kept.destroyed).toBe(false);

    // Then the connection idle for longest; never one that awaits its answer.
    const [answer] = (await once(await opened(get('/')), 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    await until(() => kept.destroyed);
    expect(newcomers.some(({ destroyed }) => destroyed)).toBe(false);
    slow[0]?.end('slow');
    const [late] = (await once(busy, 'data')) as [string];
    expect(late).toMatch(/slow$/);
    await close();
  });

  it('are refused while all others are busy', async () => {
    const { slow, opened, close } = await served();
    const busy: Socket[] = [];
    for (let n = 0; n < MOST; n++) busy.push(await opened(get('/slow')));
    await until(() => slow.length === MOST);
    const refused = await opened(get('/'));
    await until(() => refused.destroyed);
    const heard = Promise.all(busy.map(async (one) => (await once(one, 'data')) as [string]));
    for (const response of slow) response.end('slow');
    expect((await heard).every(([answer]) => answer.endsWith('slow'))).toBe(true);
    await close();
  });
});

describe('the limit of silence', () => {
  const SILENCE_MS = 100;

  it('does not count while we are the ones who have not answered', async () => {
    const { slow, opened, close } = await served(SILENCE_MS);
    const waiting = await opened(get('/slow'));
    const heard: string[] = [];
    waiting.on('data', (text: string) => heard.push(text));
    await until(() => slow.length === 1);
    await sleep(3 * SILENCE_MS);
    slow[0]?.end('slow');
    await until(() => heard.length > 0 || waiting.destroyed);
    expect(heard.join('')).toMatch(/slow$/);
    await close();
  });

  it.each([
    ['sends nothing', ''],
    ['does not send its request to the end', 'GET /slow HTTP/1.1\r\n'],
    ['does not send its body', 'POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n'],
  ])('ends a connection that %s', async (_what, bytes) => {
    const { opened, close } = await served(SILENCE_MS);
    const silentOne = await opened(bytes);
    silentOne.resume();
    await until(() => silentOne.destroyed);
    expect(silentOne.readableEnded).toBe(true);
    await close();
  });

  it('ends a connection that does not read its answer, although it asked more', async () => {
    const { slow, opened, close } = await served(SILENCE_MS);
    const unread = await opened();
    unread.pause();
    unread.write(get('/slow').repeat(2));
    await until(() => slow.length === 1);
    slow[0]?.end('x'.repeat(64 * 1024 * 1024));
    await until(() => slow[0]?.req.socket.destroyed === true);
    expect(slow).toHaveLength(1);
    await close();
  });
});
