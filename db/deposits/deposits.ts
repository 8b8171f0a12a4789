import type { Warrant } from '../../domain/authority/warrant';
import type { JSONValue } from 'postgres';
import type { NotificationStatus } from '../../domain/callback';
import type { LatePayment } from '../../domain/deposit';
import { money, type Money, ZERO } from '../../domain/money';
import type { RoutingRefusal } from '../../domain/routing';
import { type FeeRule, type FeeTerms, termsAt } from '../../domain/fees';
import type { BankAccountRow } from '../accounts/bank-accounts';
import type { Database, Transaction } from '../client';
import { type FeeScheduleJson, scheduleOfJson } from '../fees/fee-schedules';
import { amountFieldsOf, columnsOf, nullsOf, type Raw, type RowOf, rowReader } from '../rows';
import { depositOrders } from '../schema/deposits';

/** A deposit order in its present state. Amounts in the order's currency, four decimals; times UTC. */
export type DepositRow = RowOf<typeof depositOrders>;

/** What a merchant or an operator sees: the order and the status of its newest callback. */
export interface DepositView extends DepositRow {
  readonly callbackStatus: NotificationStatus | null;
  readonly callbackCount: number;
}

const AMOUNTS = amountFieldsOf(depositOrders);
/** The amounts of a deposit as Money. */
export const depositOf = rowReader<DepositRow>(AMOUNTS);
/** The same for a deposit with the status of its callbacks. */
export const depositViewOf = rowReader<DepositView>(AMOUNTS);
const readCase = rowReader<ReadCase>({
  ...AMOUNTS,
  received: true,
  charge: true,
  depositFeePercent: true,
  depositFeeFixed: true,
});

/** The columns that we decide; the rest comes from the request. */
const DECIDED = [
  ...(['id', 'orderNo', 'merchantId', 'accountId', 'cashierSessionId', 'traceId'] as const),
  ...(['channelId', 'channelOrderNo', 'paymentUrl', 'paymentInfo'] as const),
  ...(['estimatedChannelCost', 'actualChannelCost'] as const),
  ...(['routingRulesId', 'routingRule'] as const),
  ...(['requestedAmount', 'fee', 'feeScheduleId', 'actualAmount', 'expectedRemark'] as const),
  ...(['feeHeld', 'feeCaptured', 'feeReleasedAt', 'feeVolume', 'volumeMonth', 'quotaDay'] as const),
  'commissionRateId',
  ...(['payerAccountLast4', 'paymentSnapshot', 'status'] as const),
  ...(['payerMobileIndex', 'payerEmailIndex', 'payerAccountIndex'] as const),
  ...(['expireAt', 'matchedAt', 'completedAt', 'createdAt', 'updatedAt'] as const),
] as const satisfies readonly (keyof DepositRow)[];

/**
 * A requested deposit, validated, what it says of the payer in clear: its row seals that. A new column is part of it,
 * unless the type above names it.
 */
export type OrderToAccept = Omit<DepositRow, (typeof DECIDED)[number]>;

/** Every optional field of a request, empty: for callers that set few of them. */
export const UNSET_DEPOSIT_FIELDS = nullsOf(depositOrders, DECIDED);

/**
 * A deposit to accept, as its row will be, except that the account may assign another amount, and a day to which it
 * counts, under its lock.
 */
export type NewDeposit = DepositRow & {
  /** Why this account was chosen, for operators. */
  readonly routing: JSONValue;
  /** On an account of mode FLOAT: for how many days an amount counts as used; 0 by default. */
  readonly floatHistoryDays?: number;
  /** The merchant's key that signed its create, until a create of that key was accepted. */
  readonly keyToNote?: string;
};

/**
 * The result for a deposit: accepted, with the amount to transfer, or why nothing was written. INSUFFICIENT: the
 * balance does not cover the fee to hold.
 */
export type Acceptance =
  | { readonly outcome: 'ACCEPTED'; readonly amount: Money }
  | { readonly outcome: 'NUMBER_TAKEN' | 'INSUFFICIENT' | RoutingRefusal };

/**
 * Commits deposits with everything that must not be lost: number, amount and share of the day's quota, event, outbox
 * row. One round trip and one transaction for all of them; each has its own outcome, in their order.
 * A taken remark violates deposit_orders_remark.
 */
