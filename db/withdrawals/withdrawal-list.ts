import type { Fragment, Sql } from 'postgres';
import { formatMoney } from '../../domain/money';
import type { PayoutMethod, WithdrawalOrigin, WithdrawalStatus } from '../../domain/withdrawal';
import type { Database } from '../client';
import {
  all,
  among,
  type AmountRange,
  amountWithin,
  type Condition,
  countUpTo,
  keyset,
  numberedByMerchant,
  type Page,
  pageOf,
  type PageRequest,
  perOwner,
  type SortColumn,
  type TimeRange,
  timeWithin,
} from '../pages';
import { amountFieldsOf, type Raw, rowReader } from '../rows';
import { withdrawalOrders } from '../schema/withdrawals';
import type { SoughtAccount } from './sought-account';
import { viewed, type WithdrawalRow, type WithdrawalView, withdrawalViewOf } from './withdrawals';

/** Filter of a list of withdrawals. All given conditions must hold; absent and null mean none. */
export interface WithdrawalFilter {
  readonly status?: readonly WithdrawalStatus[] | null;
  readonly merchantId?: readonly string[] | null;
  readonly currencyCode?: readonly string[] | null;
  readonly origin?: readonly WithdrawalOrigin[] | null;
  readonly payoutMethod?: readonly PayoutMethod[] | null;
  readonly channelId?: readonly string[] | null;
  /** The managed account that pays. */
  readonly accountId?: readonly string[] | null;
  /** The amount that the beneficiary gets. */
  readonly amount?: AmountRange | null;
  readonly beneficiaryAccount?: string | null;
  /** What finds that number where it is sealed. */
  readonly beneficiaryIndexes?: readonly string[] | null;
  readonly beneficiaryBankCode?: string | null;
  readonly createdAt?: TimeRange | null;
  readonly needsManualIntervention?: boolean | null;
  /** PENDING past `decideBy`, or not so. */
  readonly overdue?: boolean | null;
  /** The operators who have claimed it for review. */
  readonly claimedBy?: readonly string[] | null;
  /** Gateway numbers, and merchants' numbers: exactly. */
  readonly orderNo?: readonly string[] | null;
  readonly merchantOrderNo?: readonly string[] | null;
  /** When the beneficiary was paid: only completed withdrawals. */
  readonly completedAt?: TimeRange | null;
}

/** What withdrawals are sorted by. */
export type WithdrawalSortBy = 'CREATED_AT' | 'AMOUNT' | 'COMPLETED_AT';

/** How each is sorted. */
export const WITHDRAWAL_SORTS: Readonly<Record<WithdrawalSortBy, SortColumn<WithdrawalRow>>> = {
  CREATED_AT: {
    column: 'd.created_at',
    type: 'timestamptz',
    value: ({ createdAt }) => createdAt.toISOString(),
  },
  AMOUNT: { column: 'd.amount', type: 'numeric', value: ({ amount }) => formatMoney(amount) },
  COMPLETED_AT: {
    column: 'd.completed_at',
    type: 'timestamptz',
    value: ({ completedAt }) => completedAt?.toISOString() ?? '',
  },
};

/** Also names PENDING, so that the index of open withdrawals is used. */
const late = (sql: Sql, overdue: boolean, now: Date): Fragment =>
  overdue ? sql`d.status = 'PENDING' and d.decide_by < ${now}` : sql`(d.status <> 'PENDING' or d.decide_by >= ${now})`;

/** Written like the index of settlements, so that it is used. */
const madeBy = (sql: Sql, origins: readonly WithdrawalOrigin[]): Fragment | null => {
  const [one, ...others] = new Set(origins);
  if (others.length > 0) return null;
  if (one === undefined) return sql`false`;
  return one === 'SETTLEMENT' ? sql`d.origin = 'SETTLEMENT'` : sql`d.origin = 'MERCHANT'`;
};

/** Written like the index of interventions, with the bare column, so that it is used. */
const intervention = (sql: Sql, needed: boolean): Fragment =>
  needed ? sql`d.needs_manual_intervention` : sql`not d.needs_manual_intervention`;

