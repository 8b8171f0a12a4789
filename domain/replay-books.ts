import { type Money, ZERO } from './money';
import type { ReceivedUse } from './received-limits';
import { NEW_PAYER, type PayerPast, tierOf, TRUSTED_FROM } from './routing-rules';
import { dayOf, dayAfter, startOfDay } from './zone';

/*
 * What a replay carries through its day: what is due at which moment, and what an account has received.
 */

/** What is done at moments, the earliest first; of the same moment what was added first. */
export class Agenda {
  private readonly heap: {
    readonly at: number;
    readonly place: number;
    readonly work: () => void;
  }[] = [];
  private added = 0;

  add(at: Date, work: () => void): void {
    const { heap } = this;
    heap.push({ at: at.getTime(), place: this.added++, work });
    for (let child = heap.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!this.isBefore(child, parent)) break;
      this.swap(child, parent);
      child = parent;
    }
  }

  /** Does all that is due by then, the moment itself included. */
  runUntil(at: Date): void {
    const until = at.getTime();
    for (let first = this.heap[0]; first && first.at <= until; first = this.heap[0]) {
      this.drop();
      first.work();
    }
  }

  private isBefore(one: number, other: number): boolean {
    const [a, b] = [this.heap[one], this.heap[other]];
    return a !== undefined && b !== undefined && (a.at - b.at || a.place - b.place) < 0;
  }

  private swap(one: number, other: number): void {
    const [a, b] = [this.heap[one], this.heap[other]];
    if (a && b) [this.heap[one], this.heap[other]] = [b, a];
  }

  private drop(): void {
    const { heap } = this;
    this.swap(0, heap.length - 1);
    heap.pop();
    for (let parent = 0; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      const least = right < heap.length && this.isBefore(right, left) ? right : left;
      if (least >= heap.length || !this.isBefore(least, parent)) return;
      this.swap(least, parent);
      parent = least;
    }
  }
}

interface Sum {
  amount: Money;
  count: number;
}

/** What counts against the limits of an account (account_use): what it received, and what open orders hold. */
export class ReceivedBook {
  private readonly days = new Map<string, Sum>();
  private readonly months = new Map<string, Sum>();
  private readonly held: Sum = { amount: ZERO, count: 0 };
  private today: { readonly day: string; readonly from: number; readonly to: number } | undefined;

  constructor(
    private readonly zone: string,
    before: readonly { readonly day: string; readonly amount: Money; readonly count: number }[],
  ) {
    for (const { day, amount, count } of before) this.count(day, amount, count);
  }

  private count(day: string, amount: Money, count: number): void {
    for (const [sums, key] of [
      [this.days, day],
      [this.months, day.slice(0, 7)],
    ] as const) {
      const sum = sums.get(key);
      sums.set(key, {
        amount: sum ? sum.amount.plus(amount) : amount,
        count: (sum?.count ?? 0) + count,
      });
    }
  }

  receive(bankTime: Date, amount: Money): void {
    const day = this.isToday(bankTime) ? this.dayAt(bankTime) : dayOf(this.zone, bankTime);
    this.count(day, amount, 1);
  }

  hold(share: Money): void {
    this.held.amount = this.held.amount.plus(share);
    this.held.count++;
  }

  release(share: Money): void {
    this.held.amount = this.held.amount.minus(share);
    this.held.count--;
  }

  private isToday(at: Date): boolean {
    const now = at.getTime();
    return this.today !== undefined && now >= this.today.from && now < this.today.to;
  }

  private dayAt(at: Date): string {
    if (!this.today || !this.isToday(at)) {
      const day = dayOf(this.zone, at);
      const from = startOfDay(this.zone, day).getTime();
      const to = startOfDay(this.zone, dayAfter(day)).getTime();
      this.today = { day, from, to };
    }
    return this.today.day;
  }

  /** What counts at a moment. */
  use(at: Date): ReceivedUse {
    const day = this.dayAt(at);
    const { amount, count } = this.held;
    const [ofDay, ofMonth] = [this.days.get(day), this.months.get(day.slice(0, 7))];
    return {
      dayAmount: ofDay ? ofDay.amount.plus(amount) : amount,
      dayCount: (ofDay?.count ?? 0) + count,
      monthAmount: ofMonth ? ofMonth.amount.plus(amount) : amount,
      monthCount: (ofMonth?.count ?? 0) + count,
      held: ZERO,
    };
  }
}

/** A payer among those of its merchant; null: the order names none. */
interface OfPayer {
  readonly merchantId: string;
  readonly payer: string | null;
}

/** What payers completed, by `merchant payer`, the latest first. */
export class PayerBook {
  private readonly pasts: Map<string, readonly string[]>;

  constructor(pasts: ReadonlyMap<string, readonly string[]>) {
    this.pasts = new Map(pasts);
  }

  /** Tells what payers completed before the day who have no order in it yet. */
  learn(pasts: ReadonlyMap<string, readonly string[]>): void {
    for (const [key, ways] of pasts) if (!this.pasts.has(key)) this.pasts.set(key, ways);
  }

  complete(merchantId: string, payer: string, way: string): void {
    const key = `${merchantId} ${payer}`;
    this.pasts.set(key, [way, ...(this.pasts.get(key) ?? [])].slice(0, TRUSTED_FROM));
  }

  pastOf({ merchantId, payer }: OfPayer): PayerPast {
    if (payer === null) return NEW_PAYER;
    const ways = this.pasts.get(`${merchantId} ${payer}`) ?? [];
    return { tier: tierOf(ways.length), ways: [...new Set(ways)] };
  }
}
