import { type DepositView, findDepositsByNumber } from '../../db/deposits/deposits';
import { findWithdrawalsByNumber, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import type { Needs } from '../context';

/** The most numbers in one query. */
export const MOST_NUMBERS = 200;

export type OrderView = DepositView | WithdrawalView;

/** Orders of both kinds by their gateway numbers, with one SQL statement for each kind. */
export async function ordersByNumber(
  { database }: Needs<'database'>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, OrderView>> {
  const beginning = (letter: string): string[] => [...new Set(numbers.filter((number) => number.startsWith(letter)))];
  const [deposits, withdrawals] = [beginning('D'), beginning('W')];
  const found = await Promise.all([
    deposits.length === 0 ? [] : findDepositsByNumber(database, deposits),
    withdrawals.length === 0 ? [] : findWithdrawalsByNumber(database, withdrawals),
  ]);
  return new Map(found.flat().map((order) => [order.orderNo, order]));
}
