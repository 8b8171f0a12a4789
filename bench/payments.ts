import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { V8_OPTIONS } from '../local/role-process';
import type { Watched } from './cpu';
import { percentile } from './harness';

/** Where a merchant's payers and the bank's agent send their requests. */
export interface PaymentsPlace {
  readonly gatewayUrl: string;
  readonly apiKey: string;
  readonly currencyCode: string;
  /** The agent that reports for all accounts, and their ids by number. */
  readonly agent: { readonly keyId: string; readonly secret: string };
  readonly accounts: Readonly<Record<string, string>>;
  /** Whether the merchant's server accepts callbacks and never answers them. */
  readonly hangs: boolean;
}

/** How orders are paid, and how long they are waited for. */
interface Patience {
  /** From the answer to the create until the bank reports the payment, milliseconds. */
  readonly paidAfterMs: number;
  /**
   * How often an order that was paid is queried at first until it is COMPLETED, milliseconds; null: its callback shows
   * it.
   */
  readonly queryEveryMs: number | null;
  /** Orders that have not ended after this are counted as late, milliseconds. */
  readonly patienceMs: number;
}

/** Orders at a steady rate, whether or not earlier ones have ended: an open loop. */
export interface SteadyOrders extends Patience {
  readonly orders: number;
  readonly perSecond: number;
}

/** So many payers, each with one order after another for that long: a closed loop. */
export interface BusyPayers extends Patience {
  readonly payers: number;
  readonly seconds: number;
}

export type PaymentsTask = SteadyOrders | BusyPayers;

/** The results. Milliseconds, one figure per order; a late order counts with its time limit. */
export interface Paid {
  readonly create: readonly number[];
  readonly query: readonly number[];
  /** From the bank's HTTP call. */
  readonly completed: readonly number[];
  readonly callback: readonly number[];
  /** Orders without COMPLETED or without a callback in time. */
  readonly late: number;
  /** Answers that were not 201 or 200. */
  readonly unexpected: Readonly<Record<string, number>>;
  /** Until the last order had ended. */
  readonly seconds: number;
}

/** A merchant, its payers, its server and the bank's agent, in a process outside of the platform. */
export class Payments {
  private constructor(private readonly child: ChildProcess) {}

  static async open(place: PaymentsPlace): Promise<Payments> {
    const child = fork(path.join(__dirname, 'payments-process.js'), {
      // As the platform's roles: less of its CPU for garbage and for compiling.
      execArgv: [...V8_OPTIONS],
    });
    const listening = new Promise((resolve) => child.once('message', resolve));
    child.send(place);
    await listening;
    return new Payments(child);
  }

  /** The process itself, for its CPU. */
  get watched(): readonly Watched[] {
    const { pid } = this.child;
    return pid === undefined ? [] : [{ name: 'the clients', pid }];
  }

  async run(task: PaymentsTask): Promise<Paid> {
    return await new Promise((resolve, reject) => {
      const failed = (code: number | null): void => {
        reject(new Error(`the payments' process ended (${code ?? 'killed'})`));
      };
      this.child.once('exit', failed);
      this.child.once('message', (paid) => {
        this.child.off('exit', failed);
        resolve(paid as Paid);
      });
      this.child.send(task);
    });
  }

  close(): void {
    this.child.disconnect();
  }
}

export const p50 = (figures: readonly number[]): number => percentile(figures, 0.5);
export const p95 = (figures: readonly number[]): number => percentile(figures, 0.95);
