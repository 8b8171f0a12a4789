import type { OutboxRow } from '../db/events/outbox';

/** How many rows of one kind may be under way to Temporal. */
export interface WindowLimits {
  readonly most: number;
  readonly least: number;
  /** Rows that take longer than this on average narrow the window, milliseconds. */
  readonly slowMs: number;
}

/** The share of rows done in time by which the window grows. */
const GROWTH = 0.25;

/** A number of rows that follows how fast they are done. */
export class AdaptiveLimit {
  private limit: number;

  constructor(private readonly limits: WindowLimits) {
    this.limit = limits.most;
  }

  get rows(): number {
    return Math.floor(this.limit);
  }

  /** Late or slow rows halve it; rows that are done in time widen it. */
  adapt(done: number, { late, meanMs }: { late: boolean; meanMs: number }): void {
    const { most, least, slowMs } = this.limits;
    this.limit =
      late || meanMs > slowMs
        ? Math.max(this.limit / 2, least)
        : Math.min(this.limit + done * GROWTH, most);
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
    const busy = [...this.underWay.values()].reduce((sum, rows) => sum + rows, 0);
    return Math.max(0, Math.min(this.limit.rows, most) - busy);
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
  answered(accepted: number, how: { late: boolean; meanMs: number }): void {
    this.limit.adapt(accepted, how);
  }
}
