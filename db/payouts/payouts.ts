import type { JSONValue } from 'postgres';
import type { PooledChannel } from '../../domain/payout-way';
import type { FeeRule } from '../../domain/fees';
import type { AlertKind } from '../../domain/alert';
import type { Posting, TransferType } from '../../domain/ledger';
import { money, type Money } from '../../domain/money';
import {
  type ChannelAttemptStatus,
  firstRecheck,
  type PayoutAnswer,
  type PayoutAttemptStatus,
} from '../../domain/payout';
import type { WithdrawalStatus } from '../../domain/withdrawal';
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
import type { RowOf } from '../rows';
import type { payoutAttempts } from '../schema/payouts';

type Sql = Database['sql'] | Transaction;

/** An attempt to pay a withdrawal. Times UTC. */
export type PayoutAttemptRow = Omit<RowOf<typeof payoutAttempts>, 'wakes' | 'wokenAt'>;

type Raw = Omit<PayoutAttemptRow, 'cost'> & { readonly cost: string | null };
const attemptOf = (row: Raw): PayoutAttemptRow => ({
  ...row,
  cost: row.cost === null ? null : money(row.cost),
});

/** The attempts of several withdrawals, in order. */
export async function findAttemptsOf(sql: Sql, withdrawalIds: readonly string[]): Promise<PayoutAttemptRow[]> {
  const rows = await sql<Raw[]>`
    select * from payout_attempts where withdrawal_id = any(${withdrawalIds as string[]})
    order by withdrawal_id, number`;
  return rows.map(attemptOf);
}

/** A withdrawal and one attempt. Locks their rows; undefined where there is no such attempt. */
export const lockPayout = async (
  tx: Transaction,
  withdrawalId: string,
  attemptId: string,
): Promise<{ status: WithdrawalStatus; attempt: PayoutAttemptStatus }[]> =>
  await tx<{ status: WithdrawalStatus; attempt: PayoutAttemptStatus }[]>`
    select w.status, a.status as attempt
    from withdrawal_orders w join payout_attempts a on a.withdrawal_id = w.id
    where w.id = ${withdrawalId} and a.id = ${attemptId} for no key update of w`;

/** An attempt by a channel, with the channel's present settings. */
export interface ChannelAttempt extends PayoutAttemptRow {
  readonly status: ChannelAttemptStatus;
  readonly channel: OpenableChannel;
  /** The channel's code of the beneficiary's bank; null if it no longer has one. */
  readonly bankCode: string | null;
}

/** A mock channel serves every bank, by our own code. */
const bankCodeIn = (sql: Sql) => sql`
  case when c.kind = 'MOCK' then w.beneficiary_bank_code else (
    select b.channel_bank_code from channel_banks b
    where b.channel_id = c.id and b.currency_code = w.currency_code and b.bank_code = w.beneficiary_bank_code) end`;

/** One attempt by a channel. */
export async function findChannelAttempt({ sql }: Database, id: string): Promise<ChannelAttempt | undefined> {
  const [row] = await sql<(Raw & { bankCode: string | null })[]>`
    select a.*, ${bankCodeIn(sql)} as bank_code
    from payout_attempts a join channels c on c.id = a.channel_id
    join withdrawal_orders w on w.id = a.withdrawal_id where a.id = ${id}`;
  if (!row?.channelId) return undefined;
  const [channel] = await sql<RawOpenable[]>`${openableChannels(sql)} where c.id = ${row.channelId}`;
  if (!channel) return undefined;
  return {
    ...(attemptOf(row) as ChannelAttempt),
    bankCode: row.bankCode,
    channel: openableOf(channel),
  };
}

/** A channel with the data on which routing of one withdrawal depends. */
export type PayableChannelRow = PooledChannel & {
  readonly channelCode: string;
  readonly cost: FeeRule;
};

/** The channels that pay out in the withdrawal's currency, of all pools. */
export async function findPayableChannels(
  { sql }: Database,
  withdrawalId: string,
  now: Date,
): Promise<PayableChannelRow[]> {
  const rows = await sql<
    (RawChannel &
      Pick<PooledChannel, 'bankCode' | 'tried' | 'passedOver' | 'isMerchants' | 'poolIds'> & {
        balance: string | null;
      })[]
  >`
    select c.*, channel_health_refusal(c, w.id, ${now}::timestamptz) as passed_over, ${bankCodeIn(sql)} as bank_code,
      b.balance::text as balance,
      exists (select from payout_attempts a where a.withdrawal_id = w.id and a.channel_id = c.id) as tried,
      uses_channel(w.merchant_id, w.currency_code, c.id) as is_merchants,
      array(select p.id::text from pool_channels x join pools p on p.id = x.pool_id
        where x.channel_id = c.id and p.currency_code = w.currency_code) as pool_ids
    from withdrawal_orders w join channels c on w.currency_code = any(c.currencies)
    left join channel_balances b on b.channel_id = c.id and b.currency_code = w.currency_code
    where w.id = ${withdrawalId} order by c.id`;
  return rows.map(({ bankCode, balance, tried, passedOver, isMerchants, poolIds, ...raw }) => ({
    ...channelOf(raw),
    bankCode,
    tried,
    passedOver,
    isMerchants,
    poolIds,
    balance: balance === null ? null : money(balance),
  }));
}

