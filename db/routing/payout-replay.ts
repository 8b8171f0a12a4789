import { money } from '../../domain/money';
import type { OtherPayout, PastPayout, ReplayedChannel } from '../../domain/payout-replay';
import { walletOfPayout } from '../../domain/payout-way';
import { TRUSTED_FROM } from '../../domain/routing-rules';
import type { Database } from '../client';
import { type ChannelRow, channelOf, type RawChannel } from '../channels/channels';
import { type RawRefusal, refusedOf, type ReplayedTime } from './replay';

/** A payout of the day as stored, and the version of the rules that routed it. */
export interface StoredPastPayout extends Omit<PastPayout, 'rules'> {
  readonly beneficiaryAccount: string;
  readonly rulesVersion: number | null;
}

/** A withdrawal of the day, and when it was last routed. */
export interface RoutedPayout {
  readonly id: string;
  readonly at: Date;
}

/**
 * A beneficiary of a merchant. Its account is the blind index where the number is sealed: a replay only tells accounts
 * apart. Until `keys:rotate` has come to all its orders, one account may be two here.
 */
export interface BeneficiaryKey {
  readonly merchantId: string;
  readonly bankCode: string;
  readonly beneficiaryAccount: string;
}

/** A beneficiary with its merchant. */
const payerOf = ({ bankCode, beneficiaryAccount }: Omit<BeneficiaryKey, 'merchantId'>): string =>
  `${bankCode} ${beneficiaryAccount}`;

/** The events that store the routing decision of a payout. */
const ROUTED = ['payout_prepared', 'transfer_task_opened'];

/** The withdrawals of a currency that were created in a time range and routed, by the time of their last routing. */
export const findRoutedPayouts = async (
  { read: sql }: Database,
  currencyCode: string,
  { from, to }: ReplayedTime,
): Promise<RoutedPayout[]> =>
  await sql<RoutedPayout[]>`
    select w.id, e.at from withdrawal_orders w
    cross join lateral (
      select max(v.at) as at from order_events v where v.order_id = w.id and v.type = any(${ROUTED})) e
    where w.currency_code = ${currencyCode}::char(3) and w.created_at >= ${from} and w.created_at < ${to}
      and e.at is not null
    order by e.at, w.id`;

/** Payouts by their ids, in that order. */
export async function findPastPayouts({ read: sql }: Database, ids: readonly string[]): Promise<StoredPastPayout[]> {
  const rows = await sql<
    (Pick<StoredPastPayout, 'id' | 'merchantId' | 'at' | 'poolId' | 'bankCode' | 'completedAt'> & {
      readonly amount: string;
      readonly currencyCode: string;
      readonly beneficiaryAccount: string;
      readonly channelId: string | null;
      readonly routing: { rulesVersion?: number; refused?: readonly RawRefusal[] } | null;
    })[]
  >`
    select w.id, w.merchant_id, w.amount::text, w.currency_code, w.beneficiary_bank_code as bank_code,
      coalesce(w.beneficiary_account_index, w.beneficiary_account) as beneficiary_account, c.pool_id, e.at, e.channel_id, e.routing,
      case when w.status = 'COMPLETED' then w.completed_at end as completed_at
    from unnest(${ids as string[]}::uuid[]) with ordinality k(id, place)
    join withdrawal_orders w on w.id = k.id
    left join merchant_currencies c on c.merchant_id = w.merchant_id and c.currency_code = w.currency_code
    cross join lateral (
      select v.at, v.detail ->> 'channelId' as channel_id, v.detail -> 'routing' as routing from order_events v
      where v.order_id = w.id and v.type = any(${ROUTED}) order by v.position desc limit 1) e
    order by k.place`;
  return rows.map(({ amount, currencyCode, channelId, routing, ...row }) => ({
    ...row,
    amount: money(amount),
    walletKind: walletOfPayout(currencyCode, row.bankCode),
    payer: payerOf(row),
    went: channelId,
    refused: refusedOf(routing?.refused ?? []),
    rulesVersion: routing?.rulesVersion ?? null,
  }));
}

