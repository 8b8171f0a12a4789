import { Decimal } from 'decimal.js';
import type { Payment } from '../../simulator/payments';
import type { AskedOrder } from '../askers';
import type { BalanceRow } from '../tables';
import type { Verdict } from '../verdict';
import type { PayoutRow } from './books';
import { COST, FEE, FUNDS } from './provision';

/** The evidence by which a campaign of payouts is judged. */
export interface PayoutEvidence {
  readonly asked: readonly AskedOrder[];
  readonly orders: readonly PayoutRow[];
  /** The upstream's own records. */
  readonly payments: readonly Payment[];
  readonly balances: readonly BalanceRow[];
  readonly sums: ReadonlyMap<string, string>;
}

const orderOf = ({ reference }: Payment): string => reference.split('-')[0] ?? '';

/** How often an order was paid, by the upstream's own count. */
function timesPaid(payments: readonly Payment[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const payment of payments) times.set(orderOf(payment), (times.get(orderOf(payment)) ?? 0) + payment.paid);
  return times;
}

/** The balances that merchants must have, from their requests and the outcomes. */
function oracle(orders: readonly PayoutRow[]): { available: Decimal; frozen: Decimal } {
  let available = new Decimal(FUNDS);
  let frozen = new Decimal(0);
  for (const { status, amount, latePaid } of orders) {
    const whole = new Decimal(amount).plus(FEE);
    if (status === 'COMPLETED') available = available.minus(whole);
    else if (status === 'APPROVED') {
      available = available.minus(whole);
      frozen = frozen.plus(whole);
    } else if (latePaid) available = available.minus(whole);
  }
  return { available, frozen };
}

function* problemsOfOrder(order: PayoutRow, paid: number, isRefused: boolean): Generator<[keyof Verdict, string]> {
  const { orderNo, status, intervention, latePaid, manual } = order;
  if (paid > 1) yield ['double', `${orderNo} was paid ${paid} times`];
  if (status === 'COMPLETED' && paid === 0) yield ['lost', `${orderNo} is completed and was not paid`];
  if (status === 'FAILED' && paid > 0 && !latePaid) yield ['lost', `${orderNo} failed, was paid, and was not posted`];
  if (latePaid && paid === 0) yield ['lost', `${orderNo} was posted as paid late and was not paid`];
  // A payout that every channel refused waits for a person to pay it.
  const waits = intervention || (manual && isRefused);
  if (status !== 'COMPLETED' && status !== 'FAILED' && !waits)
    yield ['stuck', `${orderNo} is ${status}${manual ? ', a person’s task' : ''}`];
}

/** Checks by the upstream's and the merchants' records: each payout is paid once, and every balance is correct. */
export function judgePayouts(evidence: PayoutEvidence): Verdict {
  const { asked, orders, payments, balances, sums } = evidence;
  const verdict = { double: [] as string[], lost: [] as string[], stuck: [] as string[] };
  const paid = timesPaid(payments);
  const refused = new Set(payments.filter(({ state }) => state === 'refused').map(orderOf));
  const byNumber = new Map(orders.map((order) => [order.orderNo, order]));
  for (const { number, orderNo } of asked)
    if (orderNo === null || !byNumber.has(orderNo)) verdict.lost.push(`${number} has no order`);
  for (const payment of payments)
    if (payment.asked > 1) verdict.double.push(`${payment.reference} was requested ${payment.asked} times`);
  for (const order of orders)
    for (const [kind, problem] of problemsOfOrder(
      ...([order, paid.get(order.orderNo) ?? 0, refused.has(order.orderNo)] as const),
    ))
      verdict[kind].push(problem);
  for (const { merchantId, available, frozen } of balances) {
    const must = oracle(orders.filter((order) => order.merchantId === merchantId));
    if (!must.available.eq(available) || !must.frozen.eq(frozen))
      verdict.lost.push(
        `${merchantId} has ${available} and ${frozen} frozen; it must be ${must.available.toFixed(4)} and ${must.frozen.toFixed(4)}`,
      );
  }
  const settled = orders.filter(({ status, latePaid }) => status === 'COMPLETED' || latePaid);
  const throughChannels = settled
    .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0))
    .plus(new Decimal(COST).times(settled.length));
  const posted = sums.get('channel') ?? '0';
  if (!throughChannels.eq(posted))
    verdict.lost.push(`channels hold ${posted}; it must be ${throughChannels.toFixed(4)}`);
  return verdict;
}
