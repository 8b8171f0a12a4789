import { Decimal } from 'decimal.js';
import type { Payment } from './bank';
import { groupBy } from './group-by';
import type { CreditRow, LedgerBook, NotificationRow, OrderRow } from './ledger-book';
import type { Asked } from './merchant';
import type { Arrival, Fault } from './receiver';

/** What everybody recorded. */
export interface Books {
  /** The merchants'. */
  readonly asked: readonly Asked[];
  /** The bank's. */
  readonly payments: readonly Payment[];
  /** The receiver's. */
  readonly arrivals: readonly Arrival[];
  /** When the operator resent a callback, by `order event`; milliseconds since the epoch. */
  readonly rearmed: ReadonlyMap<string, readonly number[]>;
  /** The ledger's entries, and the platform's own statuses. */
  readonly ledger: LedgerBook;
  /** The fee of every deposit. */
  readonly fee: Decimal;
}

/** Differences, in words that name the order. */
export interface Verdict {
  readonly double: string[];
  readonly lost: string[];
  readonly stuck: string[];
}

/** What several judges found. */
export const together = (verdicts: readonly Verdict[]): Verdict => ({
  double: verdicts.flatMap(({ double }) => double),
  lost: verdicts.flatMap(({ lost }) => lost),
  stuck: verdicts.flatMap(({ stuck }) => stuck),
});

/** Contract, "Acknowledgement and retries". */
const ATTEMPTS = 5;

/** Faults after which the receiver had acknowledged anyway. */
const ACKNOWLEDGES: ReadonlySet<Fault> = new Set<Fault>(['none', 'stump']);

/** Contract, "Events": the event of a notification_type. */
export const eventOf = (type: string): string => type.replace('_', '.');

/** The notification_type that each final status causes. */
const FINAL: Readonly<Record<string, string>> = {
  COMPLETED: 'deposit_completed',
  EXPIRED: 'deposit_expired',
};

/** The orders whose status requires a callback, with its notification_type. */
export function* dueCallbacks({
  asked,
  ledger,
}: Pick<Books, 'asked' | 'ledger'>): Generator<readonly [orderNo: string, type: string]> {
  const notifying = new Set(asked.filter((a) => a.merchant.expires).map((a) => a.merchant.id));
  for (const { orderNo, merchantId, status } of ledger.orders) {
    const type = FINAL[status];
    if (type !== undefined && (type !== 'deposit_expired' || notifying.has(merchantId))) yield [orderNo, type];
  }
}

/** What came from the first time to the second is forgotten after the second; milliseconds since the epoch. */
export interface Forgotten {
  readonly from: number;
  readonly until: number;
}

/** A callback that the merchant acknowledged never comes again, unless the acknowledgement was forgotten. */
export function judgeRepeats(arrivals: readonly Arrival[], { from, until }: Forgotten): Verdict {
  const isKnown = (first: Arrival, later: Arrival): boolean =>
    ACKNOWLEDGES.has(first.fault) && !(first.at >= from && first.at <= until && later.at > until);
  const double: string[] = [];
  // The receiver's book is in the order of arrival.
  for (const [key, got] of groupBy(arrivals, ({ orderNo, event }) => `${orderNo} ${event}`)) {
    const again = got.filter((later, n) => got.slice(0, n).some((first) => isKnown(first, later)));
    if (again.length > 0) double.push(`${key}: came again ${again.length} times`);
  }
  return { double, lost: [], stuck: [] };
}

/** Compares the records. Only the platform's ledger entries count; its statuses only show what is still open. */
export function judge(books: Books): Verdict {
  const verdict: Verdict = { double: [], lost: [], stuck: [] };
  judgeOrders(books, verdict);
  judgeAmounts(books, verdict);
  judgePayments(books, verdict);
  judgeCallbacks(books, verdict);
  if (books.ledger.outbox > 0) verdict.stuck.push(`${books.ledger.outbox} outbox rows`);
  // While something is under way, the sums are not final.
  if (verdict.stuck.length === 0) judgeSums(books, verdict);
  return verdict;
}

/** Each promised order exists once, and there are no orders without a request. */
function judgeOrders({ asked, ledger }: Books, { double, lost, stuck }: Verdict): void {
  const orders = groupBy(ledger.orders, (o) => `${o.merchantId} ${o.number}`);
  for (const { merchant, number, amount, created, promised, contradiction } of asked) {
    const key = `${merchant.id} ${number}`;
    const there = orders.get(key) ?? [];
    orders.delete(key);
    if (contradiction !== undefined) lost.push(`${number}: ${contradiction}`);
    else if (!promised) stuck.push(`${number}: the merchant got no answer below 500`);
    if (created > 1) double.push(`${number}: created ${created} times (201)`);
    if (there.length > 1) double.push(`${number}: ${there.length} orders`);
    if (!promised) continue;
    const order = there.find(({ orderNo }) => orderNo === promised.orderNo);
    if (!order) lost.push(`${number}: ${promised.orderNo} was promised and does not exist`);
    else if (!amount.equals(order.requested))
      lost.push(`${number}: ${amount.toFixed()} was requested, the order has ${order.requested}`);
    else if (!new Decimal(promised.amount).equals(order.amount))
      lost.push(`${number}: ${promised.amount} was promised, the order has ${order.amount}`);
  }
  for (const [key] of orders) double.push(`${key}: an unrequested order`);
  for (const { orderNo, status } of ledger.orders)
    if (status === 'PENDING' || status === 'MATCHED') stuck.push(`${orderNo}: ${status}`);
}

