import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { StatementItem } from '../domain/statement';
import type { Currency } from './amounts';
import type { Reading } from './read';
import type { Bytes } from './text';
import { type Asked, type Order, type Packed, type Sent, unpacked } from './thread-items';

/** How long a thread may read one part of a file, of 2 MB at most, on a busy machine too. */
const DEADLINE_MS = 30_000;
/** The memory of a thread, MB. */
const HEAP_MB = 128;

/** A thread that reads no further: the file is refused, and not the request. */
class Stopped extends Error {}

/** The thread, and the messages between. */
class Thread {
  private readonly worker: Worker;
  private answer: ((sent: Sent) => void) | null = null;
  private fail: ((error: Error) => void) | null = null;
  private error: Error | null = null;
  private readonly sent: Sent[] = [];

  constructor(order: Order, heapMb: number) {
    const extension = path.extname(__filename);
    this.worker = new Worker(path.join(__dirname, `reading-thread${extension}`), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
      // Tests run the sources, which the thread compiles as they do.
      ...(extension === '.ts' && {
        execArgv: ['--require', path.join(__dirname, '../test/support/typescript.js')],
      }),
    });
    this.worker.on('message', (sent: Sent) => {
      if (this.answer) this.answer(sent);
      else this.sent.push(sent);
    });
    this.worker.on('error', (error: Error & { code?: string }) => {
      const isHeap = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.error = isHeap ? new Stopped('the file needs too much memory to be read') : error;
      this.fail?.(this.error);
    });
  }

  /** The next message of the thread. @throws Stopped beyond the deadline or the memory */
  async receive(): Promise<Sent> {
    const there = this.sent.shift();
    if (there) return there;
    if (this.error) throw this.error;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Sent>((resolve, reject) => {
        this.answer = resolve;
        this.fail = reject;
        timer = setTimeout(() => {
          reject(new Stopped('the file takes too long to be read'));
        }, DEADLINE_MS);
      });
    } finally {
      clearTimeout(timer);
      this.answer = this.fail = null;
    }
  }

  ask(message: Asked): void {
    this.worker.postMessage(message);
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}

/**
 * Reads a bank's statement item by item in a thread of its own: no file delays another request, or takes more than the
 * thread's memory. A file that takes too much time or memory ends with a bad item of the whole file.
 * @param heapMb the thread's memory, MB
 */
export async function* readApart(
  bytes: Bytes,
  reading: Reading,
  currency: Currency,
  heapMb = HEAP_MB,
): AsyncGenerator<StatementItem> {
  const parts = bytes[Symbol.asyncIterator]();
  const thread = new Thread({ reading, currency }, heapMb);
  let last = 0;
  try {
    for (;;) {
      const { items, wants } = await thread.receive();
      for (const item of items.map((one: Packed) => unpacked(one))) {
        if (item.kind === 'line') last = item.line.line;
        else if (item.kind === 'bad') last = item.line;
        yield item;
      }
      if (wants === null) break;
      if (wants === 'GO') thread.ask({});
      else {
        const next = await parts.next();
        thread.ask({ part: next.done === true ? null : next.value });
      }
    }
    // The rest of a file that is refused counts for its hash.
    while ((await parts.next()).done !== true);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    while ((await parts.next()).done !== true);
    yield { kind: 'bad', line: last + 1, problem: error.message, text: '', file: true };
  } finally {
    await parts.return?.();
    await thread.end();
  }
}
