import { money, type Money } from '../../domain/money';
import type { Database } from '../client';

/** What a deposit was credited with and its merchant waits for. */
export interface HeldCreditRow {
  readonly depositId: string;
  readonly merchantId: string;
  readonly currencyCode: string;
  readonly amount: Money;
  readonly heldAt: Date;
  /** The UTC midnight from which on it is available. */
  readonly releaseAt: Date;
  readonly releasedAt: Date | null;
  /** Its deposit was recalled before. */
  readonly recalledAt: Date | null;
}

/** What is held of several deposits, or was; most have nothing. */
export async function findHeldCredits(
  { sql }: Database,
  depositIds: readonly string[],
): Promise<HeldCreditRow[]> {
  const rows = await sql<(Omit<HeldCreditRow, 'amount'> & { amount: string })[]>`
    select * from held_credits where deposit_id = any(${depositIds as string[]})`;
  return rows.map((row) => ({ ...row, amount: money(row.amount) }));
}

/** How much of a balance's frozen money is credits that are held. */
export interface HeldOfBalance {
  /** The balance's. */
  readonly id: string;
  readonly held: Money;
  /** When the next of it becomes available. */
  readonly nextReleaseAt: Date;
}

/** What is held of several balances; those without anything are left out. */
export async function findHeldOfBalances(
  { sql }: Database,
  balanceIds: readonly string[],
): Promise<HeldOfBalance[]> {
  const rows = await sql<(Omit<HeldOfBalance, 'held'> & { held: string })[]>`
    select b.id, sum(h.amount)::text as held, min(h.release_at) as next_release_at
    from merchant_balances b
    join held_credits h on h.merchant_id = b.merchant_id and h.currency_code = b.currency_code
    where b.id = any(${balanceIds as string[]}) and h.released_at is null and h.recalled_at is null
    group by b.id`;
  return rows.map((row) => ({ ...row, held: money(row.held) }));
}

/** Makes held credits available whose days are over, the oldest first. @returns how many, `limit` at most */
export async function releaseHolds({ sql }: Database, limit: number, now: Date): Promise<number> {
  const [row] = await sql<{ done: number }[]>`select release_holds(${limit}, ${now}) as done`;
  return row?.done ?? 0;
}
