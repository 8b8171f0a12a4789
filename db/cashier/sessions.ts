import type { JudgedSession } from '../../domain/cashier';
import { money, type Money } from '../../domain/money';
import type { RoutingRefusal } from '../../domain/routing';
import type { Database, Transaction } from '../client';
import type { Acceptance, NewDeposit } from '../deposits/deposits';
import { columnsOf, type RowOf } from '../rows';
import type { cashierSessions } from '../schema/cashier';

/** A cashier session as stored. */
export type CashierSessionRow = RowOf<typeof cashierSessions>;

/** A session to open, or to replace the user's PENDING one. */
export type NewCashierSession = Pick<
  CashierSessionRow,
  | 'id'
  | 'merchantId'
  | 'merchantOrderNo'
  | 'currencyCode'
  | 'userId'
  | 'callbackUrl'
  | 'extraData'
  | 'payerBankCards'
  | 'payerBankCardsIndex'
  | 'cardCount'
  | 'traceId'
  | 'expireAt'
  | 'createdAt'
> & {
  /** The indexes that equal cards may have, under each key of the ring. */
  readonly sameCards: readonly string[];
  /** The merchant's key that signed its create, until a create of that key was accepted. */
  readonly keyToNote: string | null;
};

/** A requested session, and its order's amount if it has an order. */
export type OpenedSession =
  | {
      readonly outcome: 'ACCEPTED';
      readonly sessionId: string;
      readonly version: number;
      readonly expireAt: Date;
      /** What the payer must transfer; null without an order. */
      readonly amount: Money | null;
    }
  | { readonly outcome: 'NUMBER_TAKEN' | 'INSUFFICIENT' | RoutingRefusal };

/** The result of a payer's choice. EXPIRED, SUBMITTED, OLD_VERSION: the session no longer takes an order. */
export type Submission = Acceptance | { readonly outcome: 'EXPIRED' | 'SUBMITTED' | 'OLD_VERSION' };

/**
 * Opens a session, or reuses the PENDING one of the same user; with a deposit it is SUBMITTED at once. All of it in one
 * transaction and one round trip. A taken remark violates deposit_orders_remark.
 */
export async function openCashierSession(
  { sql }: Database,
  session: NewCashierSession,
  deposit: NewDeposit | null,
): Promise<OpenedSession> {
  const row = columnsOf({
    ...session,
    status: 'PENDING',
    version: 1,
    updatedAt: session.createdAt,
  });
  const asked = deposit && sql.json(columnsOf(deposit));
  const [opened] = await sql<
    {
      outcome: OpenedSession['outcome'];
      sessionId: string;
      version: number;
      expireAt: Date;
      amount: string | null;
    }[]
  >`
    select outcome, session_id, version, expire_at, amount::text
    from open_cashier_session(${sql.json(row)}::jsonb, ${asked}::jsonb)`;
  if (!opened) throw new Error('open_cashier_session returned no row');
  const { outcome, amount, ...rest } = opened;
  return outcome === 'ACCEPTED' ? { outcome, ...rest, amount: amount === null ? null : money(amount) } : { outcome };
}

/**
 * PENDING → SUBMITTED with its order, in one transaction and one round trip. An overdue session becomes EXPIRED. A
 * taken remark violates deposit_orders_remark.
 */
export async function submitCashierSession(
  { sql }: Database,
  submit: {
    readonly sessionId: string;
    readonly version: number;
    readonly deposit: NewDeposit;
    readonly card: number | null;
    readonly actor: string;
    readonly now: Date;
  },
): Promise<Submission> {
  const { sessionId, version, deposit, card, actor, now } = submit;
  const [row] = await sql<{ outcome: Submission['outcome']; amount: string }[]>`
    select outcome, amount::text from submit_cashier_session(${sessionId}, ${version},
      ${sql.json(columnsOf(deposit))}::jsonb, ${card}, ${actor}, ${now})`;
  if (!row) throw new Error('submit_cashier_session returned no row');
  const { outcome, amount } = row;
  return outcome === 'ACCEPTED' ? { outcome, amount: money(amount) } : { outcome };
}