export async function acceptDeposits({ sql }: Database, deposits: readonly NewDeposit[]): Promise<Acceptance[]> {
  const rows = await sql<{ id: string; outcome: Acceptance['outcome']; amount: string }[]>`
    select id, outcome, amount::text from accept_deposits(${sql.json(deposits.map(columnsOf))}::jsonb)`;
  const outcomes = new Map(rows.map((row) => [row.id, row]));
  return deposits.map(({ id }) => {
    const { outcome, amount } = outcomes.get(id) ?? missingOutcome(id);
    return outcome === 'ACCEPTED' ? { outcome, amount: money(amount) } : { outcome };
  });
}

const missingOutcome = (id: string): never => {
  throw new Error(`accept_deposits said nothing of ${id}`);
};

/** Whose live PENDING deposits a cap counts. */
export type OpenDepositsScope =
  | { readonly of: 'merchant'; readonly merchantId: string }
  | { readonly of: 'user'; readonly merchantId: string; readonly userId: string }
  | { readonly of: 'account'; readonly accountId: string };

/** Each scope is counted along its own index, up to its cap. */
const COUNT_OPEN_DEPOSITS = `
  select case s.of
      when 'merchant' then (select count(*) from (select from deposit_orders
        where merchant_id = s."merchantId" and status = 'PENDING' limit s.cap) o)
      when 'user' then (select count(*) from (select from deposit_orders
        where merchant_id = s."merchantId" and user_id = s."userId" and status = 'PENDING' limit s.cap) o)
      else (select count(*) from (select from deposit_orders
        where account_id = s."accountId" and status = 'PENDING' limit s.cap) o)
    end::int as count
  from rows from (jsonb_to_recordset($1::jsonb)
    as (of text, "merchantId" uuid, "userId" text, "accountId" uuid, cap int)) with ordinality as s
  order by s.ordinality`;

/**
 * Counts live PENDING deposits, in the order of the scopes. Planned for each call: a cached plan from a time without
 * open deposits, when all their indexes were equally good, could read all open deposits.
 */
export async function countOpenDeposits(
  { sql }: Database,
  scopes: readonly { readonly scope: OpenDepositsScope; readonly cap: number }[],
): Promise<number[]> {
  const asked = scopes.map(({ scope, cap }) => ({ ...scope, cap }));
  const rows = await sql.unsafe<{ count: number }[]>(COUNT_OPEN_DEPOSITS, [sql.json(asked)], {
    prepare: false,
  });
  return rows.map(({ count }) => count);
}

/** Whether a merchant order number is claimed, by any kind of order. */
export async function isNumberClaimed(
  { sql }: Database,
  merchantId: string,
  merchantOrderNo: string,
): Promise<boolean> {
  const rows = await sql`
    select 1 from merchant_order_numbers
    where merchant_id = ${merchantId} and merchant_order_no = ${merchantOrderNo}`;
  return rows.length === 1;
}

/**
 * Keys of an order's look-up. A merchant's look-up includes the merchant, so that it finds no other merchant's order.
 */
export type DepositKey =
  | { readonly id: string }
  | { readonly orderNo: string; readonly merchantId?: string }
  | { readonly merchantOrderNo: string; readonly merchantId: string };

/**
 * The callbacks of a deposit `d`: the newest one's status, and the attempts of all. A callback without an attempt has
 * no status (contract: null before any dispatch).
 */
export const withCallbacks = (sql: Database['sql']) => sql`
  left join lateral (
    select (array_agg(status order by id desc)
        filter (where total_attempts > 0 or status = 'FAILED'))[1] as callback_status,
      sum(total_attempts) as callback_count
    from notification_logs where order_id = d.id
  ) n on true`;

/** One deposit, with the status of its callbacks. */
export async function findDeposit({ sql }: Database, key: DepositKey): Promise<DepositView | undefined> {
  const named =
    'id' in key
      ? sql`d.id = ${key.id}`
      : 'orderNo' in key
        ? sql`d.order_no = ${key.orderNo}`
        : sql`d.id = (select order_id from merchant_order_numbers
            where merchant_id = ${key.merchantId} and merchant_order_no = ${key.merchantOrderNo})`;
  const owned = 'merchantId' in key ? sql`and d.merchant_id = ${key.merchantId}` : sql``;
  const [row] = await sql<Raw<DepositView>[]>`
    select d.*, n.callback_status, coalesce(n.callback_count, 0)::int as callback_count
    from deposit_orders d
    ${withCallbacks(sql)}
    where ${named} ${owned}`;
  return row && depositViewOf(row);
}

/** Deposits by their ids, in any order, with the status of their callbacks. */
export async function findDeposits({ sql }: Database, ids: readonly string[]): Promise<DepositView[]> {
  const rows = await sql<Raw<DepositView>[]>`
    select d.*, n.callback_status, coalesce(n.callback_count, 0)::int as callback_count
    from deposit_orders d
    ${withCallbacks(sql)}
    where d.id = any(${ids as string[]})`;
  return rows.map(depositViewOf);
}

