import type { Fragment, Sql } from 'postgres';
import type { NotificationStatus } from '../../domain/callback';
import type { DepositOrderType, DepositStatus } from '../../domain/deposit';
import { LIMITS } from '../../domain/limits';
import { formatMoney } from '../../domain/money';
import type { Database } from '../client';
import type { Raw } from '../rows';
import { type DepositRow, type DepositView, depositViewOf, withCallbacks } from './deposits';
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

/** Filter of a list of deposits. All given conditions must hold; absent and null mean none. */
export interface DepositFilter {
  readonly status?: readonly DepositStatus[] | null;
  readonly merchantId?: readonly string[] | null;
  readonly accountId?: readonly string[] | null;
  readonly currencyCode?: readonly string[] | null;
  readonly orderType?: readonly DepositOrderType[] | null;
  /** What the payer must transfer. */
  readonly amount?: AmountRange | null;
  readonly createdAt?: TimeRange | null;
  readonly completedAt?: TimeRange | null;
  readonly expireAt?: TimeRange | null;
  /** The status of the newest callback with at least one attempt. */
  readonly callbackStatus?: readonly NotificationStatus[] | null;
  readonly userId?: string | null;
  readonly payerAccountLast4?: string | null;
  /** Gateway numbers, and merchants' numbers: exactly. */
  readonly orderNo?: readonly string[] | null;
  readonly merchantOrderNo?: readonly string[] | null;
}

/** Sort keys of deposits. COMPLETED_AT excludes deposits that are not completed, EXPIRE_AT final ones. */
export type DepositSortBy = 'CREATED_AT' | 'AMOUNT' | 'COMPLETED_AT' | 'EXPIRE_AT';

/** How each is sorted. */
export const DEPOSIT_SORTS: Readonly<Record<DepositSortBy, SortColumn<DepositRow>>> = {
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
  EXPIRE_AT: {
    column: 'd.expire_at',
    type: 'timestamptz',
    value: ({ expireAt }) => expireAt.toISOString(),
  },
};

/** Each sort has an index of its own; these indexes are partial. */
const leftOut = (sql: Sql, by: DepositSortBy): Fragment | null => {
  switch (by) {
    case 'COMPLETED_AT':
      return sql`d.completed_at is not null`;
    case 'EXPIRE_AT':
      return sql`d.status in ('PENDING', 'MATCHED')`;
    case 'CREATED_AT':
    case 'AMOUNT':
      return null;
  }
};

/**
 * Bounds of `created_at` that follow from the other times: a deposit expires within a day of its creation, and is
 * completed after it. So a scan by creation begins where matching rows can be, not at the newest.
 */
function createdWithin({ completedAt, expireAt }: DepositFilter): TimeRange[] {
  const longest = LIMITS.depositExpireMinutes.max * 60_000;
  return [
    { to: completedAt?.to ?? null },
    {
      from: expireAt?.from ? new Date(expireAt.from.getTime() - longest) : null,
      to: expireAt?.to ?? null,
    },
  ].filter(({ from, to }) => from ?? to);
}

/** Few callbacks are open, and those are new: their orders are found by them. */
const OPEN_CALLBACKS: readonly NotificationStatus[] = ['SENDING', 'WAITING_RETRY'];

/**
 * The status as shown: that of the newest callback with an attempt. There are as many final callbacks as orders, so the
 * scan goes through the orders, beginning with the newest that has such a callback. A merchant's callbacks without
 * success are rare: PostgreSQL may begin with those.
 */
function calledBack(
  sql: Sql,
  statuses: readonly NotificationStatus[],
  { merchantId }: Pick<DepositFilter, 'merchantId'>,
): Fragment {
  const is = (status: `${string}.${string}`): Fragment => among(sql, status, statuses) ?? sql`true`;
  const newest = sql`
    select newest.status from notification_logs newest
    where newest.order_id = d.id and (newest.total_attempts > 0 or newest.status = 'FAILED')
    order by newest.id desc limit 1`;
  const shown = sql`(${newest}) = any(${statuses as string[]}::text[])`;
  const theirs = among(sql, 'n.merchant_id', merchantId, 'uuid') ?? sql`true`;
  const having = sql`
    d.id in (select n.order_id from notification_logs n where ${is('n.status')} and ${theirs})`;
  if (statuses.every((status) => OPEN_CALLBACKS.includes(status))) return sql`${having} and ${shown}`;
  // An order is older than its callbacks.
  const start = sql`
    select n.created_at from notification_logs n where ${is('n.status')} order by n.id desc limit 1`;
  const since = sql`${shown} and d.created_at <= (${start})`;
  return merchantId && !statuses.includes('SUCCESS') ? sql`${having} and ${since}` : since;
}

