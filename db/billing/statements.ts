import { BILLED_TYPES, FEE_TYPES } from '../../domain/billing';
import type { Database } from '../client';
import { amountFieldsOf, type Raw, type RowOf, rowReader } from '../rows';
import { billingStatementLines, billingStatements } from '../schema/billing';

/** A month of a merchant's balance in one currency. */
export type BillingStatementRow = Omit<RowOf<typeof billingStatements>, 'fromSeq' | 'throughSeq' | 'previousNumber'>;
/** The sums of the postings of one type within a statement. */
export type BillingLineRow = RowOf<typeof billingStatementLines>;

/** In our own types. */
export const billingStatementOf = rowReader<BillingStatementRow>(amountFieldsOf(billingStatements));
const lineOf = rowReader<BillingLineRow>(amountFieldsOf(billingStatementLines));

/** A merchant's balance in one currency, for which statements are issued. */
export interface BilledBalance {
  readonly merchantId: string;
  readonly currencyCode: string;
}

/** The place before the first balance. */
export const FIRST_BALANCE: BilledBalance = {
  merchantId: '00000000-0000-0000-0000-000000000000',
  currencyCode: '',
};

/** Balances whose next statement may be due, after a given place. */
export const findBillingCandidates = async (
  { sql }: Database,
  after: BilledBalance,
  limit: number,
  now: Date,
): Promise<BilledBalance[]> =>
  await sql<BilledBalance[]>`
    select merchant_id, currency_code
    from billing_candidates(${after.merchantId}, ${after.currencyCode}::char(3), ${limit}, ${now})`;

/** Whether a statement was issued; if not, why. UNSEALED: a posting of the month is not sealed yet. */
export type BillingAnswer = 'ISSUED' | 'NOT_DUE' | 'UNSEALED';

/** Issues the next statement of a balance, if it is due. Safe to repeat, and to call concurrently. */
export async function issueBillingStatement(
  { transaction }: Database,
  { merchantId, currencyCode }: BilledBalance,
  now: Date,
): Promise<BillingAnswer> {
  return await transaction(async (tx) => {
    // A month may have any number of postings.
    await tx`set local statement_timeout = 0`;
    const [row] = await tx<{ answer: BillingAnswer }[]>`
      select issue_billing_statement(${merchantId}, ${currencyCode}::char(3), ${BILLED_TYPES as string[]},
        ${FEE_TYPES as string[]}, ${now}) as answer`;
    return row?.answer ?? 'NOT_DUE';
  });
}

/** Statements by their ids. */
export async function findBillingStatements({ sql }: Database, ids: readonly string[]): Promise<BillingStatementRow[]> {
  const rows = await sql<Raw<BillingStatementRow>[]>`
    select * from billing_statements where id = any(${ids as string[]}::uuid[])`;
  return rows.map(billingStatementOf);
}

/** The lines of several statements. */
export async function findBillingLines({ sql }: Database, statementIds: readonly string[]): Promise<BillingLineRow[]> {
  const rows = await sql<Raw<BillingLineRow>[]>`
    select * from billing_statement_lines where statement_id = any(${statementIds as string[]}::uuid[])`;
  return rows.map(lineOf);
}
