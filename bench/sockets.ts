import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { percentile, type Sample, secondsSince } from './harness';

/** A task for the process of sockets. */
export type SocketsTask =
  | {
      readonly kind: 'open';
      /** If there are several, the sockets take them in turn. */
      readonly url: string | readonly string[];
      readonly protocol: string;
      readonly sockets: number;
      /**
       * Sent on each socket when it is open, each after the answer to the previous one; if there are several, the
       * sockets take them in turn.
       */
      readonly greetings: readonly (readonly string[])[];
    }
  | { readonly kind: 'await'; readonly messages: number };

/** The results. */
export interface SocketsResult {
  /** When each awaited message came, milliseconds of the machine's clock. */
  readonly at: readonly number[];
  /** Bytes of one message. */
  readonly bytes: number;
  readonly text: string;
}

/** Holds many WebSockets in a process of its own, so that reading them costs the server nothing. */
export class Sockets {
  private constructor(private readonly child: ChildProcess) {}

  /** @returns when all of them are open and acknowledged */
  static async open(task: Omit<SocketsTask & { kind: 'open' }, 'kind'>): Promise<Sockets> {
    const sockets = new Sockets(fork(path.join(__dirname, 'sockets-process.js')));
    await sockets.ask({ kind: 'open', ...task });
    return sockets;
  }

  /** Waits until this many messages have come in, over all sockets. Call it before they are sent. */
  async messages(count: number): Promise<SocketsResult> {
    return await this.ask({ kind: 'await', messages: count });
  }

  private async ask(task: SocketsTask): Promise<SocketsResult> {
    return await new Promise((resolve, reject) => {
      const failed = (code: number | null): void => {
        reject(new Error(`the process of sockets ended (${code ?? 'killed'})`));
      };
      this.child.once('exit', failed);
      this.child.once('message', (result) => {
        this.child.off('exit', failed);
        resolve(result as SocketsResult);
      });
      this.child.send(task);
    });
  }

  close(): void {
    this.child.disconnect();
  }
}

/** The machine's clock, milliseconds, finer than Date.now; the same in each process. */
export const clockMs = (): number => performance.timeOrigin + performance.now();

/**
 * Sends repeatedly until time is up, and each time waits until all messages have come.
 * @param messages messages of one sending, over all sockets
 */
export const sending =
  (sockets: Sockets, messages: number, send: () => Promise<void>) =>
  async (seconds: number): Promise<Sample> => {
    const began = performance.now();
    const latencies: number[] = [];
    let sendingSeconds = 0;
    while (secondsSince(began) < seconds) {
      const arrived = sockets.messages(messages);
      const from = clockMs();
      await send();
      const { at } = await arrived;
      for (const time of at) latencies.push(time - from);
      sendingSeconds += (Math.max(...at.slice(-2_000)) - from) / 1000;
    }
    return {
      done: latencies.length,
      seconds: sendingSeconds,
      figures: { 'p50 ms': percentile(latencies, 0.5), 'p95 ms': percentile(latencies, 0.95) },
    };
  };
