import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { type CallbackAnswer, verdict } from '../../../domain/callback-verdict';
import { type CallbackSender, createCallbackSender } from '../../../temporal/http/callback-sender';
import { KEPT_BYTES } from '../../../temporal/http/kept-body';
import { until } from '../../support/until';
import { cannedReceiver, httpReceiver, type Receiver, tcpReceiver } from './support/receivers';
import { API_KEY, callback, INSECURE, SIGNATURE } from './support/request';

let sender: CallbackSender;
const receivers: Receiver[] = [];
beforeEach(() => {
  sender = createCallbackSender({ webhookSslVerify: true });
});
afterEach(async () => {
  sender.close();
  for (const receiver of receivers.splice(0)) await receiver.close();
});

/** A receiver that is closed when the test ends, with its URL. */
async function at(starting: Promise<Receiver>): Promise<Receiver & { url: string }> {
  const receiver = await starting;
  receivers.push(receiver);
  return { ...receiver, url: `http://127.0.0.1:${receiver.port}/hook?x=1` };
}

/** A timeout that no answer exceeds, even on a busy machine. */
const PATIENT_MS = 30_000;
/** A deadline that works ends the attempt sooner than this. */
const LATE_MS = 25_000;

const post = async (url: string, timeoutMs = PATIENT_MS): Promise<CallbackAnswer> =>
  await sender.post(callback(url, INSECURE, { timeoutMs }));

/**
 * Acts after the written bytes have been read: they are in the reader's buffer, and each turn of the event loop reads
 * what is there, even if all timers of a stalled machine are due at once.
 */
async function afterIt(work: () => void): Promise<void> {
  await sleep(50);
  for (let turns = 0; turns < 20; turns++) await turn();
  work();
}

/** Posts, and measures the time in milliseconds. */
async function timed(url: string, timeoutMs: number): Promise<[CallbackAnswer, number]> {
  const start = performance.now();
  const answer = await post(url, timeoutMs);
  return [answer, performance.now() - start];
}

async function expectNoneOpen(receiver: Receiver): Promise<void> {
  await until('no open connection', () => receiver.open() === 0);
}

describe('what is sent', () => {
  test('one POST with the given headers and exact bytes; no proxy is asked', async () => {
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = 'http://127.0.0.1:9';
    const body = '{"merchant_order_no":"ключ-😀","amount":"1.0000"}';
    let seen: { line: string; headers: object; body: string } | undefined;
    const { url } = await at(
      httpReceiver((request, response) => {
        let text = '';
        request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        request.on('end', () => {
          seen = { line: `${request.method} ${request.url}`, headers: request.headers, body: text };
          response.end();
        });
      }),
    );
    await sender.post(callback(`${url}#fragment`, INSECURE, { body }));
    delete process.env['HTTP_PROXY'];
    delete process.env['http_proxy'];
    expect(seen).toEqual({
      line: 'POST /hook?x=1',
      body,
      headers: {
        host: new URL(url).host,
        connection: 'keep-alive',
        'content-length': String(Buffer.byteLength(body)),
        'content-type': 'application/json',
        accept: '*/*',
        'user-agent': 'Causeway',
        'x-api-key': API_KEY,
        'x-timestamp': '1735689600',
        'x-signature': SIGNATURE,
      },
    });
  });

  test('connections are kept alive, and parallel attempts do not wait for each other', async () => {
    const receiver = await at(httpReceiver((_, response) => setTimeout(() => response.end('success'), 50)));
    for (let i = 0; i < 3; i++) await post(receiver.url);
    expect(receiver.connections()).toBe(1);
    await Promise.all(Array.from({ length: 40 }, async () => await post(receiver.url)));
    expect(receiver.connections()).toBe(40);
    for (let i = 0; i < 3; i++) await post(receiver.url);
    expect(receiver.connections()).toBe(40);
    sender.close();
    await expectNoneOpen(receiver);
  });

  test('a receiver that closes each connection is served on new ones', async () => {
    const receiver = await at(httpReceiver((_, response) => response.setHeader('connection', 'close').end('success')));
    for (let i = 0; i < 5; i++) expect(verdict(await post(receiver.url))).toBe('SUCCESS');
    expect(receiver.connections()).toBe(5);
  });

  test('an idle connection that the receiver closes is forgotten', async () => {
    const receiver = await at(
      cannedReceiver('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', (socket) => {
        setTimeout(() => socket.end(), 20);
      }),
    );
    for (let i = 0; i < 3; i++) {
      expect(verdict(await post(receiver.url))).toBe('SUCCESS');
      await expectNoneOpen(receiver);
    }
    expect(receiver.connections()).toBe(3);
  });
});