/** Deposits by their gateway numbers, in any order. */
export async function findDepositsByNumber({ sql }: Database, orderNos: readonly string[]): Promise<DepositView[]> {
  const rows = await sql<Raw<DepositView>[]>`
    select d.*, n.callback_status, coalesce(n.callback_count, 0)::int as callback_count
    from deposit_orders d
    ${withCallbacks(sql)}
    where d.order_no = any(${orderNos as string[]})`;
  return rows.map(depositViewOf);
}

/** How merchants query their own deposits: by one of the two numbers. */
export interface MerchantDepositKey {
  readonly merchantId: string;
  readonly orderNo: string | null;
  readonly merchantOrderNo: string | null;
}

/** A managed account as its merchants see it. */
export type AccountOfDeposit = Pick<
  BankAccountRow,
  'id' | 'name' | 'bankCode' | 'bankName' | 'accountNo' | 'accountHolder'
>;

/** A deposit with what its merchant sees beside it. */
export interface MerchantDeposit extends DepositView {
  /** The account that it is paid to; null without one. */
  readonly account: AccountOfDeposit | null;
}

const merchantDepositOf = rowReader<MerchantDeposit>(AMOUNTS);

/**
 * Merchants' own deposits in one statement, with the status of their callbacks and their accounts; undefined for each
 * that does not exist.
 */
export async function findMerchantDeposits(
  { sql }: Database,
  keys: readonly MerchantDepositKey[],
): Promise<(MerchantDeposit | undefined)[]> {
  // Each kind of look-up uses its own index.
  const rows = await sql<(Raw<MerchantDeposit> & { place: number })[]>`
    select d.*, k.place::int, n.callback_status, coalesce(n.callback_count, 0)::int as callback_count,
      case when d.account_id is not null then (
        select json_build_object('id', a.id, 'name', a.name, 'bankCode', a.bank_code, 'bankName', a.bank_name,
          'accountNo', a.account_no, 'accountHolder', a.account_holder)
        from bank_accounts a where a.id = d.account_id) end as account
    from unnest(${keys.map((key) => key.merchantId)}::uuid[], ${keys.map((key) => key.orderNo)}::text[],
      ${keys.map((key) => key.merchantOrderNo)}::text[])
      with ordinality as k(merchant_id, order_no, merchant_order_no, place)
    join lateral (
      select * from deposit_orders where order_no = k.order_no and merchant_id = k.merchant_id
      union all
      select o.* from merchant_order_numbers n join deposit_orders o on o.id = n.order_id
      where n.merchant_id = k.merchant_id and n.merchant_order_no = k.merchant_order_no
    ) d on true
    ${withCallbacks(sql)}`;
  const found: (MerchantDeposit | undefined)[] = keys.map(() => undefined);
  for (const row of rows) found[row.place - 1] = merchantDepositOf(row);
  return found;
}

/** A deposit to which a bank credit was matched, for the log. */
export interface MatchedDeposit {
  readonly orderNo: string;
  readonly traceId: string | null;
}

/**
 * PENDING → MATCHED by a person's decision; fixes the fee.
 * @returns the deposit if this call did it, else undefined
 */
export async function matchDeposit(
  tx: Transaction,
  _warrant: Warrant<'matchTransfer'>,
  match: {
    readonly transferId: string;
    readonly depositId: string;
    readonly fee: Money;
    readonly actor: string;
    readonly reason: string | null;
    readonly now: Date;
  },
): Promise<MatchedDeposit | undefined> {
  const [row] = await tx<(MatchedDeposit & { done: boolean })[]>`
    select match_deposit(${match.transferId}, ${match.depositId}, ${match.fee.toFixed()}, ${match.actor},
      ${match.reason}, ${match.now}) as done, order_no, trace_id
    from deposit_orders where id = ${match.depositId}`;
  return row?.done ? { orderNo: row.orderNo, traceId: row.traceId } : undefined;
}