/** A hypothetical payout. */
export interface DryPayout {
  readonly currencyCode: string;
  readonly merchantId: string;
  /** The bank in our directory; null: any bank, served by every channel. */
  readonly bankCode: string | null;
}

/** The channels that pay out in a currency, of all pools, for a hypothetical payout. */
export async function findChannelsForPayout(
  { sql }: Database,
  { currencyCode, merchantId, bankCode }: DryPayout,
  now: Date,
): Promise<(PayableChannelRow & ChannelRow)[]> {
  const rows = await sql<
    (RawChannel &
      Pick<PooledChannel, 'bankCode' | 'passedOver' | 'isMerchants' | 'poolIds'> & {
        balance: string | null;
      })[]
  >`
    select c.*, channel_health_refusal(c, null, ${now}::timestamptz) as passed_over,
      case when c.kind = 'MOCK' or ${bankCode}::text is null then coalesce(${bankCode}::text, '') else (
        select k.channel_bank_code from channel_banks k
        where k.channel_id = c.id and k.currency_code = ${currencyCode}::char(3) and k.bank_code = ${bankCode}::text)
      end as bank_code, b.balance::text as balance,
      uses_channel(${merchantId}, ${currencyCode}::char(3), c.id) as is_merchants,
      array(select p.id::text from pool_channels x join pools p on p.id = x.pool_id
        where x.channel_id = c.id and p.currency_code = ${currencyCode}::char(3)) as pool_ids
    from channels c
    left join channel_balances b on b.channel_id = c.id and b.currency_code = ${currencyCode}::char(3)
    where ${currencyCode}::text = any(c.currencies) order by c.id`;
  return rows.map(({ bankCode: code, balance, passedOver, isMerchants, poolIds, ...raw }) => ({
    ...channelOf(raw),
    bankCode: code,
    passedOver,
    isMerchants,
    poolIds,
    tried: false,
    balance: balance === null ? null : money(balance),
  }));
}

/** Why a channel was chosen, for operators. */
type Note = Readonly<Record<string, JSONValue>>;

const doneIn = (rows: readonly { done: boolean }[]): boolean => rows[0]?.done ?? false;

/**
 * Records an attempt by a channel, not sent yet.
 * @param cost expected charge
 * @param routing why this channel was chosen, for operators
 * @returns whether it is allowed
 */
export const preparePayout = async (
  { sql }: Database,
  id: string,
  withdrawalId: string,
  channelId: string,
  cost: Money,
  now: Date,
  routing: Note | null = null,
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select prepare_routed_payout(${id}, ${withdrawalId}, ${channelId}, ${cost.toFixed()}, ${routing && sql.json(routing)}::jsonb,
      ${now}) as done`,
  );

/**
 * Creates the task of a manual payout. @param routing why no channel was chosen, for operators @returns whether it was
 * allowed
 */
export const openTransferTask = async (
  { sql }: Database,
  id: string,
  withdrawalId: string,
  now: Date,
  routing: Note | null = null,
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select open_routed_task(${id}, ${withdrawalId}, ${routing && sql.json(routing)}::jsonb, ${now}) as done`,
  );

/** PREPARED → SENT. @returns whether the caller sends it: true for one call only */
export const markSent = async ({ sql }: Database, id: string, now: Date): Promise<boolean> =>
  doneIn(await sql<{ done: boolean }[]>`select send_payout(${id}, ${now}) as done`);

/** SENT → PREPARED, by the caller who marked it and has not sent it. @returns whether it is prepared again */
export const unsendPayout = async (
  { sql }: Database,
  id: string,
  sentAt: Date,
  reason: string,
  now: Date,
): Promise<boolean> =>
  doneIn(await sql<{ done: boolean }[]>`select unsend_payout(${id}, ${sentAt}, ${reason}, ${now}) as done`);