/** Without a remark the amount identifies the payer: it is assigned to no other order until long after the campaign. */
function judgeAmounts({ asked }: Books, { double }: Verdict): void {
  const promises = asked.flatMap(({ promised }) => (promised?.remark === null ? [promised] : []));
  const given = groupBy(promises, ({ accountNo, amount }) => `${amount} to ${accountNo}`);
  for (const [what, orders] of given)
    if (orders.length > 1) double.push(`${what}: the amount of ${orders.map(({ orderNo }) => orderNo).join(' and ')}`);
}

/** Each payment is credited once, less the fee, to its own order; nothing else is credited. */
function judgePayments({ payments, ledger, fee }: Books, verdict: Verdict): void {
  const { double, lost, stuck } = verdict;
  const credits = groupBy(ledger.credits, ({ orderNo }) => orderNo);
  const statuses = new Map(ledger.orders.map(({ orderNo, status }) => [orderNo, status]));
  for (const { orderNo, amount, acknowledged, contradiction } of payments) {
    const got = credits.get(orderNo) ?? [];
    credits.delete(orderNo);
    if (contradiction !== undefined) lost.push(`${orderNo}: ${contradiction}`);
    else if (!acknowledged) stuck.push(`${orderNo}: the bank's report got no answer below 500`);
    const net = amount.minus(fee);
    const credited = sumOf(got);
    if (got.length > 1 || credited.gt(net))
      double.push(`${orderNo}: ${net.toFixed()} is due, credited ${describe(got)}`);
    else if (got.length === 0 && isOpen(statuses.get(orderNo))) continue;
    else if (credited.lt(net)) lost.push(`${orderNo}: ${net.toFixed()} is due, credited ${describe(got)}`);
  }
  for (const [orderNo, got] of credits) double.push(`${orderNo}: unpaid, credited ${describe(got)}`);
}

/** The accounts' sum equals the money that the bank moved. */
function judgeSums({ asked, payments, ledger, fee }: Books, verdict: Verdict): void {
  const sums = new Map(ledger.sums.map(({ account, sum }) => [account, new Decimal(sum)]));
  const due = new Map<string, Decimal>();
  const merchants = new Map(asked.map((a) => [a.promised?.orderNo, a.merchant.id]));
  const add = (account: string, amount: Decimal): void => {
    due.set(account, (due.get(account) ?? new Decimal(0)).plus(amount));
  };
  for (const { orderNo, accountId, amount } of payments) {
    add(`bank:${accountId}`, amount.negated());
    add(`merchant:${merchants.get(orderNo) ?? '?'}:available`, amount.minus(fee));
    add('fee_income', fee);
  }
  add('suspense', new Decimal(0));
  for (const account of new Set([...due.keys(), ...sums.keys()])) {
    const [is, should] = [sums.get(account) ?? new Decimal(0), due.get(account) ?? new Decimal(0)];
    if (is.equals(should)) continue;
    const list = is.abs().gt(should.abs()) ? verdict.double : verdict.lost;
    list.push(`${account} holds ${is.toFixed()}, due is ${should.toFixed()}`);
  }
}

/** Each final order has its callback, with correct and always the same bytes, sent at most five times a generation. */
function judgeCallbacks(books: Books, { double, lost, stuck }: Verdict): void {
  const { arrivals, rearmed, ledger } = books;
  const came = groupBy(arrivals, ({ orderNo, event }) => `${orderNo} ${event}`);
  const rows = new Map(ledger.notifications.map((row) => [`${row.orderNo} ${row.type}`, row]));
  for (const [orderNo, type] of dueCallbacks(books)) {
    const key = `${orderNo} ${eventOf(type)}`;
    const got = came.get(key) ?? [];
    came.delete(key);
    const row = rows.get(`${orderNo} ${type}`);
    if (!row) lost.push(`${key}: there is no callback`);
    else if (row.status !== 'SUCCESS' && row.status !== 'FAILED') stuck.push(`${key}: the callback is ${row.status}`);
    else if (isMissing(row, got, rearmed.get(key) ?? []))
      lost.push(`${key}: ${row.status} after ${row.attempts} attempts, ${got.length} came`);
    if (got.some(({ genuine }) => !genuine)) lost.push(`${key}: its signature or time is wrong`);
    if (new Set(got.map(({ bytes }) => bytes)).size > 1) double.push(`${key}: two different callbacks`);
    if (mostOfAnArming(got, rearmed.get(key) ?? []) > ATTEMPTS) double.push(`${key}: ${got.length} attempts`);
  }
  for (const [key] of came) double.push(`${key}: sent, but the order has another status`);
}

/** SUCCESS without the merchant's acknowledgement, or FAILED before five attempts. */
function isMissing({ status }: NotificationRow, got: readonly Arrival[], rearmed: readonly number[]): boolean {
  const acknowledged = got.some(({ fault }) => ACKNOWLEDGES.has(fault));
  if (status === 'SUCCESS') return !acknowledged;
  const last = got.filter(({ at }) => at >= (rearmed.at(-1) ?? 0));
  return !acknowledged && last.length < ATTEMPTS && !last.some(({ fault }) => fault === 'refuse');
}

/** The most attempts between one resend and the next. */
export function mostOfAnArming(got: readonly Arrival[], rearmed: readonly number[]): number {
  const arming = ({ at }: Arrival): number => rearmed.filter((time) => time <= at).length;
  const counts = [...groupBy(got, arming).values()].map((some) => some.length);
  return Math.max(0, ...counts);
}

const sumOf = (credits: readonly CreditRow[]): Decimal =>
  credits.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));

const describe = (credits: readonly CreditRow[]): string =>
  credits.length === 0 ? 'nothing' : credits.map(({ amount }) => amount).join(' and ');

const isOpen = (status: OrderRow['status'] | undefined): boolean => status === 'PENDING' || status === 'MATCHED';
