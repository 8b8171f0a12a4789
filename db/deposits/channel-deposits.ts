import type { AlertKind } from '../../domain/alert';
import {
  type DepositAttemptStatus,
  type MockOrderOutcome,
  type PaymentDetails,
  snapshotOf,
} from '../../domain/channel-deposit';
import type { ChannelHealthRefusal } from '../../domain/health';
import type { Posting } from '../../domain/ledger';
import { money, type Money } from '../../domain/money';
import type { DayUse } from '../../domain/received-limits';
import {
  channelOf,
  type ChannelRow,
  type OpenableChannel,
  openableChannels,
  openableOf,
  type RawChannel,
  type RawOpenable,
} from '../channels/channels';
import type { Database, Transaction } from '../client';
import { accountsOf, amountsOf } from '../ledger/postings';
import { amountFieldsOf, type Raw, type RowOf, rowReader } from '../rows';
import { depositAttempts } from '../schema/deposits';

/** An attempt to open a deposit at a channel. Amounts in its currency; times UTC. */
export type DepositAttemptRow = RowOf<typeof depositAttempts>;

const attemptOf = rowReader<DepositAttemptRow>(amountFieldsOf(depositAttempts));

/** An attempt, with its channel's present settings. */
export interface DepositAttempt extends DepositAttemptRow {
  readonly status: DepositAttemptStatus;
  readonly channel: OpenableChannel;
}

/** The attempts of several deposits, in their order. */
export async function findDepositAttempts(
  { sql }: Database,
  depositIds: readonly string[],
): Promise<DepositAttemptRow[]> {
  const rows = await sql<Raw<DepositAttemptRow>[]>`
    select * from deposit_attempts where deposit_id = any(${depositIds as string[]})
    order by deposit_id, number`;
  return rows.map(attemptOf);
}

/** One attempt. */
export async function findDepositAttempt({ sql }: Database, id: string): Promise<DepositAttempt | undefined> {
  const [row] = await sql<Raw<DepositAttemptRow>[]>`
    select * from deposit_attempts where id = ${id}`;
  if (!row) return undefined;
  const attempt = attemptOf(row);
  const [channel] = await sql<RawOpenable[]>`
    ${openableChannels(sql)} where c.id = ${attempt.channelId}`;
  return channel && { ...attempt, channel: openableOf(channel) };
}

/** A channel in one of its currencies, with its pools (domain/channel-deposit.ts). */
export interface DepositChannelRow extends ChannelRow {
  readonly currencyCode: string;
  /** What counts against its limits there. */
  readonly use: DayUse;
  readonly poolKeys: readonly string[];
  readonly passedOver: ChannelHealthRefusal | null;
}

/**
 * The channels that take deposits in several currencies, once for each, enabled or not, with everything on which
 * routing depends, including whether the merchant may use them. @param orderId the order that needs one: a channel that
 * is on trial with it is not passed over, and its own share does not count
 */
export async function findDepositChannels(
  { sql }: Database,
  currencyCodes: readonly string[],
  orderId: string | null,
  now: Date,
): Promise<DepositChannelRow[]> {
  const rows = await sql<
    (RawChannel &
      RawDayUse & {
        currencyCode: string;
        poolKeys: readonly string[];
        passedOver: ChannelHealthRefusal | null;
      })[]
  >`
    select c.*, k.currency_code, u.day_amount::text, u.day_count, u.month_amount::text, u.month_count,
      channel_health_refusal(c, ${orderId}::uuid, ${now}::timestamptz) as passed_over, array(
        select p.currency_code || ' ' || p.id from pool_channels x join pools p on p.id = x.pool_id
        where x.channel_id = c.id) as pool_keys
    from channels c
    join unnest(${currencyCodes as string[]}::text[]) as k(currency_code) on k.currency_code = any(c.deposit_currencies)
    cross join lateral channel_use(c, k.currency_code::char(3), ${now}::timestamptz, ${orderId}::uuid) u
    order by c.id`;
  return rows.map(({ dayAmount, dayCount, monthAmount, monthCount, ...rest }) => {
    const { poolKeys, passedOver, currencyCode, ...raw } = rest;
    return {
      ...channelOf(raw),
      currencyCode,
      poolKeys,
      passedOver,
      use: dayUseOf({ dayAmount, dayCount, monthAmount, monthCount }),
    };
  });
}