describe('what the receiver answers', () => {
  test.each([
    [200, 'SUCCESS'],
    [201, 'SUCCESS'],
    [204, 'SUCCESS'],
    [301, 'FAILED'],
    [304, 'FAILED'],
    [400, 'FAILED'],
    [401, 'FAILED'],
    [404, 'FAILED'],
    [410, 'FAILED'],
    [500, 'RETRY'],
    [503, 'RETRY'],
    [600, 'RETRY'],
  ])('%i: %s', async (status, expected) => {
    const { url } = await at(cannedReceiver(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`));
    const answer = await post(url);
    expect(answer).toEqual({
      kind: 'answered',
      status,
      body: '',
      durationMs: expect.any(Number) as number,
    });
    expect(verdict(answer)).toBe(expected);
  });

  test('a redirect is not followed', async () => {
    const target = await at(httpReceiver((_, response) => response.end()));
    const { url } = await at(
      httpReceiver((_, response) => response.writeHead(307, { location: target.url }).end('moved')),
    );
    expect(await post(url)).toMatchObject({ status: 307, body: 'moved' });
    expect(target.connections()).toBe(0);
  });

  test('HTTP/1.0 and an answer without a length are read to their end', async () => {
    const { url } = await at(cannedReceiver('HTTP/1.0 200 OK\r\n\r\nsuccess', (socket) => socket.end()));
    expect(await post(url)).toMatchObject({ kind: 'answered', status: 200, body: 'success' });
  });

  test('early hints are not an answer', async () => {
    const { url } = await at(
      cannedReceiver('HTTP/1.1 103 Early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
    );
    expect(await post(url)).toMatchObject({ kind: 'answered', status: 200, body: 'ok' });
    const only = await at(cannedReceiver('HTTP/1.1 103 Early\r\n\r\n'));
    expect(await post(only.url, 300)).toMatchObject({ kind: 'unreachable', reason: 'timeout' });
  });

  test('100 Continue is not an answer', async () => {
    const { url } = await at(
      cannedReceiver(
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n' +
          'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
      ),
    );
    expect(await post(url)).toMatchObject({ kind: 'answered', status: 200, body: 'ok' });
    const only = await at(cannedReceiver('HTTP/1.1 100 Continue\r\n\r\n'));
    expect(await post(only.url, 300)).toMatchObject({ kind: 'unreachable', reason: 'timeout' });
  });

  test('secrets that the receiver echoes are not kept', async () => {
    const { url } = await at(
      httpReceiver((request, response) => {
        response.writeHead(500).end(JSON.stringify(request.headers));
      }),
    );
    const answer = JSON.stringify(await post(url));
    expect(answer).toContain('x-timestamp');
    expect(answer).not.toContain(API_KEY);
    expect(answer).not.toContain(SIGNATURE);
  });
});

describe('a status that has arrived is the answer, even if its body fails', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin';

  test.each<[string, (socket: Socket) => void, number]>([
    ['closed in mid-body', (socket) => socket.end(), PATIENT_MS],
    ['reset in mid-body', (socket) => void afterIt(() => socket.resetAndDestroy()), PATIENT_MS],
    ['hangs in mid-body', () => undefined, 1_500],
  ])('%s', async (_, after, timeoutMs) => {
    const receiver = await at(cannedReceiver(HEAD, after));
    const answer = await post(receiver.url, timeoutMs);
    expect(answer).toMatchObject({ kind: 'answered', status: 200, body: 'begin' });
    await expectNoneOpen(receiver);
  });

  test('counts although its chunks are broken', async () => {
    const { url } = await at(
      cannedReceiver('HTTP/1.1 202 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbegin\r\nzz\r\n'),
    );
    expect(await post(url)).toMatchObject({ kind: 'answered', status: 202, body: 'begin' });
  });

  test('a body that trickles is cut at the deadline', async () => {
    const receiver = await at(
      httpReceiver((_, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write('.'), 20);
        response.on('close', () => {
          clearInterval(drip);
        });
      }),
    );
    const [answer, took] = await timed(receiver.url, 1_500);
    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    expect(took).toBeGreaterThanOrEqual(1_495);
    expect(took).toBeLessThan(LATE_MS);
    await expectNoneOpen(receiver);
  });

  test('a giant body is left unread', async () => {
    let written = 0;
    const receiver = await at(
      httpReceiver((_, response) => {
        const chunk = Buffer.alloc(64 * 1024, 'x');
        const pour = (): void => {
          while (!response.destroyed && written < 1e9) {
            written += chunk.length;
            if (!response.write(chunk)) return;
          }
        };
        response.on('drain', pour);
        pour();
      }),
    );
    const [answer, took] = await timed(receiver.url, PATIENT_MS);
    if (answer.kind !== 'answered') throw new Error(answer.kind);
    expect(answer.body).toBe('x'.repeat(KEPT_BYTES));
    expect(took).toBeLessThan(LATE_MS);
    await expectNoneOpen(receiver);
    // Socket buffers of the system, both sides.
    expect(written).toBeLessThan(32 * 1024 * 1024);
  });
});

describe('no answer', () => {
  const trickle = (socket: Socket): void => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
    socket.on('close', () => {
      clearInterval(drip);
    });
  };

  test.each<[string, (socket: Socket) => void, string]>([
    ['says nothing', () => undefined, 'timeout'],
    ['trickles headers', trickle, 'timeout'],
    ['closes at once', (socket) => socket.end(), 'reset'],
    ['resets at once', (socket) => socket.resetAndDestroy(), 'reset'],
    ['speaks no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), 'protocol'],
    ['breaks a header', (socket) => socket.end('HTTP/1.1 200 OK\r\nbad header\r\n\r\n'), 'protocol'],
    ['ends within headers', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'), 'reset'],
    ['sends endless headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nX: ' + 'y'.repeat(1e5)), 'protocol'],
    [
      'upgrades unasked',
      (socket) => socket.write('HTTP/1.1 101 S\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'),
      'reset',
    ],
  ])('a receiver that %s', async (_, serve, reason) => {
    const receiver = await at(
      tcpReceiver((socket) => {
        socket.once('data', () => {
          serve(socket);
        });
      }),
    );
    const [answer, took] = await timed(receiver.url, reason === 'timeout' ? 500 : PATIENT_MS);
    expect(answer).toMatchObject({ kind: 'unreachable', reason });
    expect(verdict(answer)).toBe('RETRY');
    expect(took).toBeGreaterThanOrEqual(reason === 'timeout' ? 495 : 0);
    expect(took).toBeLessThan(LATE_MS);
    expect(JSON.stringify(answer)).not.toContain(API_KEY);
    await expectNoneOpen(receiver);
  });

  test('is the result if nothing listens', async () => {
    const receiver = await tcpReceiver(() => undefined);
    await receiver.close();
    expect(await post(`http://127.0.0.1:${receiver.port}/`)).toMatchObject({
      kind: 'unreachable',
      reason: 'refused',
    });
  });

  test('a TLS handshake that hangs is cut at the deadline, socket and all', async () => {
    const receiver = await at(tcpReceiver(() => undefined));
    const [answer, took] = await timed(`https://127.0.0.1:${receiver.port}/`, 300);
    expect(answer).toMatchObject({ kind: 'unreachable', reason: 'timeout' });
    expect(took).toBeLessThan(LATE_MS);
    await expectNoneOpen(receiver);
  });

  test('a connection that is not established in its own time ends the attempt; an answer may take longer', async () => {
    const silent = await at(tcpReceiver(() => undefined));
    const slow = await at(httpReceiver((_, response) => setTimeout(() => response.end('success'), 600)));
    const within = { timeoutMs: PATIENT_MS, connectMs: 300 };
    const [dead, late] = await Promise.all([
      sender.post(callback(`https://127.0.0.1:${silent.port}/`, INSECURE, within)),
      sender.post(callback(slow.url, INSECURE, within)),
    ]);
    expect(dead).toMatchObject({
      kind: 'unreachable',
      reason: 'timeout',
      detail: expect.stringContaining('no connection within 300 ms') as string,
    });
    expect(verdict(late)).toBe('SUCCESS');
    await expectNoneOpen(silent);
  });

  test('an attempt past its deadline is never sent later', async () => {
    let received = 0;
    const receiver = await at(httpReceiver(() => received++));
    let found: (addresses: string[]) => void = () => undefined;
    const slow = createCallbackSender({
      webhookSslVerify: true,
      lookup: async () => await new Promise((resolve) => (found = resolve)),
    });
    const url = `http://slow.example:${receiver.port}/`;
    const answer = await slow.post(callback(url, INSECURE, { timeoutMs: 200 }));
    expect(answer).toMatchObject({ reason: 'timeout' });
    found(['127.0.0.1']);
    await sleep(200);
    expect(received).toBe(0);
    expect(receiver.connections()).toBe(0);
    slow.close();
  });
});

