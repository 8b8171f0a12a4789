import type { Money } from '../../domain/money';
import type { Database } from '../client';
import { amountFieldsOf, type Raw, type RowOf, rowReader } from '../rows';
import { heldCredits } from '../schema/recalls';

/** A held credit of a deposit. */
export type HeldCreditRow = RowOf<typeof heldCredits>;
const heldCreditOf = rowReader<HeldCreditRow>(amountFieldsOf(heldCredits));

/** The holds, present and past, of several deposits; most have none. */
export async function findHeldCredits({ sql }: Database, depositIds: readonly string[]): Promise<HeldCreditRow[]> {
  const rows = await sql<Raw<HeldCreditRow>[]>`
    select * from held_credits where deposit_id = any(${depositIds as string[]})`;
  return rows.map(heldCreditOf);
}

/** How much of a balance's frozen money is held credits. */
export interface HeldOfBalance {
  /** The balance's. */
  readonly id: string;
  readonly held: Money;
  /** When the next part of it becomes available. */
  readonly nextReleaseAt: Date;
}

const heldOfBalanceOf = rowReader<HeldOfBalance>({ held: true });

/** The held amounts of several balances; balances without holds are left out. */
export async function findHeldOfBalances({ sql }: Database, balanceIds: readonly string[]): Promise<HeldOfBalance[]> {
  const rows = await sql<Raw<HeldOfBalance>[]>`
    select b.id, sum(h.amount)::text as held, min(h.release_at) as next_release_at
    from merchant_balances b
    join held_credits h on h.merchant_id = b.merchant_id and h.currency_code = b.currency_code
    where b.id = any(${balanceIds as string[]}) and h.released_at is null and h.recalled_at is null
    group by b.id`;
  return rows.map(heldOfBalanceOf);
}

/** Releases held credits whose days have ended, oldest first. @returns how many, at most `limit` */
export async function releaseHolds({ sql }: Database, limit: number, now: Date): Promise<number> {
  const [row] = await sql<{ done: number }[]>`select release_holds(${limit}, ${now}) as done`;
  return row?.done ?? 0;
}
