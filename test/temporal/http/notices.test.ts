import type { Socket } from 'node:net';
import { type CallbackAnswer, verdict } from '../../../domain/callback-verdict';
import { type CallbackSender, createCallbackSender } from '../../../temporal/http/callback-sender';
import { until } from '../../support/until';
import { type Receiver, tcpReceiver } from './support/receivers';
import { callback, INSECURE } from './support/request';

const CRLF = '\r\n';
/** An answer with these lines after its status line. */
const answer = (...lines: string[]) => ['HTTP/1.1 000 X', ...lines].join(CRLF);
const BODY = ['Content-Length: 7', '', 'success'];

/** Answers that are HTTP by their first line, with 000 for the status. */
const FORMS: Readonly<Record<string, string>> = {
  plain: answer(...BODY),
  'no headers': answer('', ''),
  'HTTP/1.0': answer('', 'success').replace('1.1', '1.0'),
  'no reason': answer(...BODY).replace(' X', ''),
  'two spaces': answer(...BODY).replace(' 000', '  000'),
  '17 KB of headers': answer(`Set-Cookie: a=${'x'.repeat(17_000)}`, ...BODY),
  '70 KB of headers': answer(`Set-Cookie: a=${'x'.repeat(70_000)}`, ...BODY),
  '2,000 headers': answer(...Array<string>(2_000).fill(`X-Debug: ${'y'.repeat(40)}`), ...BODY),
  'a fold': answer('X-A: b', '  c', ...BODY),
  'line feeds alone': answer('X-A: b', ...BODY).replaceAll(CRLF, '\n'),
  'a line feed alone before the body': answer('Content-Length: 7') + '\r\n\nsuccess',
  'a blank before a colon': answer('X-A : b', ...BODY),
  'a length twice': answer('Content-Length: 7', ...BODY),
  'two lengths': answer('Content-Length: 9', ...BODY),
  'a length that is no number': answer('Content-Length: seven', '', 'success'),
  'a length and chunks': answer('Transfer-Encoding: chunked', ...BODY),
  'no name': answer(': b', ...BODY),
  'a name with blanks': answer('X A: b', ...BODY),
  'no colon': answer('bad header', ...BODY),
  'odd bytes': answer('X-A: \u0001\u0000\u00e9\u00ff', 'X-\u00e9: b', ...BODY),
  'carriage returns alone': answer('X-A: b', ...BODY).replaceAll(CRLF, '\r'),
  'a broken chunk': answer('Transfer-Encoding: chunked', '', 'zz', ''),
  'a wrong encoding': answer('Content-Encoding: gzip', ...BODY),
  'an upgrade that is offered': answer('Upgrade: h2c', 'Connection: Upgrade', ...BODY),
  'announcements before it': `HTTP/1.1 100 Continue${CRLF}${CRLF}HTTP/1.1 103 E${CRLF}Link : </a>${CRLF}${CRLF}${answer(...BODY)}`,
  'an announcement with line feeds': `HTTP/1.1 103 Early\nLink: </a>\n\n${answer(...BODY)}`,
  'bytes behind it': `${answer(...BODY)}${'z'.repeat(50)}`,
};

let sender: CallbackSender;
const receivers: Receiver[] = [];
beforeEach(() => {
  sender = createCallbackSender({ webhookSslVerify: true });
});
afterEach(async () => {
  sender.close();
  for (const receiver of receivers.splice(0)) await receiver.close();
});

/** Raw TCP: `serve` is called with the n-th request of a connection, from 0, and the connection's number. */
async function listen(serve: (socket: Socket, n: number, connection: number) => void) {
  let connections = 0;
  const receiver = await tcpReceiver((socket) => {
    const connection = connections++;
    let n = 0;
    socket.on('data', () => {
      serve(socket, n++, connection);
    });
  });
  receivers.push(receiver);
  return receiver;
}

const post = async ({ port }: Receiver, notice = true, timeoutMs = 30_000) =>
  await sender.post(callback(`http://127.0.0.1:${port}/`, INSECURE, { timeoutMs, notice }));
const status = (given: CallbackAnswer) => (given.kind === 'answered' ? given.status : given);

