// Reads a file in a thread of its own (read-apart.ts).
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import type { StatementItem } from '../domain/statement';
import { readStatement } from './read';
import { type Asked, MOST_ITEMS, type Order, packed } from './thread-items';

/** The next message: bytes of the file, its end, or the request to go on. */
async function next(): Promise<Asked> {
  if (!parentPort) throw new Error('this runs in a thread');
  const [message] = (await once(parentPort, 'message')) as [Asked];
  return message;
}

async function run({ reading, currency }: Order): Promise<void> {
  let items: StatementItem[] = [];
  const send = (wants: 'BYTES' | 'GO' | null): void => {
    parentPort?.postMessage({ items: items.map(packed), wants });
    items = [];
  };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      send('BYTES');
      const { part } = await next();
      if (!part) return;
      yield part;
    }
  }
  for await (const item of readStatement(bytes(), reading, currency)) {
    items.push(item);
    if (items.length < MOST_ITEMS) continue;
    send('GO');
    await next();
  }
  send(null);
}

void run(workerData as Order);
