import type { Fragment, Sql } from 'postgres';
import type { Database, Transaction } from '../client';
import { all, among, countUpTo, keyset, type Page, pageOf, type PageRequest, type SortColumn } from '../pages';
import type { RowOf } from '../rows';
import type { paymentClaims } from '../schema/cashier';

/** A payer's claim that an order is paid, without the picture. */
export type PaymentClaimRow = Omit<RowOf<typeof paymentClaims>, 'referenceKey' | 'receipt' | 'paidAt'>;

const columns = (sql: Sql): Fragment =>
  sql`c.id, c.deposit_id, c.merchant_id, c.reference, c.receipt_type, c.at, c.closed_at, c.closed_by`;

/** A claim to write. */
export interface NewPaymentClaim extends Pick<
  RowOf<typeof paymentClaims>,
  'id' | 'depositId' | 'merchantId' | 'reference' | 'referenceKey' | 'at'
> {
  readonly sessionId: string;
  /** Its bytes as they are kept. */
  readonly receipt: { readonly type: string; readonly bytes: Buffer } | null;
}

/** Stores a payer's claim; a second claim replaces the first. @returns false for a paid order */
export async function claimPayment({ sql }: Database, claim: NewPaymentClaim): Promise<boolean> {
  const row = {
    id: claim.id,
    deposit_id: claim.depositId,
    merchant_id: claim.merchantId,
    reference: claim.reference,
    reference_key: claim.referenceKey,
    receipt_type: claim.receipt?.type ?? null,
    at: claim.at.toISOString(),
  };
  const [done] = await sql<{ done: boolean }[]>`
    select claim_payment(${sql.json(row)}::jsonb, ${claim.receipt?.bytes ?? null}::bytea, ${claim.sessionId})
      as done`;
  return done?.done ?? false;
}

/** The payment claims of these orders. */
export const findClaimsOfDeposits = async (
  { sql }: Database,
  depositIds: readonly string[],
): Promise<PaymentClaimRow[]> =>
  await sql<PaymentClaimRow[]>`
    select ${columns(sql)} from payment_claims c where c.deposit_id = any(${depositIds as string[]})`;

/** Claims by their ids. */
export const findClaims = async ({ sql }: Database, ids: readonly string[]): Promise<PaymentClaimRow[]> =>
  await sql<PaymentClaimRow[]>`
    select ${columns(sql)} from payment_claims c where c.id = any(${ids as string[]})`;

/** A claim's picture, as it is kept. */
export async function findReceipt({ read: sql }: Database, id: string): Promise<Buffer | null> {
  const [row] = await sql<{ receipt: Buffer | null }[]>`
    select receipt from payment_claims where id = ${id}`;
  return row?.receipt ?? null;
}

/** Closes a claim that an operator has reviewed. @returns whether it was open */
export async function closeClaim(
  tx: Transaction,
  close: { readonly id: string; readonly operatorId: string; readonly now: Date },
): Promise<boolean> {
  const rows = await tx`
    update payment_claims set closed_at = ${close.now}, closed_by = ${close.operatorId}
    where id = ${close.id} and closed_at is null returning 1`;
  return rows.length === 1;
}

/** Filter of a list of claims. All given conditions must hold. */
export interface PaymentClaimFilter {
  /** True: open claims of unpaid orders, which wait for an operator; false: the others. */
  readonly open?: boolean | null;
  readonly merchantId?: readonly string[] | null;
}

/** How claims are sorted: by age. */
export const CLAIM_SORTS: Readonly<Record<'AT', SortColumn<PaymentClaimRow>>> = {
  AT: { column: 'c.at', type: 'timestamptz', value: ({ at }) => at.toISOString() },
};

const from = (sql: Sql, { open, merchantId }: PaymentClaimFilter, ...more: Fragment[]): Fragment => sql`
  from payment_claims c join deposit_orders d on d.id = c.deposit_id
  where ${all(sql, [
    // Of a paid order it does not wait; `paid_at` keeps such claims out of the index.
    open === true && sql`c.closed_at is null and c.paid_at is null and d.status <> 'COMPLETED'`,
    open === false && sql`(c.closed_at is not null or d.status = 'COMPLETED')`,
    among(sql, 'c.merchant_id', merchantId, 'uuid'),
    ...more,
  ])}`;

/** A page of claims. */
export async function listClaims(
  { read: sql }: Database,
  filter: PaymentClaimFilter,
  page: PageRequest<'AT'>,
): Promise<Page<PaymentClaimRow>> {
  const { within, window } = keyset(sql, CLAIM_SORTS[page.by], 'c.id', page);
  const rows = await sql<PaymentClaimRow[]>`
    select ${columns(sql)} ${from(sql, filter, within)} ${window}`;
  return pageOf(rows, page);
}

/** How many claims match a filter, counted up to `most`. */
export const countClaims = async ({ read: sql }: Database, filter: PaymentClaimFilter, most: number): Promise<number> =>
  await countUpTo(sql, from(sql, filter), most);
