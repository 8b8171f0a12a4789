import type { NotificationStatus } from '../domain/callback';
import type { DepositOrderType, DepositStatus } from '../domain/deposit';
import type { RemarkedDeposit } from '../domain/matching';
import { money, type Money } from '../domain/money';
import type { Database, Transaction } from './client';

/** A deposit order as it stands. Amounts in the order's currency, four decimals; times UTC. */
export interface DepositRow {
  readonly id: string;
  readonly orderNo: string;
  readonly merchantId: string;
  readonly merchantOrderNo: string;
  readonly orderType: DepositOrderType;
  readonly accountId: string;
  readonly requestedAmount: Money;
  readonly amount: Money;
  readonly fee: Money;
  readonly actualAmount: Money;
  readonly currencyCode: string;
  readonly expectedRemark: string | null;
  readonly status: DepositStatus;
  readonly expireAt: Date;
  readonly matchedAt: Date | null;
  readonly completedAt: Date | null;
  readonly callbackUrl: string | null;
  readonly extraData: string | null;
  readonly userId: string | null;
  readonly payerBankCode: string | null;
  readonly payerAccountLast4: string | null;
  readonly paymentSnapshot: Readonly<Record<string, string>>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a merchant or an operator sees: the order and how its newest callback fares. */
export interface DepositView extends DepositRow {
  readonly callbackStatus: NotificationStatus | null;
  readonly callbackCount: number;
}

const MONEY_FIELDS = ['requestedAmount', 'amount', 'fee', 'actualAmount'] as const;
type MoneyField = (typeof MONEY_FIELDS)[number];
type Raw<Row extends DepositRow> = Omit<Row, MoneyField> & Record<MoneyField, string>;

function depositOf<Row extends DepositRow>(raw: Raw<Row>): Row {
  const amounts = Object.fromEntries(MONEY_FIELDS.map((field) => [field, money(raw[field])]));
  return { ...raw, ...amounts } as unknown as Row;
}

/** What creating a deposit writes. */
export interface NewDeposit {
  readonly id: string;
  readonly orderNo: string;
  readonly merchantId: string;
  readonly merchantOrderNo: string;
  readonly orderType: DepositOrderType;
  readonly accountId: string;
  readonly requestedAmount: Money;
  readonly amount: Money;
  readonly fee: Money;
  readonly currencyCode: string;
  readonly expectedRemark: string;
  readonly expireAt: Date;
  readonly callbackUrl: string | null;
  readonly extraData: string | null;
  readonly userId: string | null;
  readonly payerName: string | null;
  readonly payerMobile: string | null;
  readonly payerEmail: string | null;
  readonly payerBankCode: string | null;
  readonly payerAccountNo: string | null;
  readonly payerAccountLast4: string | null;
  readonly paymentSnapshot: Readonly<Record<string, string>>;
  readonly createdAt: Date;
}

/**
 * Commits a deposit with everything that must not be lost: its number, its event, its outbox row. One round trip.
 * A taken number violates merchant_order_numbers' key, a taken remark deposit_orders_remark.
 * @returns false, with nothing written, if the account stopped being active
 */
export async function insertDeposit({ sql }: Database, d: NewDeposit): Promise<boolean> {
  const rows = await sql`
    with account as (
      select id from bank_accounts where id = ${d.accountId} and status = 'ACTIVE' for key share
    ), number as (
      insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
      select ${d.merchantId}::uuid, ${d.merchantOrderNo}, 'deposit', ${d.id}::uuid from account
    ), deposit as (
      insert into deposit_orders
        (id, order_no, merchant_id, merchant_order_no, order_type, account_id, requested_amount, amount,
         fee, actual_amount, currency_code, expected_remark, status, expire_at, callback_url, extra_data,
         user_id, payer_name, payer_mobile, payer_email, payer_bank_code, payer_account_no,
         payer_account_last4, payment_snapshot, created_at, updated_at)
      select
        ${d.id}::uuid, ${d.orderNo}, ${d.merchantId}::uuid, ${d.merchantOrderNo}, ${d.orderType}, id,
        ${d.requestedAmount.toFixed()}::numeric, ${d.amount.toFixed()}::numeric, ${d.fee.toFixed()}::numeric,
        0, ${d.currencyCode}, ${d.expectedRemark}, 'PENDING', ${d.expireAt}::timestamptz, ${d.callbackUrl},
        ${d.extraData}, ${d.userId}, ${d.payerName}, ${d.payerMobile}, ${d.payerEmail}, ${d.payerBankCode},
        ${d.payerAccountNo}, ${d.payerAccountLast4}, ${sql.json(d.paymentSnapshot)}::jsonb,
        ${d.createdAt}::timestamptz, ${d.createdAt}::timestamptz
      from account
      returning deposit_orders
    )
    select append_event(${d.id}, 'deposit', 'created', ${`merchant:${d.merchantId}`}, '{}', ${d.createdAt}),
      wake_deposit(deposit_orders, ${d.createdAt})
    from deposit`;
  return rows.length === 1;
}

/** Whether a merchant order number is claimed, by whatever kind of order. */
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

/** How an order is asked for. A merchant's look-up names its merchant, so that no other's order is found. */
export type DepositKey =
  | { readonly id: string }
  | { readonly orderNo: string; readonly merchantId?: string }
  | { readonly merchantOrderNo: string; readonly merchantId: string };

/**
 * How the callbacks of a deposit `d` fare: the newest one's status, and the attempts at all of them. A callback that
 * nobody has tried to send yet has no status (contract: null before any dispatch).
 */
const withCallbacks = (sql: Database['sql']) => sql`
  left join lateral (
    select (array_agg(status order by id desc)
        filter (where total_attempts > 0 or status = 'FAILED'))[1] as callback_status,
      sum(total_attempts) as callback_count
    from notification_logs where order_id = d.id
  ) n on true`;

/** One deposit, with how its callbacks fare. */
export async function findDeposit(
  { sql }: Database,
  key: DepositKey,
): Promise<DepositView | undefined> {
  const named =
    'id' in key
      ? sql`d.id = ${key.id}`
      : 'orderNo' in key
        ? sql`d.order_no = ${key.orderNo}`
        : sql`d.merchant_order_no = ${key.merchantOrderNo}`;
  const owned = 'merchantId' in key ? sql`and d.merchant_id = ${key.merchantId}` : sql``;
  const [row] = await sql<Raw<DepositView>[]>`
    select d.*, n.callback_status, coalesce(n.callback_count, 0)::int as callback_count
    from deposit_orders d
    ${withCallbacks(sql)}
    where ${named} ${owned}`;
  return row && depositOf<DepositView>(row);
}

/** A page of deposits, newest first. */
export interface DepositPage {
  readonly first: number;
  /** The last order of the page before. */
  readonly after: { readonly createdAt: Date; readonly id: string } | null;
  readonly status: DepositStatus | null;
  readonly merchantId: string | null;
}

/** A page of deposits, newest first. */
export async function listDeposits({ sql }: Database, page: DepositPage): Promise<DepositView[]> {
  const { after, status, merchantId } = page;
  const rows = await sql<Raw<DepositView>[]>`
    select d.*, n.callback_status, coalesce(n.callback_count, 0)::int as callback_count
    from (
      select * from deposit_orders
      where true
        ${after ? sql`and (created_at, id) < (${after.createdAt}, ${after.id})` : sql``}
        ${status === null ? sql`` : sql`and status = ${status}`}
        ${merchantId === null ? sql`` : sql`and merchant_id = ${merchantId}`}
      order by created_at desc, id desc limit ${page.first}
    ) d
    ${withCallbacks(sql)}
    order by d.created_at desc, d.id desc`;
  return rows.map((row) => depositOf<DepositView>(row));
}

/** The deposits that a memo could name, whatever their account or status, locked against change. */
export async function lockDepositsByRemark(
  tx: Transaction,
  remarks: readonly string[],
): Promise<RemarkedDeposit[]> {
  if (remarks.length === 0) return [];
  const rows = await tx<
    (Omit<RemarkedDeposit, 'amount' | 'fee'> & { amount: string; fee: string })[]
  >`
    select id, account_id, currency_code, amount, fee, status, created_at
    from deposit_orders where expected_remark = any(${remarks as string[]})
    order by id for no key update`;
  return rows.map((row) => ({ ...row, amount: money(row.amount), fee: money(row.fee) }));
}

/** PENDING → MATCHED; what it will be charged is fixed here. @returns whether this call did it */
export async function matchDeposit(
  tx: Transaction,
  match: {
    readonly transferId: string;
    readonly depositId: string;
    readonly fee: Money;
    readonly actor: string;
    readonly reason: string | null;
    readonly now: Date;
  },
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select match_deposit(${match.transferId}, ${match.depositId}, ${match.fee.toFixed()}, ${match.actor},
      ${match.reason}, ${match.now}) as done`;
  return row?.done ?? false;
}

/** What settling or closing a deposit has to know. */
export interface DepositCase extends DepositRow {
  /** Gross amount of the transfer that pays it; null while there is none. */
  readonly received: Money | null;
  /** What it will be charged, fixed when that transfer was matched; null while there is none. */
  readonly charge: Money | null;
  readonly merchantCode: string;
  readonly depositFeePercent: Money;
  readonly depositFeeFixed: Money;
  readonly notifyDepositExpired: boolean;
  readonly notifyDepositCancelled: boolean;
}

/** A deposit with all that settling or closing it has to know. */
export async function findDepositCase(
  { sql }: Database,
  id: string,
): Promise<DepositCase | undefined> {
  const [row] = await sql<
    (Raw<DepositRow> &
      Pick<DepositCase, 'merchantCode' | 'notifyDepositExpired' | 'notifyDepositCancelled'> & {
        received: string | null;
        charge: string | null;
        depositFeePercent: string;
        depositFeeFixed: string;
      })[]
  >`
    select d.*, t.amount as received, a.fee as charge, m.merchant_code, m.notify_deposit_expired,
      m.notify_deposit_cancelled, c.deposit_fee_percent, c.deposit_fee_fixed
    from deposit_orders d
    join merchants m on m.id = d.merchant_id
    join merchant_currencies c on c.merchant_id = d.merchant_id and c.currency_code = d.currency_code
    left join transfer_allocations a on a.deposit_id = d.id and a.released_at is null
    left join bank_transfers t on t.id = a.transfer_id
    where d.id = ${id}`;
  return (
    row && {
      ...depositOf<DepositRow>(row),
      merchantCode: row.merchantCode,
      notifyDepositExpired: row.notifyDepositExpired,
      notifyDepositCancelled: row.notifyDepositCancelled,
      received: row.received === null ? null : money(row.received),
      charge: row.charge === null ? null : money(row.charge),
      depositFeePercent: money(row.depositFeePercent),
      depositFeeFixed: money(row.depositFeeFixed),
    }
  );
}

/** PENDING → EXPIRED, once its time has come. @param callbackBody null where the merchant is not told */
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

/** PENDING or MATCHED → CANCELLED. @param callbackBody null where the merchant is not told */
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