/** Records an answer that does not end the attempt. @param intervene why a person is needed, if one is */
export async function notePayout(
  { sql }: Database,
  id: string,
  answer: Extract<PayoutAnswer['kind'], 'ACCEPTED' | 'FAILED' | 'UNKNOWN'>,
  about: {
    readonly channelOrderNo: string | null;
    readonly reason: string | null;
    readonly intervene: string | null;
  },
  now: Date,
): Promise<void> {
  await sql`
    select note_payout(${id}, ${answer}, ${about.channelOrderNo}, ${about.reason}, ${about.intervene}, ${now})`;
}

/** The channel has not paid and never will. @returns whether this call recorded it */
export const refusePayout = async ({ sql }: Database, id: string, reason: string, now: Date): Promise<boolean> =>
  doneIn(await sql<{ done: boolean }[]>`select refuse_payout(${id}, ${reason}, ${now}) as done`);

/** How an attempt by a channel ended its withdrawal. */
export interface PayoutEnd {
  readonly attemptId: string;
  readonly actor: string;
  readonly callbackBody: string;
  readonly now: Date;
}

/** The attempt succeeded, and its withdrawal is completed. @returns whether this call did it */
export const payWithdrawal = async (
  sql: Sql,
  end: PayoutEnd & {
    readonly channelOrderNo: string | null;
    readonly bankReference: string | null;
    readonly cost: Money;
    /** The bank has already returned it; that is handled next. */
    readonly returned: boolean;
    readonly paid: readonly Posting[];
    readonly charged: readonly Posting[];
  },
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select pay_withdrawal(${end.attemptId}, ${end.channelOrderNo}, ${end.bankReference}, ${end.cost.toFixed()},
      ${end.returned}, ${end.actor}, ${accountsOf(end.paid)}, ${amountsOf(end.paid)}::numeric[], ${accountsOf(end.charged)}::text[],
      ${amountsOf(end.charged)}::numeric[], ${end.callbackBody}, ${end.now}) as done`,
  );

/** The attempt failed permanently, and its withdrawal with it. @returns whether this call did it */
export const failPayout = async (
  sql: Sql,
  end: PayoutEnd & { readonly reason: string; readonly release: readonly Posting[] },
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select fail_payout(${end.attemptId}, ${end.reason}, ${end.actor}, ${accountsOf(end.release)},
      ${amountsOf(end.release)}::numeric[], ${end.callbackBody}, ${firstRecheck(end.now)}, ${end.now}) as done`,
  );

/**
 * Wakes the withdrawals whose failed attempts are due for a recheck, so that their workflows query the channels. @param
 * afterSeconds the time of each recheck, seconds after the failure
 */
export const recheckPayouts = async (
  { sql }: Database,
  afterSeconds: readonly number[],
  limit: number,
  now: Date,
): Promise<{ readonly orderNo: string }[]> =>
  await sql<{ orderNo: string }[]>`
    select order_no from recheck_payouts(${afterSeconds as number[]}::integer[], ${limit}, ${now})`;

/** How the doubt about an ended attempt is resolved. */
export interface DoubtEnd {
  readonly attemptId: string;
  readonly doubtedAt: Date;
  /** Posted once for each attempt; null: nothing is posted. A channel's charge for paying after all is posted, too. */
  readonly posted: {
    readonly type: TransferType;
    readonly postings: readonly Posting[];
    readonly cost?: { readonly amount: Money; readonly postings: readonly Posting[] };
  } | null;
  readonly alert: AlertKind | null;
  readonly reason: string;
  readonly now: Date;
}

/** Ends a doubt. @returns whether this call posted something */
export const concludeDoubt = async ({ sql }: Database, end: DoubtEnd): Promise<boolean> => {
  const { posted } = end;
  if (posted?.cost) {
    const { type, postings, cost } = posted;
    return doneIn(
      await sql<{ done: boolean }[]>`
      select conclude_late_payment(${end.attemptId}, ${end.doubtedAt}, ${type}, ${accountsOf(postings)},
        ${amountsOf(postings)}::numeric[], ${cost.amount.toFixed()}, ${accountsOf(cost.postings)}::text[],
        ${amountsOf(cost.postings)}::numeric[], ${end.alert}, ${end.reason}, ${end.now}) as done`,
    );
  }
  return doneIn(
    await sql<{ done: boolean }[]>`
    select conclude_doubt(${end.attemptId}, ${end.doubtedAt}, ${posted?.type ?? null},
      ${accountsOf(posted?.postings ?? [])}::text[], ${amountsOf(posted?.postings ?? [])}::numeric[],
      ${end.alert}, ${end.reason}, ${end.now}) as done`,
  );
};