describe('the answer to a callback counts by its status', () => {
  test.each(Object.entries(FORMS))('%s', async (_, form) => {
    const sent = [200, 204, 299, 302, 404, 500, 503];
    /** At once, or cut within its status line. */
    const came = async (code: number, cut: number) => {
      const bytes = Buffer.from(form.replace(' 000', ` ${String(code)}`), 'latin1');
      const receiver = await listen((socket) => {
        socket.setNoDelay().write(bytes.subarray(0, cut));
        setTimeout(() => socket.end(bytes.subarray(cut)), 5);
      });
      return status(await post(receiver));
    };
    for (const cut of [5, 1e6])
      expect(await Promise.all(sent.map(async (code) => await came(code, cut)))).toEqual(sent);
  });

  test('one of a channel does not: it is read in full', async () => {
    const receiver = await listen((socket) => socket.end(answer('X-A : b', ...BODY).replace('000', '200')));
    expect(await post(receiver, false)).toMatchObject({ reason: 'protocol' });
  });

  test('megabytes of headers are not read; what is kept of the answer is', async () => {
    const bomb = Buffer.from(answer(`X: ${'y'.repeat(8e6)}`, ...BODY).replace('000', '200'));
    const receiver = await listen((socket) => socket.end(bomb));
    expect(status(await post(receiver))).toBe(200);
    const large = await listen((socket) => socket.write((FORMS['70 KB of headers'] ?? '').replace('000', '200')));
    expect(await post(large)).toMatchObject({ status: 200, body: 'success' });
  });

  test('an odd connection is not used again', async () => {
    const receiver = await listen((socket) => socket.write(answer('Content-Length: 7', ...BODY).replace('000', '200')));
    for (let n = 0; n < 3; n++) expect(status(await post(receiver))).toBe(200);
    expect(receiver.connections()).toBe(3);
    await until('none is open', () => receiver.open() === 0);
  });

  test('the status line and an end are enough; a line that breaks off, a reset and a late end are not', async () => {
    const ends: [(socket: Socket) => void, unknown][] = [
      [(socket) => socket.end('HTTP/1.1 200 OK\r\n'), { status: 200 }],
      [(socket) => socket.end('HTTP/1.1 404 No\r\nX-A: b\r\n'), { status: 404 }],
      [(socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'), { reason: 'reset' }],
      [(socket) => socket.end('HTTP/1.1 20'), { reason: 'reset' }],
      [(socket) => socket.end('HTTP/1.1 103 Early\r\n\r\n'), { reason: 'reset' }],
      [(socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), { reason: 'protocol' }],
      [(socket) => socket.write('HTTP/1.1 200 OK\r\nX-A: b\r\n'), { reason: 'timeout' }],
      [(socket) => socket.resetAndDestroy(), { reason: 'reset' }],
    ];
    for (const [end, expected] of ends) {
      const late = JSON.stringify(expected).includes('timeout');
      expect(await post(await listen(end), true, late ? 500 : 30_000)).toMatchObject(expected as object);
    }
  });
});

describe('a kept connection that its receiver has closed', () => {
  const OK = answer(...BODY).replace('000', '200');

  test.each([16, 32])('costs no attempt: %i callbacks back to back', async (count) => {
    const receiver = await listen((socket) => socket.end(OK));
    for (let n = 0; n < count; n++) expect(verdict(await post(receiver))).toBe('SUCCESS');
  });

  test('is replaced once, by a new one, and only for a callback', async () => {
    const receiver = await listen((socket, n) => {
      if (n === 0) socket.write(OK);
      else socket.resetAndDestroy();
    });
    for (let n = 0; n < 3; n++) expect(status(await post(receiver))).toBe(200);
    expect(receiver.connections()).toBe(3);
    expect(status(await post(receiver, false))).toBe(200);
    expect(await post(receiver, false)).toMatchObject({ reason: 'reset' });
    expect(receiver.connections()).toBe(4);
  });

  test('is not replaced if the new one closes too, after a byte of an answer, or if it was new', async () => {
    const closed = await listen((socket, n, connection) => {
      if (n === 0 && connection === 0) socket.write(OK);
      else socket.destroy();
    });
    expect(status(await post(closed))).toBe(200);
    expect(await post(closed)).toMatchObject({ reason: 'reset' });
    expect(closed.connections()).toBe(2);
    expect(await post(closed)).toMatchObject({ reason: 'reset' });
    expect(closed.connections()).toBe(3);
    const began = await listen((socket, n) => {
      if (n === 0) socket.write(OK);
      else socket.end('HTTP/1.1 2');
    });
    expect(status(await post(began))).toBe(200);
    expect(await post(began)).toMatchObject({ reason: 'reset' });
    expect(began.connections()).toBe(1);
  });
});
