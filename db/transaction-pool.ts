import { EventEmitter, once } from 'node:events';
import postgres, { type Sql } from 'postgres';
import { metrics } from '../runtime/metrics';

/** One transaction's statements. */
export type Transaction = Sql;

const connectionLost = (): Error =>
  Object.assign(new Error('the connection closed in the middle of a transaction'), {
    code: 'CONNECTION_CLOSED',
  });

/** The server ends the connection with such an error; the client sees the close shortly after. */
const endsConnection = (error: unknown): boolean =>
  error instanceof postgres.PostgresError && error.severity !== 'ERROR';
const CLOSED_WITHIN_MS = 1_000;

/** One connection, for one transaction at a time. */
class Slot {
  readonly client: Sql;
  private readonly closed = new EventEmitter();
  private lost = false;
  private readonly tx: Transaction;

  constructor(open: (onClose: () => void) => Sql) {
    this.client = open(() => {
      this.lost = true;
      this.closed.emit('closed');
    });
    // A client reconnects for its next statement: the rest of a broken transaction would run outside of any.
    this.tx = new Proxy(this.client, {
      apply: (statement, self, args: never) => {
        if (this.lost) throw connectionLost();
        return Reflect.apply(statement, self, args) as unknown;
      },
    });
  }

  async run<Result>(work: (tx: Transaction) => Promise<Result>, mode: string): Promise<Result> {
    await this.sendBegin(mode);
    try {
      const result = await work(this.tx);
      await this.tx`commit`;
      return result;
    } catch (error) {
      await this.leaveTransaction(error);
      throw error;
    }
  }

  /**
   * A reconnecting client reports the old connection's last error to the next statement, which may be BEGIN. BEGIN may
   * also be sent before the old connection's close is known: only a close after its answer concerns this transaction.
   */
  private async sendBegin(mode: string): Promise<void> {
    try {
      await this.client.unsafe(`begin ${mode}`);
    } catch (error) {
      if (!endsConnection(error)) throw error;
      await this.client.unsafe(`begin ${mode}`);
    }
    this.lost = false;
  }

  /** Rolls back, or waits until a broken connection is gone, and its transaction with it. */
  private async leaveTransaction(cause: unknown): Promise<void> {
    try {
      if (!this.isLost() && !endsConnection(cause)) await this.tx`rollback`;
    } catch (error) {
      if (!this.isLost() && !endsConnection(error)) throw error;
    }
    if (this.isLost() || !endsConnection(cause)) return;
    const signal = AbortSignal.timeout(CLOSED_WITHIN_MS);
    await once(this.closed, 'closed', { signal }).catch(() => undefined);
  }

  private isLost(): boolean {
    return this.lost;
  }
}

/**
 * Transactions, each on a connection of its own. Not postgres.js's `begin`: on a pool with a bounded pipeline it sends
 * BEGIN on a busy connection without reserving it, so that other callers' statements end up in a transaction that is
 * never committed; and after a connection is lost within a transaction, the next statement ends the process.
 */
export class TransactionPool {
  private readonly slots: readonly Slot[];
  private readonly idle: Slot[];
  private readonly waiting: ((slot: Slot) => void)[] = [];

  /** @param open makes a client of one connection, which calls back when that closes */
  constructor(open: (onClose: () => void) => Sql, size: number) {
    this.slots = Array.from({ length: size }, () => new Slot(open));
    this.idle = [...this.slots];
  }

  /** Runs work in a transaction. @throws what the work throws, after rolling back */
  async run<Result>(work: (tx: Transaction) => Promise<Result>, mode = ''): Promise<Result> {
    const slot = this.idle.pop() ?? (await this.nextSlot());
    try {
      return await slot.run(work, mode);
    } finally {
      const next = this.waiting.shift();
      if (next) next(slot);
      else this.idle.push(slot);
    }
  }

  /** A slot that another transaction has left, first come, first served. */
  private async nextSlot(): Promise<Slot> {
    const began = performance.now();
    metrics.transactionsWaiting.inc();
    const slot = await new Promise<Slot>((resolve) => {
      this.waiting.push(resolve);
    });
    metrics.transactionsWaiting.dec();
    metrics.transactionWait.observe((performance.now() - began) / 1000);
    return slot;
  }

  async close(): Promise<void> {
    await Promise.all(
      this.slots.map(async ({ client }) => {
        await client.end({ timeout: 2 });
      }),
    );
  }
}