/** What crediting or closing a deposit needs. */
export interface DepositCase extends DepositRow {
  /** Gross amount of the bank credit, or of the parts of several, that pays it; null while there is none. */
  readonly received: Money | null;
  /** The fee, fixed when that credit was matched; null while there is none. */
  readonly charge: Money | null;
  readonly merchantCode: string;
  /** What happens to money that comes after its expiry. */
  readonly latePayment: LatePayment;
  /**
   * How to price another amount than its own: by the schedule's version that priced it, else by its merchant's present
   * fee.
   */
  readonly depositFee: FeeRule | FeeTerms;
  readonly notifyDepositExpired: boolean;
  readonly notifyDepositCancelled: boolean;
  /** The merchant wants a callback of a match before completion, for orders to accounts on which a channel reports. */
  readonly notifyDepositMatched: boolean;
  /** The wallet that takes the merchant's deposits in this currency; null: it has none. */
  readonly walletChannelId: string | null;
  /** The pool of the merchant in this currency; null: the default one. */
  readonly poolId: string | null;
}

type ReadCase = Omit<DepositCase, 'depositFee'> & {
  readonly depositFeePercent: Money;
  readonly depositFeeFixed: Money;
  readonly feeSchedule: FeeScheduleJson | null;
};

function caseOf(raw: Raw<ReadCase>): DepositCase {
  const row = readCase(raw);
  const { depositFeePercent: percent, depositFeeFixed: fixed, feeSchedule } = row;
  return Object.assign(row, {
    depositFee: feeSchedule ? termsAt(row.feeVolume ?? ZERO, scheduleOfJson(feeSchedule)) : { percent, fixed },
  });
}

/** Deposits with everything that crediting or closing them needs, in the order of their ids; undefined where there is none. */
export async function findDepositCases(
  { sql }: Pick<Database, 'sql'>,
  ids: readonly string[],
): Promise<(DepositCase | undefined)[]> {
  // Each by its own look-up: the plan of a join would be cached for the size of the tables at that time.
  const rows = await sql<(Raw<ReadCase> & { place: number })[]>`
    select k.place::int, f.*
    from unnest(${[...ids]}::uuid[]) with ordinality as k(id, place)
    cross join lateral (
      select d.*, a.received, a.charge, m.merchant_code, m.late_payment, m.notify_deposit_expired,
        m.notify_deposit_cancelled, m.notify_deposit_matched, c.deposit_fee_percent, c.deposit_fee_fixed,
        c.wallet_channel_id, c.pool_id,
        (select fee_schedule_json(f) from fee_schedules f where f.id = d.fee_schedule_id) as fee_schedule
      from deposit_orders d
      join merchants m on m.id = d.merchant_id
      join merchant_currencies c on c.merchant_id = d.merchant_id and c.currency_code = d.currency_code
      cross join lateral (
        select sum(coalesce(x.amount, t.amount))::numeric(20, 4) as received, sum(x.fee)::numeric(20, 4) as charge
        from transfer_allocations x join bank_transfers t on t.id = x.transfer_id
        where x.deposit_id = d.id and x.released_at is null) a
      where d.id = k.id limit 1) f`;
  const found: (DepositCase | undefined)[] = ids.map(() => undefined);
  for (const { place, ...row } of rows) found[place - 1] = caseOf(row);
  return found;
}

/** One of them. */
export const findDepositCase = async (database: Pick<Database, 'sql'>, id: string): Promise<DepositCase | undefined> =>
  (await findDepositCases(database, [id]))[0];

/** PENDING → EXPIRED, at or after its expiry. @param callbackBody null where the merchant gets no callback */
export async function expireDeposit(
  { sql }: Database,
  id: string,
  callbackBody: string | null,
  now: Date,
): Promise<boolean> {
  const [row] = await sql<{ done: boolean }[]>`
    select expire_deposit(${id}, ${callbackBody}, ${now}) as done`;
  return row?.done ?? false;
}

/** PENDING or MATCHED → CANCELLED. @param callbackBody null where the merchant gets no callback */
export async function cancelDeposit(
  tx: Transaction,
  cancel: {
    readonly depositId: string;
    readonly actor: string;
    readonly reason: string;
    readonly callbackBody: string | null;
    readonly now: Date;
  },
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select cancel_deposit(${cancel.depositId}, ${cancel.actor}, ${cancel.reason}, ${cancel.callbackBody},
      ${cancel.now}) as done`;
  return row?.done ?? false;
}

/** The merchants of these deposits, by the deposits' ids. */
export async function findMerchantsOfDeposits({ sql }: Database, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await sql<{ id: string; merchantId: string }[]>`
    select id, merchant_id from deposit_orders where id = any(${[...ids]}::uuid[])`;
  return new Map(rows.map(({ id, merchantId }) => [id, merchantId]));
}

/** How many orders are past their expiry and not expired yet, counted up to `most`. */
export async function countExpiring({ sql }: Database, most: number, now: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from deposit_orders where status = 'PENDING' and expire_at <= ${now} limit ${most}) expiring`;
  return row?.count ?? 0;
}