/** What counts against limits, as PostgreSQL returns it. */
interface RawDayUse {
  readonly dayAmount: string;
  readonly dayCount: number;
  readonly monthAmount: string;
  readonly monthCount: number;
}
const dayUseOf = ({ dayAmount, monthAmount, ...counts }: RawDayUse): DayUse => ({
  dayAmount: money(dayAmount),
  monthAmount: money(monthAmount),
  ...counts,
});

/** What counts against the limits of a channel in one of its currencies. */
export interface ChannelUse extends DayUse {
  readonly channelId: string;
  readonly currencyCode: string;
}

/** What counts against the limits of several channels, by currency; without those that have no limits. */
export async function findChannelUses(
  { sql }: Database,
  channelIds: readonly string[],
  now: Date,
): Promise<ChannelUse[]> {
  const rows = await sql<(RawDayUse & { channelId: string; currencyCode: string })[]>`
    select c.id as channel_id, k.currency_code, u.day_amount::text, u.day_count, u.month_amount::text, u.month_count
    from channels c
    cross join lateral unnest(c.deposit_currencies) as k(currency_code)
    cross join lateral channel_use(c, k.currency_code::char(3), ${now}::timestamptz, null) u
    where c.id = any(${channelIds as string[]}) and counts_received(c) order by c.id, k.currency_code`;
  return rows.map(({ channelId, currencyCode, ...use }) => ({
    channelId,
    currencyCode,
    ...dayUseOf(use),
  }));
}

const doneIn = (rows: readonly { done: boolean }[]): boolean => rows[0]?.done ?? false;

/** Records an attempt, not sent yet. @param cost expected charge @returns whether it is allowed */
export const prepareChannelDeposit = async (
  { sql }: Database,
  id: string,
  depositId: string,
  channelId: string,
  cost: Money,
  now: Date,
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select prepare_channel_deposit(${id}, ${depositId}, ${channelId}, ${cost.toFixed()}, ${now}) as done`,
  );

/** PREPARED → SENT. @returns whether the caller sends it: true for one call only */
export const markDepositSent = async ({ sql }: Database, id: string, now: Date): Promise<boolean> =>
  doneIn(await sql<{ done: boolean }[]>`select send_channel_deposit(${id}, ${now}) as done`);

/** The channel refuses it. @returns whether this call recorded it */
export const refuseChannelDeposit = async (
  { sql }: Database,
  id: string,
  reason: string,
  now: Date,
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select refuse_channel_deposit(${id}, ${reason}, ${now}) as done`,
  );

/** SENT → OPEN, with the channel's payment details. @returns whether this call did it */
export const openChannelDeposit = async (
  { sql }: Database,
  id: string,
  channelOrderNo: string,
  details: PaymentDetails,
  now: Date,
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select open_channel_deposit(${id}, ${channelOrderNo}, ${details.paymentUrl},
      ${details.paymentInfo && sql.json(details.paymentInfo)}::jsonb,
      ${sql.json(snapshotOf(details))}::jsonb, ${now}) as done`,
  );

/** Records that an attempt was queried. @param reason what was unclear, if anything */
export async function noteChannelDeposit(
  { sql }: Database,
  id: string,
  reason: string | null,
  now: Date,
): Promise<void> {
  await sql`select note_channel_deposit(${id}, ${reason}, ${now})`;
}

/** What a channel reports as received: the amount, our fee on it, and the channel's charge. */
export interface ChannelReceipt {
  readonly received: Money;
  readonly charge: Money;
  readonly cost: Money;
}

/**
 * PENDING → MATCHED, or records the receipt of a MATCHED one. @param receipt null while the payment is under way
 * @param callbackBody of deposit.matched; null where the merchant gets none
 * @returns whether this call did it
 */
export const matchChannelDeposit = async (
  { sql }: Database,
  id: string,
  channelOrderNo: string | null,
  receipt: ChannelReceipt | null,
  callbackBody: string | null,
  now: Date,
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select match_channel_deposit(${id}, ${channelOrderNo}, ${receipt?.received.toFixed() ?? null},
      ${receipt?.charge.toFixed() ?? null}, ${receipt?.cost.toFixed() ?? null}, ${callbackBody}, ${now}) as done`,
  );

