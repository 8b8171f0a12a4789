import type { Fragment, JSONValue } from 'postgres';
import type { Warrant } from '../../domain/authority/warrant';
import type { NotificationStatus } from '../../domain/callback';
import type { Posting } from '../../domain/ledger';
import type { Money } from '../../domain/money';
import { type CountedDay, countersOf } from '../authority/day-amounts';
import type { Database, Transaction } from '../client';
import { accountsOf, amountsOf } from '../ledger/postings';
import { withCallbacks } from '../deposits/deposits';
import { amountFieldsOf, columnsOf, type Raw, type RowOf, rowReader } from '../rows';
import { type withdrawalDecisions, withdrawalOrders } from '../schema/withdrawals';

/** A withdrawal in its present state. Amounts in the order's currency, four decimals; times UTC. */
export type WithdrawalRow = RowOf<typeof withdrawalOrders>;

/** What a merchant or an operator sees: the order, names, and the status of its newest callback. */
export interface WithdrawalView extends WithdrawalRow {
  readonly channelName: string | null;
  /** The operator who gave the last approval needed. */
  readonly approverLogin: string | null;
  readonly callbackStatus: NotificationStatus | null;
  readonly callbackCount: number;
}

const AMOUNTS = amountFieldsOf(withdrawalOrders);
/** The amounts of a withdrawal as Money. */
export const withdrawalViewOf = rowReader<WithdrawalView>(AMOUNTS);
const caseOf = rowReader<WithdrawalCase>(AMOUNTS);

/** The day's counts and sums that an approval without people relies on; null is no limit. */
export interface Counted {
  /** Everything under which the beneficiary may be counted. */
  readonly beneficiaries: readonly string[];
  readonly merchantOrders: number | null;
  readonly merchantAmount: Money | null;
  readonly beneficiaryOrders: number | null;
  readonly beneficiaryAmount: Money | null;
}

/** A withdrawal to accept, with everything that is written with it. */
export interface NewWithdrawal {
  readonly withdrawal: WithdrawalRow;
  /** Freezes amount and fee. */
  readonly freeze: readonly Posting[];
  readonly counted: Counted;
  /** Body of its callback, where no approval is needed. */
  readonly approvedBody: string | null;
  /** The merchant's key that signed its create, until a create of that key was accepted. */
  readonly keyToNote?: string | null;
}

/** Outcome of a create. REVIEW_AGAIN: the daily counts have changed since its review. */
export type WithdrawalAcceptance = 'ACCEPTED' | 'NUMBER_TAKEN' | 'INSUFFICIENT' | 'REVIEW_AGAIN';

/**
 * Commits withdrawals of one balance with everything that must not be lost: number, frozen money, event, outbox row;
 * the approval and its callback where no person is needed. One round trip and one transaction for all; each has its own
 * outcome, in their order. If the balance's row stays locked, it fails with 55P03.
 */
export async function acceptWithdrawals(
  { sql }: Database,
  all: readonly NewWithdrawal[],
): Promise<WithdrawalAcceptance[]> {
  const [first] = all;
  if (!first) return [];
  const { merchantId, currencyCode } = first.withdrawal;
  const asked = all.map(({ withdrawal, freeze, counted, approvedBody, keyToNote = null }) => ({
    withdrawal: columnsOf(withdrawal),
    accounts: accountsOf(freeze),
    amounts: amountsOf(freeze),
    most: counted as unknown as JSONValue,
    body: approvedBody,
    keyToNote,
  }));
  const rows = await sql<{ id: string; outcome: WithdrawalAcceptance }[]>`
    select id, outcome
    from accept_withdrawals(${merchantId}, ${currencyCode}::char(3), ${sql.json(asked)}::jsonb)`;
  const outcomes = new Map(rows.map(({ id, outcome }) => [id, outcome]));
  return all.map(({ withdrawal: { id } }) => outcomes.get(id) ?? missingOutcome(id));
}

const missingOutcome = (id: string): never => {
  throw new Error(`accept_withdrawals said nothing of ${id}`);
};

/**
 * Keys of an order's look-up. A merchant's look-up includes the merchant, so that it finds no other merchant's order,
 * and no settlement.
 */
export type WithdrawalKey =
  | { readonly id: string }
  | { readonly orderNo: string; readonly merchantId?: string }
  | { readonly merchantOrderNo: string; readonly merchantId: string };

/** Withdrawals `d` as a merchant or an operator sees them. @param from where they are read, if not among all */
export const viewed = (sql: Database['sql'], from: Fragment = sql`withdrawal_orders`) => sql`
  select d.*, c.name as channel_name, o.login as approver_login, n.callback_status,
    coalesce(n.callback_count, 0)::int as callback_count
  from ${from} d
  left join channels c on c.id = d.channel_id
  left join operators o on o.id = case when not d.is_auto_approved then d.approved_by::uuid end
  ${withCallbacks(sql)}`;

/** One withdrawal, with the status of its callbacks. */
export async function findWithdrawal({ sql }: Database, key: WithdrawalKey): Promise<WithdrawalView | undefined> {
  const named =
    'id' in key
      ? sql`d.id = ${key.id}`
      : 'orderNo' in key
        ? sql`d.order_no = ${key.orderNo}`
        : sql`d.id = (select order_id from merchant_order_numbers
            where merchant_id = ${key.merchantId} and merchant_order_no = ${key.merchantOrderNo})`;
  // Settlements are not withdrawals of the merchant.
  const owned = 'merchantId' in key ? sql`and d.merchant_id = ${key.merchantId} and d.origin = 'MERCHANT'` : sql``;
  const [row] = await sql<Raw<WithdrawalView>[]>`
    ${viewed(sql)}
    where ${named} ${owned}`;
  return row && withdrawalViewOf(row);
}