/** All conditions except the merchants. */
const conditions = (sql: Sql, filter: WithdrawalFilter, now: Date): readonly Condition[] => [
  among(sql, 'd.status', filter.status),
  among(sql, 'd.currency_code', filter.currencyCode, 'bpchar'),
  filter.origin != null && madeBy(sql, filter.origin),
  among(sql, 'd.payout_method', filter.payoutMethod),
  among(sql, 'd.channel_id', filter.channelId, 'uuid'),
  among(sql, 'd.account_id', filter.accountId, 'uuid'),
  amountWithin(sql, 'd.amount', filter.amount),
  filter.beneficiaryAccount != null &&
    sql`(${among(sql, 'd.beneficiary_account_index', filter.beneficiaryIndexes ?? []) ?? sql`false`}
      or d.beneficiary_account = ${filter.beneficiaryAccount} and d.beneficiary_account_index is null)`,
  filter.beneficiaryBankCode != null && sql`d.beneficiary_bank_code = ${filter.beneficiaryBankCode}`,
  timeWithin(sql, 'd.created_at', filter.createdAt),
  filter.needsManualIntervention != null && intervention(sql, filter.needsManualIntervention),
  filter.overdue != null && late(sql, filter.overdue, now),
  among(sql, 'd.claimed_by', filter.claimedBy, 'uuid'),
  among(sql, 'd.order_no', filter.orderNo),
  filter.merchantOrderNo != null && numberedByMerchant(sql, filter.merchantOrderNo),
  timeWithin(sql, 'd.completed_at', filter.completedAt),
  // A withdrawal is older than its completion, so a scan by creation begins where matching rows can be.
  timeWithin(sql, 'd.created_at', filter.completedAt?.to ? { to: filter.completedAt.to } : null),
];

/** A page of withdrawals. @param now for the overdue ones */
export async function listWithdrawals(
  { read: sql }: Database,
  filter: WithdrawalFilter,
  page: PageRequest<WithdrawalSortBy>,
  now: Date,
): Promise<Page<WithdrawalView>> {
  const { within, window } = keyset(sql, WITHDRAWAL_SORTS[page.by], 'd.id', page);
  const completed = page.by === 'COMPLETED_AT' && sql`d.completed_at is not null`;
  const where = all(sql, [within, completed, ...conditions(sql, filter, now)]);
  const found = perOwner(
    sql,
    { values: filter.merchantId, type: 'uuid' },
    'd',
    (owned) => sql`
      select d.* from withdrawal_orders d where ${where} and ${owned('d.merchant_id')} ${window}`,
  );
  const rows = await sql<Raw<WithdrawalView>[]>`
    ${viewed(sql, sql`(${found} ${window})`)} ${window}`;
  return pageOf(rows.map(withdrawalViewOf), page);
}

/** How many withdrawals match a filter, counted up to `most`. */
export async function countWithdrawals(
  { read: sql }: Database,
  filter: WithdrawalFilter,
  most: number,
  now: Date,
): Promise<number> {
  const where = all(sql, [...conditions(sql, filter, now), among(sql, 'd.merchant_id', filter.merchantId, 'uuid')]);
  return await countUpTo(sql, sql`from withdrawal_orders d where ${where}`, most);
}

/** A beneficiary, and the withdrawal with which its history is shown. */
export interface Beneficiary extends SoughtAccount {
  readonly id: string;
  readonly beneficiaryBankCode: string;
}

type Similar = WithdrawalView & { readonly similarTo: string };
const similarOf = rowReader<Similar>(amountFieldsOf(withdrawalOrders));

/**
 * The newest other withdrawals to the beneficiaries of several withdrawals, of all merchants. @param most for each
 * beneficiary
 */
export async function findSimilarWithdrawals(
  { sql }: Database,
  beneficiaries: readonly Beneficiary[],
  most: number,
): Promise<Similar[]> {
  const indexed = beneficiaries.flatMap(({ id, indexes }) => indexes.map((index) => ({ id, index })));
  const found = sql`(
    select s.*, b.id as similar_to
    from unnest(${beneficiaries.map(({ id }) => id)}::uuid[],
      ${beneficiaries.map((one) => one.account)}::text[],
      ${beneficiaries.map((one) => one.beneficiaryBankCode)}::text[]) as b(id, account, bank_code)
    cross join lateral (
      select * from (
        (select w.* from unnest(${indexed.map(({ id }) => id)}::uuid[], ${indexed.map(({ index }) => index)}::text[]) x(id, index)
          cross join lateral (
            select * from withdrawal_orders
            where beneficiary_account_index = x.index and beneficiary_bank_code = b.bank_code and id <> b.id
            order by created_at desc, id desc limit ${most}) w
          where x.id = b.id)
        union all
        (select * from withdrawal_orders
          where beneficiary_account = b.account and beneficiary_account_index is null
            and beneficiary_bank_code = b.bank_code and id <> b.id
          order by created_at desc, id desc limit ${most})) both_ways
      order by created_at desc, id desc limit ${most}) s)`;
  const rows = await sql<Raw<Similar>[]>`
    ${viewed(sql, found)} order by d.created_at desc, d.id desc`;
  return rows.map(similarOf);
}