/** Records, once, which card pays an order that was created with its session. */
export async function chooseCashierCard(
  { sql }: Database,
  choice: {
    readonly sessionId: string;
    readonly version: number;
    readonly card: number;
    readonly bankCode: string | null;
    readonly accountLast4: string | null;
    readonly now: Date;
  },
): Promise<boolean> {
  const { sessionId, version, card, bankCode, accountLast4, now } = choice;
  const [row] = await sql<{ done: boolean }[]>`
    select choose_cashier_card(${sessionId}, ${version}, ${card}, ${bankCode}, ${accountLast4}, ${now}) as done`;
  return row?.done ?? false;
}

/** PENDING → EXPIRED, at or after its expiry. */
export async function expireCashierSession({ sql }: Database, id: string, now: Date): Promise<boolean> {
  const [row] = await sql<{ done: boolean }[]>`select expire_cashier_session(${id}, ${now}) as done`;
  return row?.done ?? false;
}

/** PENDING → EXPIRED by an operator. */
export async function revokeCashierSession(
  tx: Transaction,
  revoke: {
    readonly sessionId: string;
    readonly actor: string;
    readonly reason: string;
    readonly now: Date;
  },
): Promise<boolean> {
  const [row] = await tx<{ done: boolean }[]>`
    select revoke_cashier_session(${revoke.sessionId}, ${revoke.actor}, ${revoke.reason}, ${revoke.now}) as done`;
  return row?.done ?? false;
}

/** Several sessions by their ids, in any order. */
export const findCashierSessions = async ({ sql }: Database, ids: readonly string[]): Promise<CashierSessionRow[]> =>
  await sql<CashierSessionRow[]>`
    select * from cashier_sessions where id = any(${ids as string[]})`;

/** What decides whether a session's tokens are valid. */
export async function findJudgedSession(
  { sql }: Database,
  id: string,
): Promise<(CashierSessionRow & JudgedSession) | undefined> {
  const [row] = await sql<(CashierSessionRow & JudgedSession)[]>`
    select s.*, case when d.status in ('COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED')
      then d.updated_at end as order_ended_at
    from cashier_sessions s left join deposit_orders d on d.id = s.deposit_order_id
    where s.id = ${id}`;
  return row;
}

/** Expires a PENDING deposit early. For sandboxes. */
export async function hurryDeposit({ sql }: Database, id: string, now: Date): Promise<boolean> {
  const [row] = await sql<{ done: boolean }[]>`select hurry_deposit(${id}, ${now}) as done`;
  return row?.done ?? false;
}

/** Whether a number is claimed by anything other than the PENDING session that this one would replace. */
export async function isNumberClaimedElsewhere(
  { sql }: Database,
  { merchantId, merchantOrderNo, userId }: NewCashierSession,
): Promise<boolean> {
  const rows = await sql`
    select from merchant_order_numbers n
    where n.merchant_id = ${merchantId} and n.merchant_order_no = ${merchantOrderNo}
      and not exists (
        select from cashier_sessions s
        where s.id = n.order_id and n.noun = 'cashier' and s.status = 'PENDING'
          and s.user_id = ${userId} and s.user_id <> '')`;
  return rows.length > 0;
}

/** The status of a session, and its order's number. */
export async function findCashierState(
  { sql }: Database,
  id: string,
): Promise<(Pick<CashierSessionRow, 'status' | 'expireAt'> & { readonly orderNo: string | null }) | undefined> {
  const [row] = await sql<(Pick<CashierSessionRow, 'status' | 'expireAt'> & { orderNo: string | null })[]>`
    select s.status, s.expire_at, d.order_no
    from cashier_sessions s left join deposit_orders d on d.id = s.deposit_order_id
    where s.id = ${id}`;
  return row;
}

/** A published event of a session or of its order; `sessionId` is null if it concerns no session. */
export interface SessionEvent {
  readonly seq: bigint;
  readonly sessionId: string | null;
}

/** Published events after a number, in order, at most `limit`, with the cashier session that each concerns. */
export async function findCashierEventsAfter({ sql }: Database, seq: bigint, limit: number): Promise<SessionEvent[]> {
  const rows = await sql<{ seq: string; sessionId: string | null }[]>`
    select e.seq, case e.noun when 'cashier' then e.order_id else d.cashier_session_id end as session_id
    from order_events e
    left join deposit_orders d on d.id = e.order_id and e.noun = 'deposit' and d.order_type = 'CASHIER'
    where e.seq > ${seq.toString()}::bigint order by e.seq limit ${limit}`;
  return rows.map((row) => ({ seq: BigInt(row.seq), sessionId: row.sessionId }));
}