/** Withdrawals by their ids, in any order, with the status of their callbacks. */
export async function findWithdrawals({ sql }: Database, ids: readonly string[]): Promise<WithdrawalView[]> {
  const rows = await sql<Raw<WithdrawalView>[]>`
    ${viewed(sql)}
    where d.id = any(${ids as string[]})`;
  return rows.map(withdrawalViewOf);
}

/** Withdrawals by their gateway numbers, in any order. */
export async function findWithdrawalsByNumber(
  { sql }: Database,
  orderNos: readonly string[],
): Promise<WithdrawalView[]> {
  const rows = await sql<Raw<WithdrawalView>[]>`
    ${viewed(sql)}
    where d.order_no = any(${orderNos as string[]})`;
  return rows.map(withdrawalViewOf);
}

/** What a decision, payment or closing of a withdrawal needs. */
export interface WithdrawalCase extends WithdrawalRow {
  readonly merchantCode: string;
  /** A channel contradicted the withdrawal's final status. */
  readonly payoutDoubted: boolean;
}

/** A withdrawal with everything that its workflow needs. */
export async function findWithdrawalCase(
  { sql }: Pick<Database, 'sql'>,
  id: string,
): Promise<WithdrawalCase | undefined> {
  const [row] = await sql<Raw<WithdrawalCase>[]>`
    select w.*, m.merchant_code, exists (
        select from payout_attempts where withdrawal_id = w.id and doubted_at is not null) as payout_doubted
    from withdrawal_orders w join merchants m on m.id = w.merchant_id
    where w.id = ${id}`;
  return row && caseOf(row);
}

/** An operator's decision on a withdrawal. */
export type DecisionRow = RowOf<typeof withdrawalDecisions>;

/** The decisions on several withdrawals, oldest first. */
export const findDecisions = async ({ sql }: Database, withdrawalIds: readonly string[]): Promise<DecisionRow[]> =>
  await sql<DecisionRow[]>`
    select * from withdrawal_decisions where withdrawal_id = any(${withdrawalIds as string[]})
    order by at, id`;

/** The operators who approved a withdrawal. */
export const findApprovers = async (tx: Transaction | Database['sql'], withdrawalId: string): Promise<string[]> =>
  (
    await tx<{ operatorId: string }[]>`
    select operator_id from withdrawal_decisions where withdrawal_id = ${withdrawalId} and verdict = 'APPROVE'`
  ).map(({ operatorId }) => operatorId);

/** Why a decision was not recorded. */
export type DecisionRefusal = 'NOT_PENDING' | 'ALREADY_DECIDED' | 'DECIDED_BEFORE' | 'MAY_BE_PAID' | 'NOT_ASKED';

/**
 * Records a decision; the order follows when it is applied. In the same statement an approval counts against the day's
 * amounts, and past one of them the order needs a second person. @returns why it was not recorded, or null
 */
export async function recordDecision(
  tx: Transaction,
  _warrant: Warrant<'approveWithdrawal'> | null,
  decision: Omit<DecisionRow, 'appliedAt'>,
  counters: readonly CountedDay[] = [],
): Promise<DecisionRefusal | null> {
  const d = decision;
  const [row] = await tx<{ refusal: DecisionRefusal | null }[]>`
    select decide_withdrawal_counted(${d.id}, ${d.withdrawalId}, ${d.operatorId}, ${d.verdict}, ${d.remarks},
      ${tx.json(countersOf(counters))}::jsonb, ${d.at}) as refusal`;
  return row?.refusal ?? null;
}

/** The bodies of the callbacks that a decision may cause. */
export interface DecisionBodies {
  readonly approved: string;
  readonly rejected: string;
  /** The rejection that the second body was built for; null if there is none. */
  readonly rejection: string | null;
}

/** PENDING → APPROVED or REJECTED, as far as the recorded decisions go. @returns whether this call moved it */
export async function applyDecisions(
  { sql }: Database,
  id: string,
  bodies: DecisionBodies,
  release: readonly Posting[],
  now: Date,
): Promise<boolean> {
  const [row] = await sql<{ done: boolean }[]>`
    select apply_withdrawal_decisions(${id}, ${bodies.rejection}, ${bodies.approved}, ${bodies.rejected},
      ${accountsOf(release)},
      ${amountsOf(release)}::numeric[], ${now}) as done`;
  return row?.done ?? false;
}

/** Raises an alert, once, that nobody decided in time. @returns whether this call did it */
export async function escalateWithdrawal({ sql }: Database, id: string, now: Date): Promise<boolean> {
  const [row] = await sql<{ done: boolean }[]>`
    select escalate_withdrawal(${id}, ${now}) as done`;
  return row?.done ?? false;
}

/**
 * Sets or clears the operator who reviews a PENDING withdrawal.
 * @returns false if it is decided, or claimed by another operator
 */
export async function claimWithdrawal(
  tx: Transaction,
  id: string,
  operatorId: string | null,
  now: Date,
): Promise<boolean> {
  const rows = await tx`
    update withdrawal_orders
    set claimed_by = ${operatorId}, claimed_at = ${operatorId && now}, updated_at = ${now}
    where id = ${id} and status = 'PENDING'
      and (${operatorId}::uuid is null or claimed_by is null or claimed_by = ${operatorId})
    returning id`;
  return rows.length === 1;
}
