import { connect } from 'node:net';

/**
 * Writes bytes to a port and reads until the other side ends, or says nothing for so long.
 * @returns all that came, as text
 */
export async function rawHttp(
  port: number,
  bytes: string | readonly string[],
  { silenceMs = 500, pauseMs = 0 } = {},
): Promise<string> {
  return await new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ port, host: '127.0.0.1' });
    socket.setEncoding('utf8');
    socket.setTimeout(silenceMs);
    socket.on('data', (part: string) => (answer += part));
    socket.on('error', reject);
    const end = (): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('end', end);
    socket.on('timeout', end);
    const writeAll = async (): Promise<void> => {
      for (const part of [bytes].flat()) {
        socket.write(part);
        if (pauseMs > 0) await new Promise((later) => setTimeout(later, pauseMs));
      }
    };
    writeAll().catch(reject);
  });
}

/** The status and JSON body of each HTTP answer in a text that has Content-Length throughout. */
export function answersIn(text: string): { status: number; head: string; body: unknown }[] {
  const answers = [];
  for (let rest = text; rest !== '';) {
    const split = rest.indexOf('\r\n\r\n');
    const head = rest.slice(0, split);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const body = rest.slice(split + 4, split + 4 + length);
    answers.push({ status: Number(head.split(' ')[1]), head, body: JSON.parse(body) as unknown });
    rest = rest.slice(split + 4 + length);
  }
  return answers;
}
