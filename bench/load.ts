import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Sample } from './harness';

/** A task for the load generator's process. */
export type Load =
  | {
      readonly kind: 'createDeposit';
      readonly url: string;
      readonly connections: number;
      readonly seconds: number;
      readonly apiKeys: readonly string[];
      readonly currencyCode: string;
      /** After this many it ends, even before time is up. */
      readonly orders?: number;
      /** At most this many a second; by default as fast as they are answered. */
      readonly perSecond?: number;
      readonly callbackUrl?: string;
      /** Where every second connection goes, if not to the same gateway. */
      readonly otherUrl?: string | undefined;
    }
  | {
      readonly kind: 'queryDeposit';
      readonly url: string;
      readonly connections: number;
      readonly seconds: number;
      readonly orders: readonly { readonly apiKey: string; readonly orderNo: string }[];
    }
  | {
      readonly kind: 'insertRows';
      readonly databaseUrl: string;
      /** Callers, each with one insert under way. */
      readonly connections: number;
      readonly seconds: number;
    }
  | {
      /** Adds to one row, again and again. */
      readonly kind: 'updateHotRow';
      readonly databaseUrl: string;
      readonly connections: number;
      readonly seconds: number;
    };

/** The result of a load. */
export interface Loaded {
  /** Answers of the expected kind. */
  readonly answered: number;
  readonly seconds: number;
  /** All other answers, by status or an error's text. */
  readonly unexpected: Readonly<Record<string, number>>;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** The slowest first answer of a connection, and p99 of all later answers: what a cold start costs, and what stays. */
  readonly firstMaxMs: number;
  readonly laterP99Ms: number;
  readonly maxMs: number;
  /** The generator's own cost, microseconds of CPU a call. */
  readonly cpuMicroseconds: number;
}

/** Generates load in a separate process, so that its cost is not measured. */
export class LoadGenerator {
  private constructor(private readonly child: ChildProcess) {}

  static start(): LoadGenerator {
    return new LoadGenerator(fork(path.join(__dirname, 'load-process.js')));
  }

  /** @throws if any other answer than the expected one came */
  async run(load: Load): Promise<Sample> {
    const loaded = await this.ask(load);
    const unexpected = Object.entries(loaded.unexpected);
    if (unexpected.length > 0)
      throw new Error(`${load.kind}: ${unexpected.map(([what, times]) => `${times} x ${what}`).join(', ')}`);
    return {
      done: loaded.answered,
      seconds: loaded.seconds,
      figures: {
        'p50 ms': loaded.p50Ms,
        'p95 ms': loaded.p95Ms,
        'p99 ms': loaded.p99Ms,
        'p99 ms, after the first of each connection': loaded.laterP99Ms,
        'max ms, first of each connection': loaded.firstMaxMs,
        'max ms': loaded.maxMs,
        'CPU of the generator, µs each': loaded.cpuMicroseconds,
      },
    };
  }

  private async ask(load: Load): Promise<Loaded> {
    return await new Promise((resolve, reject) => {
      const failed = (code: number | null): void => {
        reject(new Error(`the load generator ended (${code ?? 'killed'})`));
      };
      this.child.once('exit', failed);
      this.child.once('message', (loaded) => {
        this.child.off('exit', failed);
        resolve(loaded as Loaded);
      });
      this.child.send(load);
    });
  }

  stop(): void {
    this.child.disconnect();
  }
}
