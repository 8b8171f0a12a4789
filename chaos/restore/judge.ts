import { Decimal } from 'decimal.js';
import type { Payment as Payout } from '../../simulator/payments';
import type { AskedOrder } from '../askers';
import type { Payment } from '../bank';
import { groupBy } from '../group-by';
import type { LedgerBook } from '../ledger-book';
import { type Asked } from '../merchant';
import type { Arrival } from '../receiver';
import { dueCallbacks, eventOf, type Forgotten, judgeRepeats, type Verdict } from '../verdict';

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
  /** What was committed from the restored moment until the restored server took writes is lost. */
  readonly lost: Forgotten;
}

/** Whether the page lists a number that was promised. */
export const listsNumber = (findings: readonly string[], code: string, number: string): boolean =>
  findings.includes(`LOST_NUMBER number:${code}:${number}`);

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
    else if (!order && !listsNumber(findings, merchant.code, number))
      lost.push(`${number}: ${promised.orderNo} is gone, and no page lists it`);
    if (!order) continue;
    const got = credits.get(order.orderNo) ?? [];
    const payment = paid.get(order.orderNo);
    const due = payment ? payment.amount.minus(fee) : new Decimal(0);
    const credited = got.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
    if (got.length > 1 || credited.gt(due)) double.push(`${order.orderNo}: credited ${credited.toFixed()}`);
    if (credited.lt(due)) lost.push(`${order.orderNo}: ${due.toFixed()} is due, credited ${credited.toFixed()}`);
  }
}

/** No number is paid twice, at any channel and under any order; a lost order is listed, by its reference if it was paid. */
function judgeWithdrawals(evidence: RestoreEvidence, { double, lost }: Verdict): void {
  const { withdrawals, payouts, findings } = evidence;
  const atChannels = groupBy(payouts, orderOf);
  const isUnknownHere = (name: string): boolean =>
    findings.some((found) => found.startsWith('UNKNOWN_HERE') && found.includes(name));
  for (const payout of payouts)
    if (payout.asked > 1) double.push(`${payout.reference} was requested ${payout.asked} times`);
  for (const { asker, number, orderNo, lost: before } of withdrawals) {
    const names = [...before, ...(orderNo === null ? [] : [orderNo])];
    const all = names.flatMap((name) => atChannels.get(name) ?? []);
    const times = all.reduce((sum, { paid }) => sum + paid, 0);
    if (times > 1) double.push(`${number} was paid ${times} times, as ${names.join(' and ')}`);
    for (const name of before) {
      if (!listsNumber(findings, asker.code, number) && !isUnknownHere(`${name}-`))
        lost.push(`${number}: ${name} is gone, and no page lists it`);
      for (const { reference, paid } of atChannels.get(name) ?? [])
        if (paid > 0 && !isUnknownHere(reference))
          lost.push(`${reference} of a lost order was paid, and no page lists it`);
    }
  }
}

/**
 * A final order has its callback, and none comes twice unless it first came in the lost time. Of an order that is gone a
 * callback came in the lost time, or never.
 */
function judgeCallbacks(evidence: RestoreEvidence, { double, lost }: Verdict): void {
  const { deposits, arrivals, ledger } = evidence;
  const came = groupBy(arrivals, ({ orderNo, event }) => `${orderNo} ${event}`);
  for (const [key, got] of came)
    if (got.some(({ genuine }) => !genuine)) lost.push(`${key}: its signature or time is wrong`);
  const rows = new Map(ledger.notifications.map((row) => [`${row.orderNo} ${row.type}`, row]));
  for (const [orderNo, type] of dueCallbacks({ asked: deposits, ledger })) {
    const key = `${orderNo} ${eventOf(type)}`;
    const got = came.get(key) ?? [];
    came.delete(key);
    const status = rows.get(`${orderNo} ${type}`)?.status ?? 'none';
    if (status !== 'SUCCESS' || got.length === 0) lost.push(`${key}: ${status}, ${got.length} came`);
  }
  const present = new Set(ledger.orders.map(({ orderNo }) => orderNo));
  const gone = new Set(
    deposits.flatMap(({ promised }) => (promised && !present.has(promised.orderNo) ? [promised.orderNo] : [])),
  );
  const { from, until } = evidence.lost;
  for (const [key, got] of came)
    if (!got.every(({ orderNo, at }) => gone.has(orderNo) && at >= from && at <= until))
      double.push(`${key}: sent, but the order has another status or never existed`);
  double.push(...judgeRepeats(arrivals, evidence.lost).double);
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