/** The filter without merchant, account and currency. */
const conditions = (sql: Sql, filter: DepositFilter): readonly Condition[] => [
  among(sql, 'd.status', filter.status),
  among(sql, 'd.order_type', filter.orderType),
  amountWithin(sql, 'd.amount', filter.amount),
  timeWithin(sql, 'd.created_at', filter.createdAt),
  ...createdWithin(filter).map((range) => timeWithin(sql, 'd.created_at', range)),
  timeWithin(sql, 'd.completed_at', filter.completedAt),
  timeWithin(sql, 'd.expire_at', filter.expireAt),
  filter.callbackStatus != null && calledBack(sql, filter.callbackStatus, filter),
  filter.userId != null && sql`d.user_id = ${filter.userId}`,
  filter.payerAccountLast4 != null && sql`d.payer_account_last4 = ${filter.payerAccountLast4}`,
  among(sql, 'd.order_no', filter.orderNo),
  filter.merchantOrderNo != null && numberedByMerchant(sql, filter.merchantOrderNo),
];

/** Beyond this many accounts, the list is scanned by its own order. */
const FEW_ACCOUNTS = 100;

/** The accounts of the filter, also by currency, as an account has one currency. Null: all. */
async function accountsOf(sql: Sql, { accountId, currencyCode }: DepositFilter): Promise<readonly string[] | null> {
  if (!currencyCode) return accountId ?? null;
  const rows = await sql<{ id: string }[]>`
    select a.id from bank_accounts a
    where ${all(sql, [among(sql, 'a.currency_code', currencyCode, 'bpchar'), among(sql, 'a.id', accountId, 'uuid')])}`;
  return rows.map(({ id }) => id);
}

/** A page of deposits. */
export async function listDeposits(
  { read: sql }: Database,
  filter: DepositFilter,
  page: PageRequest<DepositSortBy>,
): Promise<Page<DepositView>> {
  const { within, window } = keyset(sql, DEPOSIT_SORTS[page.by], 'd.id', page);
  const { merchantId } = filter;
  const accountId = await accountsOf(sql, filter);
  // For a few accounts their index is used, unless there are fewer merchants.
  const byAccount = !merchantId && accountId !== null && accountId.length <= FEW_ACCOUNTS;
  const onAccount = byAccount ? null : among(sql, 'd.account_id', accountId, 'uuid');
  const where = all(sql, [within, leftOut(sql, page.by), onAccount, ...conditions(sql, filter)]);
  const found = perOwner(
    sql,
    { values: byAccount ? accountId : merchantId, type: 'uuid' },
    'd',
    (owned) => sql`
      select d.* from deposit_orders d
      where ${where} and ${owned(byAccount ? 'd.account_id' : 'd.merchant_id')} ${window}`,
  );
  const rows = await sql<Raw<DepositView>[]>`
    select d.*, n.callback_status, coalesce(n.callback_count, 0)::int as callback_count
    from (${found} ${window}) d
    ${withCallbacks(sql)} ${window}`;
  return pageOf(rows.map(depositViewOf), page);
}

/** How many deposits match a filter, counted up to `most`. */
export async function countDeposits({ read: sql }: Database, filter: DepositFilter, most: number): Promise<number> {
  const where = all(sql, [
    ...conditions(sql, filter),
    among(sql, 'd.merchant_id', filter.merchantId, 'uuid'),
    among(sql, 'd.account_id', await accountsOf(sql, filter), 'uuid'),
  ]);
  return await countUpTo(sql, sql`from deposit_orders d where ${where}`, most);
}
