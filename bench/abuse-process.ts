import { connect } from 'node:net';
import { Agent, request } from 'undici';
import { ABUSE, fresh } from './abuse-corpus';

/* `fork`ed by benches/abuse.ts: sends the corpus, each time a little different, so that no cache contains it. */

interface Task {
  readonly url: string;
  readonly token: string;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Sockets that send nothing, or little by little. */
const SLOW_SOCKETS = 100;

async function fire({ url, token, perSecond, seconds }: Task): Promise<number> {
  const { hostname, port } = new URL(url);
  const slow = Array.from({ length: SLOW_SOCKETS }, (_, n) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    if (n % 2) socket.write('POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n{');
    return socket;
  });
  const dispatcher = new Agent({ connections: 16 });
  let refused = 0;
  const under: Promise<void>[] = [];
  const began = performance.now();
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = began + (n / perSecond) * 1000;
    const wait = due - performance.now();
    if (wait > 1) await new Promise((resolve) => setTimeout(resolve, wait));
    const one = ABUSE[n % ABUSE.length];
    if (!one) continue;
    const headers = {
      'content-type': 'application/json',
      ...(n % 2 ? { authorization: `Bearer ${token}` } : {}),
    };
    under.push(
      request(url, { method: 'POST', headers, body: fresh(one.body, n), dispatcher }).then(
        async ({ statusCode, body }) => {
          await body.dump();
          if (statusCode >= 400 && statusCode < 500) refused++;
        },
      ),
    );
  }
  await Promise.all(under);
  for (const socket of slow) socket.destroy();
  return refused;
}

process.on('message', (task: Task) => {
  fire(task).then(
    (refused) => process.send?.({ refused }),
    (error: unknown) => {
      process.stderr.write(`${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => {
  process.exit(0);
});
