import { connect } from 'node:net';

/** No connection of the tests lasts this long: a test that waits longer waits for the wrong thing. */
const SILENCE_MS = 120_000;

/**
 * Writes bytes to a port and reads until the other side ends.
 * @param options answers: stop after this many, on a connection that stays open; pauseMs: between the parts; halfClose:
 * our side closes after the bytes
 * @returns all that came, as text
 */
export async function rawHttp(
  port: number,
  bytes: string | readonly string[],
  { answers = Infinity, pauseMs = 0, halfClose = false } = {},
): Promise<string> {
  return await new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1' });
    const end = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setEncoding('utf8');
    socket.setTimeout(SILENCE_MS);
    socket.on('data', (part: string) => {
      text += part;
      if (wholeIn(text).length >= answers) end();
    });
    socket.on('error', reject);
    socket.on('end', end);
    socket.on('timeout', () => {
      socket.destroy(new Error(`the connection stands still after ${JSON.stringify(text)}`));
    });
    const writeAll = async (): Promise<void> => {
      for (const part of [bytes].flat()) {
        socket.write(part);
        if (pauseMs > 0) await new Promise((later) => setTimeout(later, pauseMs));
      }
      if (halfClose) socket.end();
    };
    writeAll().catch(reject);
  });
}

/** The complete HTTP answers in a text of one-byte characters; each has a Content-Length. */
function wholeIn(text: string): { head: string; body: string }[] {
  const answers = [];
  for (let rest = text; ;) {
    const split = rest.indexOf('\r\n\r\n');
    if (split < 0) return answers;
    const head = rest.slice(0, split);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const body = rest.slice(split + 4, split + 4 + length);
    if (body.length < length) return answers;
    answers.push({ head, body });
    rest = rest.slice(split + 4 + length);
  }
}

/** The status and JSON body of each of them. */
export const answersIn = (text: string): { status: number; head: string; body: unknown }[] =>
  wholeIn(text).map(({ head, body }) => ({
    status: Number(head.split(' ')[1]),
    head,
    body: JSON.parse(body) as unknown,
  }));