/** MATCHED → COMPLETED with both ledger transfers, event and callback. @returns whether this call did it */
export const creditChannelDeposit = async (
  { sql }: Database,
  credit: ChannelReceipt & {
    readonly attemptId: string;
    readonly credited: readonly Posting[];
    readonly charged: readonly Posting[];
    readonly callbackBody: string;
    readonly now: Date;
  },
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select credit_channel_deposit(${credit.attemptId}, ${credit.received.toFixed()}, ${credit.charge.toFixed()},
      ${credit.cost.toFixed()}, ${accountsOf(credit.credited)}, ${amountsOf(credit.credited)}::numeric[],
      ${accountsOf(credit.charged)}::text[], ${amountsOf(credit.charged)}::numeric[],
      ${credit.callbackBody}, ${credit.now}) as done`,
  );

/** Whether operators have used the payment of an order to an account, so that its channel does not credit it. */
export const isPaymentUsed = async ({ sql }: Database, depositId: string): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select used_by_operators(d) as done from deposit_orders d
    where d.id = ${depositId} and d.account_id is not null`,
  );

/** PENDING or MATCHED → FAILED. @param attemptId the one that failed; null: no channel takes it */
export const failDeposit = async (
  { sql }: Database,
  depositId: string,
  attemptId: string | null,
  reason: string,
  now: Date,
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select fail_deposit(${depositId}, ${attemptId}, ${reason}, ${now}) as done`,
  );

/** Ends the doubt about an attempt. @returns whether no message came since */
export const concludeDepositDoubt = async (
  { sql }: Database,
  attemptId: string,
  doubtedAt: Date,
  alert: AlertKind | null,
  reason: string,
  now: Date,
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select conclude_deposit_doubt(${attemptId}, ${doubtedAt}, ${alert}, ${reason}, ${now}) as done`,
  );

/**
 * Posts, once, what a channel received for an order that ended without it, with an event and an alert, and ends the
 * doubt. @param cost the channel's charge @returns whether this call posted it
 */
export const receiveLateDeposit = async (
  { sql }: Database,
  late: {
    readonly attemptId: string;
    readonly doubtedAt: Date;
    readonly cost: Money;
    readonly reason: string;
    readonly now: Date;
  },
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select receive_late_deposit(${late.attemptId}, ${late.doubtedAt}, ${late.cost.toFixed()}, ${late.reason},
      ${late.now}) as done`,
  );

/**
 * Wakes the orders whose channels are due to be queried again, because the orders ended without their money. @param
 * after when, seconds after the end of the order, ascending @returns the orders that were woken
 */
export const recheckDeposits = async (
  { sql }: Database,
  after: readonly number[],
  limit: number,
  now: Date,
): Promise<{ readonly orderNo: string }[]> =>
  await sql<{ orderNo: string }[]>`
    select recheck_channel_deposits(${after as number[]}::integer[], ${limit}, ${now}) as order_no`;

/** Sets the outcome of one deposit at a mock channel, at once. @returns whether it is open at one */
export const setMockDeposit = async (
  tx: Transaction,
  depositId: string,
  outcome: MockOrderOutcome,
  now: Date,
): Promise<boolean> =>
  doneIn(
    await tx<{ done: boolean }[]>`
    select set_mock_deposit(${depositId}, ${outcome}, ${now}) as done`,
  );

/** Which of several channel orders have their channel's payment details, or have ended without them. */
export async function findOpenings({ sql }: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from deposit_orders
    where id = any(${ids as string[]}) and (channel_order_no is not null or status <> 'PENDING')`;
  return rows.map(({ id }) => id);
}
