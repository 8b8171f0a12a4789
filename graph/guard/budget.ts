/** Time that one caller's new documents may take, milliseconds: in a burst, and in each second. */
const AT_ONCE_MS = 2_000;
const EACH_SECOND_MS = 100;

/** Gives each caller a share of this process's time: a caller that sends many new documents spends only its own. */
export class ReadingBudget {
  /** Time spent by each caller, with the time of its update. Callers that spent nothing are absent. */
  private readonly spent = new Map<string, { ms: number; at: number }>();

  /** Whether a caller has time left. */
  allows(caller: string): boolean {
    return this.spentBy(caller) < AT_ONCE_MS;
  }

  /** When an exhausted caller has time again, milliseconds from now. */
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
    for (const caller of this.spent.keys()) if (this.spentBy(caller) === 0) this.spent.delete(caller);
  }
}