describe('shutdown', () => {
  test('an abort rejects with its reason and ends the socket', async () => {
    const receiver = await at(tcpReceiver(() => undefined));
    const stop = new AbortController();
    const reason = new Error('worker stops');
    const posting = sender.post(callback(receiver.url, INSECURE), stop.signal);
    setTimeout(() => {
      stop.abort(reason);
    }, 50);
    await expect(posting).rejects.toBe(reason);
    await expectNoneOpen(receiver);
    await expect(sender.post(callback(receiver.url, INSECURE), stop.signal)).rejects.toBe(reason);
  });

  test('an abort after the status keeps the acknowledgement', async () => {
    const stop = new AbortController();
    const { url } = await at(
      cannedReceiver('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', () => {
        void afterIt(() => {
          stop.abort();
        });
      }),
    );
    const answer = await sender.post(callback(url, INSECURE), stop.signal);
    expect(verdict(answer)).toBe('SUCCESS');
  });

  test('close ends idle and busy connections; attempts in flight and later ones reject', async () => {
    const receiver = await at(
      httpReceiver((request, response) => {
        if (request.url === '/quick') response.end();
      }),
    );
    const quick = `http://127.0.0.1:${receiver.port}/quick`;
    await Promise.all([post(quick), post(quick)]);
    const posting = post(receiver.url);
    setTimeout(() => {
      sender.close();
    }, 50);
    await expect(posting).rejects.toThrow(/destroyed/);
    await expectNoneOpen(receiver);
    await expect(post(receiver.url)).rejects.toThrow('the callback sender is closed');
  });

  test('a header that cannot be sent is our own error and shows no value', async () => {
    const { url } = await at(httpReceiver((_, response) => response.end()));
    const posting = sender.post(callback(url, INSECURE, { headers: { 'x-api-key': 'a\nsecret' } }));
    await expect(posting).rejects.toThrow(/^invalid x-api-key header$/);
  });
});
