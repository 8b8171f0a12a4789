/** Time that one caller's new documents may take, milliseconds: at once, and again in each second. */
const AT_ONCE_MS = 2_000;
const EACH_SECOND_MS = 100;

/** A part of this process's time for each caller: who sends ever new documents spends its own, not everybody's. */
export class ReadingBudget {
  /** What each has spent, as of a time. Who has spent nothing is not in it. */
  private readonly spent = new Map<string, { ms: number; at: number }>();

  /** Whether a caller has any left. */
  allows(caller: string): boolean {
    return this.spentBy(caller) < AT_ONCE_MS;
  }

  /** When a caller who has none left has some again, milliseconds from now. */
  waitMs(caller: string): number {
    const over = this.spentBy(caller) - AT_ONCE_MS;
    return Math.max(1, Math.ceil((over / EACH_SECOND_MS) * 1_000));
  }

  /** Runs work at a caller's expense. */
  charge<Result>(caller: string, work: () => Result): Result {
    const began = performance.now();
    try {
      return work();
    } finally {
      const now = performance.now();
      this.spent.set(caller, { ms: this.spentBy(caller) + now - began, at: now });
      if (this.spent.size > 10_000) this.forget();
    }
  }

  private spentBy(caller: string): number {
    const account = this.spent.get(caller);
    if (!account) return 0;
    const seconds = (performance.now() - account.at) / 1000;
    return Math.max(0, account.ms - seconds * EACH_SECOND_MS);
  }

  private forget(): void {
    for (const caller of this.spent.keys())
      if (this.spentBy(caller) === 0) this.spent.delete(caller);
  }
}
