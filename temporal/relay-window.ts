import type { OutboxRow } from '../db/events/outbox';

/** How many rows of one kind may be under way to Temporal. */
export interface WindowLimits {
  readonly most: number;
  readonly least: number;
  /** Rows that take longer than this on average narrow the window, milliseconds. */
  readonly slowMs: number;
}

/** How rows were done. */
export interface Answer {
  /** Whether some were not done in time. */
  readonly late: boolean;
  readonly meanMs: number;
}

/** The share of `most` with which a limit begins: nobody knows yet how many the server does in time. */
const BEGINNING = 0.25;
/** The share of rows done in time by which the window grows. */
const GROWTH = 0.25;
/** It grows while at least this share of it is used: fewer rows say nothing about more (RFC 7661). */
const USED = 0.5;

/** A number of rows that follows how fast they are done. */
export class AdaptiveLimit {
  private limit: number;

  constructor(private readonly limits: WindowLimits) {
    this.limit = Math.max(limits.most * BEGINNING, limits.least);
  }

  get rows(): number {
    return Math.floor(this.limit);
  }

  /** Late or slow rows halve it; rows that are done in time widen it. @param underWay rows, the done ones included */
  adapt(done: number, underWay: number, { late, meanMs }: Answer): void {
    const { most, least, slowMs } = this.limits;
    if (late || meanMs > slowMs) this.limit = Math.max(this.limit / 2, least);
    else if (underWay >= this.limit * USED) this.limit = Math.min(this.limit + done * GROWTH, most);
  }
}

/** Rows of one kind under way to Temporal: as many at once as the server answers in time. */
export class RelayWindow {
  private readonly limit: AdaptiveLimit;
  /** Deliveries, with the number of rows in each. */
  private readonly underWay = new Map<Promise<unknown>, number>();

  constructor(limits: WindowLimits) {
    this.limit = new AdaptiveLimit(limits);
  }

  /** How many more rows may be sent. @param most a bound for now, below the window */
  free(most = Infinity): number {
    return Math.max(0, Math.min(this.limit.rows, most) - this.busy);
  }

  private get busy(): number {
    return [...this.underWay.values()].reduce((sum, rows) => sum + rows, 0);
  }

  get deliveries(): Iterable<Promise<unknown>> {
    return this.underWay.keys();
  }

  /** Starts a delivery. */
  send(rows: readonly OutboxRow[], deliver: () => Promise<unknown>): void {
    if (rows.length === 0) return;
    const delivery: Promise<unknown> = deliver().finally(() => this.underWay.delete(delivery));
    this.underWay.set(delivery, rows.length);
  }

  /**
   * Adapts the window to an answer. Late answers cause repetition, and a busy server delays money: both halve the
   * window; timely answers widen it.
   */
  answered(accepted: number, how: Answer): void {
    this.limit.adapt(accepted, this.busy, how);
  }
}
