import { Decimal } from 'decimal.js';
import type { Payment as Payout } from '../../simulator/payments';
import type { AskedOrder } from '../askers';
import type { Payment } from '../bank';
import { groupBy } from '../group-by';
import type { LedgerBook } from '../ledger-book';
import { type Asked } from '../merchant';
import type { Arrival } from '../receiver';
import { eventOf, type Verdict } from '../verdict';

/** What everybody recorded around a restore. */
export interface RestoreEvidence {
  readonly deposits: readonly Asked[];
  readonly payments: readonly Payment[];
  readonly withdrawals: readonly AskedOrder[];
  readonly payouts: readonly Payout[];
  readonly arrivals: readonly Arrival[];
  readonly ledger: LedgerBook;
  /** What the page Recovery lists, as `KIND subject`. */
  readonly findings: readonly string[];
  readonly fee: Decimal;
  /** What was committed from the first time to the second is lost; milliseconds since the epoch. */
  readonly lostFrom: number;
  readonly lostUntil: number;
}

const orderOf = ({ reference }: Payout): string => reference.split('-')[0] ?? '';

/** A promised order exists, or the page lists its number; a payment is credited once. */
function judgeDeposits(evidence: RestoreEvidence, { double, lost }: Verdict): void {
  const { deposits, payments, ledger, findings, fee } = evidence;
  const orders = new Map(ledger.orders.map((order) => [order.orderNo, order]));
  const credits = groupBy(ledger.credits, ({ orderNo }) => orderNo);
  const paid = new Map(payments.map((payment) => [payment.orderNo, payment]));
  for (const { merchant, number, promised, contradiction } of deposits) {
    const order = promised && orders.get(promised.orderNo);
    if (contradiction !== undefined) lost.push(`${number}: ${contradiction}`);
    else if (!promised) lost.push(`${number}: the merchant got no answer below 500`);
    else if (!order && !findings.includes(`LOST_NUMBER number:${merchant.code}:${number}`))
      lost.push(`${number}: ${promised.orderNo} is gone, and no page lists it`);
    if (!order) continue;
    const got = credits.get(order.orderNo) ?? [];
    const payment = paid.get(order.orderNo);
    const due = payment ? payment.amount.minus(fee) : new Decimal(0);
    const credited = got.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
    if (got.length > 1 || credited.gt(due))
      double.push(`${order.orderNo}: credited ${credited.toFixed()}`);
    if (credited.lt(due))
      lost.push(`${order.orderNo}: ${due.toFixed()} is due, credited ${credited.toFixed()}`);
  }
}

/** No number is paid twice, at any channel and under any order; a lost order that was paid is listed. */
function judgeWithdrawals(evidence: RestoreEvidence, { double, lost }: Verdict): void {
  const { withdrawals, payouts, findings } = evidence;
  const atChannels = groupBy(payouts, orderOf);
  for (const payout of payouts)
    if (payout.asked > 1) double.push(`${payout.reference} was requested ${payout.asked} times`);
  for (const { number, orderNo, lost: before } of withdrawals) {
    const names = [...before, ...(orderNo === null ? [] : [orderNo])];
    const all = names.flatMap((name) => atChannels.get(name) ?? []);
    const times = all.reduce((sum, { paid }) => sum + paid, 0);
    if (times > 1) double.push(`${number} was paid ${times} times, as ${names.join(' and ')}`);
    for (const name of before)
      for (const { reference, paid } of atChannels.get(name) ?? [])
        if (
          paid > 0 &&
          !findings.some((found) => found.startsWith('UNKNOWN_HERE') && found.includes(reference))
        )
          lost.push(`${reference} of a lost order was paid, and no page lists it`);
  }
}

/** A final order has its callback; if it came twice, it first came in the lost time. */
function judgeCallbacks(
  { arrivals, ledger, lostFrom, lostUntil }: RestoreEvidence,
  { double, lost }: Verdict,
): void {
  const came = groupBy(arrivals, ({ orderNo, event }) => `${orderNo} ${event}`);
  for (const { orderNo, type, status } of ledger.notifications) {
    const got = came.get(`${orderNo} ${eventOf(type)}`) ?? [];
    if (status !== 'SUCCESS' || got.length === 0)
      lost.push(`${orderNo} ${type}: ${status}, ${got.length} came`);
    if (got.some(({ genuine }) => !genuine)) lost.push(`${orderNo} ${type}: false`);
    const again = got.filter(({ at }) => at < lostFrom || at > lostUntil);
    if (again.length > 1) double.push(`${orderNo} ${type}: came ${again.length} times`);
  }
}

/** Checks by the records of all outside actors what a restore may do, and what it may not. */
export function judgeRestore(evidence: RestoreEvidence): Verdict {
  const verdict: Verdict = { double: [], lost: [], stuck: [] };
  judgeDeposits(evidence, verdict);
  judgeWithdrawals(evidence, verdict);
  judgeCallbacks(evidence, verdict);
  for (const { orderNo, status } of evidence.ledger.orders)
    if (status === 'PENDING' || status === 'MATCHED') verdict.stuck.push(`${orderNo} is ${status}`);
  return verdict;
}
