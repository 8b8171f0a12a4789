import { money, type Money } from '../../domain/money';
import type { Database } from '../client';

/** Money that a channel received for an order that was over without it. Amounts in its currency, times UTC. */
export interface LateReceiptRow {
  readonly attemptId: string;
  readonly depositId: string;
  readonly channelId: string;
  readonly amount: Money;
  /** What the channel charged for it. */
  readonly cost: Money;
  /** What of it still waits. */
  readonly rest: Money;
  readonly at: Date;
}

type Raw = Omit<LateReceiptRow, 'amount' | 'cost' | 'rest'> &
  Readonly<Record<'amount' | 'cost' | 'rest', string>>;

/** What channels received late for these deposits, in the order of the tries. */
export async function findLateReceipts(
  { sql }: Pick<Database, 'sql'>,
  depositIds: readonly string[],
): Promise<LateReceiptRow[]> {
  const rows = await sql<Raw[]>`
    select l.attempt_id, a.deposit_id, a.channel_id, l.amount::text, l.cost::text,
      late_rest(l.attempt_id)::text as rest, l.at
    from deposit_attempts a join late_receipts l on l.attempt_id = a.id
    where a.deposit_id = any(${depositIds as string[]}) order by a.deposit_id, a.number`;
  return rows.map(({ amount, cost, rest, ...row }) => ({
    ...row,
    ...{ amount: money(amount), cost: money(cost), rest: money(rest) },
  }));
}
