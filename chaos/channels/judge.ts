import { Decimal } from 'decimal.js';
import type { Deposit } from '../../simulator/deposits';
import type { AskedOrder } from '../askers';
import { groupBy } from '../group-by';
import type { Arrival } from '../receiver';
import type { BalanceRow } from '../tables';
import type { Verdict } from '../verdict';
import type { ChannelDepositRow } from './books';
import { COST, FEE } from './provision';

/** The evidence by which deposits through channels are judged. */
export interface ChannelEvidence {
  readonly asked: readonly AskedOrder[];
  readonly orders: readonly ChannelDepositRow[];
  /** What the merchants' server received. */
  readonly arrivals: readonly Arrival[];
  /** The channels' own records, together. */
  readonly deposits: readonly Deposit[];
  /** Whether a channel reported a deposit as failed before its payer paid. */
  readonly failedFirst: (deposit: Deposit) => boolean;
  readonly balances: readonly BalanceRow[];
  readonly sums: ReadonlyMap<string, string>;
}

const orderOf = ({ reference }: Deposit): string => reference.split('-')[0] ?? '';

/** Differences between an order and its channels' records. */
function* problemsOf(
  { orderNo, status, credits, late, expireAt, alerted }: ChannelDepositRow,
  at: readonly Deposit[],
  failedFirst: (deposit: Deposit) => boolean,
): Generator<[keyof Verdict, string]> {
  const paid = at.filter((deposit) => deposit.paidAt !== null);
  if (status === 'PENDING' || status === 'MATCHED') yield ['stuck', `${orderNo} is ${status}`];
  // Each payment is credited once, or waits once in the books as late money with its alert.
  if (credits !== (status === 'COMPLETED' ? 1 : 0))
    yield [credits > 1 ? 'double' : 'lost', `${orderNo} is ${status}, credited ${credits} times`];
  if (credits + late !== paid.length)
    yield [
      credits + late > paid.length ? 'double' : 'lost',
      `${orderNo} is ${status}, paid ${paid.length} times, credited ${credits}, late ${late}`,
    ];
  if (alerted !== late > 0) yield ['lost', `${orderNo} is ${status}: late money ${late}, alert ${String(alerted)}`];
  for (const deposit of paid) {
    const inTime = (deposit.paidAt ?? 0) < expireAt.getTime();
    if (status === 'EXPIRED' && inTime) yield ['lost', `${orderNo} is EXPIRED and was paid in time`];
    if (status === 'FAILED' && !failedFirst(deposit))
      yield ['lost', `${orderNo} is FAILED, and its channel never reported that`];
  }
  if (status === 'FAILED' && at.some(({ state }) => state === 'opened' || state === 'matched'))
    yield ['lost', `${orderNo} is FAILED while a payer may still pay it`];
}

/**
 * Checks by the channels' and the merchants' records that each order ended correctly and each payment has one credit.
 */
export function judgeChannels(evidence: ChannelEvidence): Verdict {
  const { asked, orders, arrivals, deposits, failedFirst, balances, sums } = evidence;
  const verdict: Verdict = { double: [], lost: [], stuck: [] };
  const byNumber = new Map(orders.map((order) => [order.orderNo, order]));
  for (const { number, orderNo } of asked)
    if (orderNo === null || !byNumber.has(orderNo)) verdict.lost.push(`${number} has no order`);
  for (const { reference, opened } of deposits)
    if (opened > 1) verdict.double.push(`${reference} was opened ${opened} times`);
  const atChannels = groupBy(deposits, orderOf);
  for (const order of orders)
    for (const [kind, problem] of problemsOf(order, atChannels.get(order.orderNo) ?? [], failedFirst))
      verdict[kind].push(problem);

  const callbacks = groupBy(arrivals, ({ orderNo }) => orderNo);
  for (const { orderNo, status } of orders) {
    const came = callbacks.get(orderNo) ?? [];
    if (status === 'COMPLETED' && came.length === 0) verdict.lost.push(`${orderNo}: no callback`);
    if (status !== 'COMPLETED' && came.length > 0)
      verdict.double.push(`${orderNo} is ${status} and was reported to its merchant`);
    if (came.some(({ genuine }) => !genuine) || new Set(came.map(({ bytes }) => bytes)).size > 1)
      verdict.double.push(`${orderNo}: different or wrong callbacks`);
  }

  const credited = orders.filter(({ status }) => status === 'COMPLETED');
  for (const { merchantId, available, frozen } of balances) {
    const own = credited.filter((order) => order.merchantId === merchantId);
    const due = sumOf(own).minus(new Decimal(FEE).times(own.length));
    if (!due.eq(available) || !new Decimal(frozen).isZero())
      verdict.lost.push(`${merchantId} has ${available}, ${frozen} frozen; due is ${due.toFixed(4)}`);
  }
  // What a channel owes us is negative, as at a bank; the cost that it keeps is not part of it.
  const received = [...credited, ...orders.flatMap((order) => Array<typeof order>(order.late).fill(order))];
  const owed = new Decimal(COST).times(received.length).minus(sumOf(received));
  const posted = sums.get('channel') ?? '0';
  if (!owed.eq(posted)) verdict.lost.push(`channels hold ${posted}; due is ${owed.toFixed(4)}`);
  return verdict;
}

const sumOf = (orders: readonly ChannelDepositRow[]): Decimal =>
  orders.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