/**
 * The withdrawals that were completed in a time range, except those that were created from `created.from` to
 * `created.to`.
 */
export async function findOtherPayouts(
  { read: sql }: Database,
  currencyCode: string,
  created: ReplayedTime,
  { from, to }: ReplayedTime,
): Promise<(OtherPayout & BeneficiaryKey)[]> {
  const rows = await sql<(BeneficiaryKey & Pick<OtherPayout, 'went' | 'completedAt'>)[]>`
    select merchant_id, beneficiary_bank_code as bank_code,
      coalesce(beneficiary_account_index, beneficiary_account) as beneficiary_account, channel_id as went, completed_at
    from withdrawal_orders
    where currency_code = ${currencyCode}::char(3) and completed_at >= ${from} and completed_at < ${to}
      and not (created_at >= ${created.from} and created_at < ${created.to})
    order by completed_at, id`;
  return rows.map((row) => ({ ...row, payer: payerOf(row) }));
}

/** What was completed before a time for beneficiaries, by `merchant payer`, the latest first. */
export async function findBeneficiaryPastsBefore(
  { read: sql }: Database,
  currencyCode: string,
  keys: readonly BeneficiaryKey[],
  at: Date,
): Promise<Map<string, string[]>> {
  const rows = await sql<(BeneficiaryKey & { ways: string[] })[]>`
    select k.merchant_id, k.bank_code, k.beneficiary_account,
      array_agg(p.way order by p.completed_at desc, p.id desc) as ways
    from unnest(${keys.map((key) => key.merchantId)}::uuid[], ${keys.map((key) => key.bankCode)}::text[],
      ${keys.map((key) => key.beneficiaryAccount)}::text[]) k(merchant_id, bank_code, beneficiary_account)
    join lateral (
      select case when w.currency_code = ${currencyCode}::char(3)
          then coalesce(w.channel_id::text, 'people') else 'elsewhere' end as way, w.completed_at, w.id
      from withdrawal_orders w
      where (w.beneficiary_account_index = k.beneficiary_account
          or w.beneficiary_account = k.beneficiary_account and w.beneficiary_account_index is null)
        and w.beneficiary_bank_code = k.bank_code
        and w.merchant_id = k.merchant_id and w.status = 'COMPLETED' and w.completed_at < ${at}
      order by w.completed_at desc, w.id desc limit ${TRUSTED_FROM}
    ) p on true
    group by k.merchant_id, k.bank_code, k.beneficiary_account`;
  return new Map(rows.map(({ ways, ...key }) => [`${key.merchantId} ${payerOf(key)}`, ways]));
}

/** The channels that pay out in a currency, for any merchant and any bank. */
export async function findReplayedChannels(
  { read: sql }: Database,
  currencyCode: string,
  now: Date,
): Promise<(ReplayedChannel & Pick<ChannelRow, 'cost'>)[]> {
  const rows = await sql<(RawChannel & Pick<ReplayedChannel, 'passedOver' | 'poolIds'> & { served: string[] })[]>`
    select c.*, channel_health_refusal(c, null, ${now}::timestamptz) as passed_over,
      array(select b.bank_code::text from channel_banks b
        where b.channel_id = c.id and b.currency_code = ${currencyCode}::char(3)) as served,
      array(select p.id::text from pool_channels x join pools p on p.id = x.pool_id
        where x.channel_id = c.id and p.currency_code = ${currencyCode}::char(3)) as pool_ids
    from channels c where ${currencyCode}::text = any(c.currencies) order by c.id`;
  return rows.map(({ passedOver, poolIds, served, ...raw }) => {
    const channel = channelOf(raw);
    // A mock channel serves every bank.
    const banks = channel.kind === 'MOCK' ? null : new Set(served);
    return { ...channel, passedOver, poolIds, banks };
  });
}
