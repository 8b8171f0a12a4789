import WebSocket from 'ws';
import { clockMs, type SocketsResult, type SocketsTask } from './sockets';

/* `fork`ed by sockets.ts. */

let awaited = 0;
let at: number[] = [];
let last: Buffer = Buffer.alloc(0);

function tell(): void {
  if (awaited === 0 || at.length < awaited) return;
  const result: SocketsResult = {
    at: at.splice(0, awaited),
    bytes: last.length,
    text: last.toString(),
  };
  awaited = 0;
  process.send?.(result);
}

async function greet(socket: WebSocket, greetings: readonly string[]): Promise<void> {
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  for (const [n, greeting] of greetings.entries()) {
    socket.send(greeting);
    // The last message subscribes, so it has no answer.
    if (n < greetings.length - 1) await new Promise((resolve) => socket.once('message', resolve));
  }
}

async function open({ url, protocol, sockets, greetings }: SocketsTask & { kind: 'open' }): Promise<void> {
  const all: WebSocket[] = [];
  const urls = [url].flat();
  for (let n = 0; n < sockets; n += 50) {
    const some = Array.from(
      { length: Math.min(50, sockets - n) },
      (_, m) => new WebSocket(urls[(n + m) % urls.length] ?? '', protocol === '' ? [] : [protocol]),
    );
    await Promise.all(
      some.map(async (socket, m) => {
        await greet(socket, greetings[(n + m) % greetings.length] ?? []);
      }),
    );
    all.push(...some);
  }
  // Subscriptions take effect after their message was sent.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  for (const socket of all)
    socket.on('message', (data: Buffer) => {
      // A heartbeat contains no event.
      if (data.toString() === '{}') return;
      at.push(clockMs());
      last = data;
      tell();
    });
  at = [];
  process.send?.({ at: [], bytes: 0, text: '' });
}

process.on('message', (task: SocketsTask) => {
  if (task.kind === 'await') {
    awaited = task.messages;
    tell();
    return;
  }
  open(task).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  });
});
process.on('disconnect', () => {
  process.exit(0);
});
