import { parseCsv } from './csv';
import { LIMITS } from './limits';
import type { Review, ReviewReason } from './review';

/*
 * Settlements: operators pay merchants their balances. A settlement is a withdrawal that one person proposes and others
 * approve. A file holds many, one a row.
 */

/** A row of a settlement file, as written. */
export interface SettlementLine {
  /** The line in the file; the headings are line 1. */
  readonly line: number;
  readonly reference: string;
  readonly merchantCode: string;
  readonly currencyCode: string;
  readonly amount: string;
  /** Id or number of a settlement account; empty: the merchant's only one in the currency. */
  readonly account: string;
}

/** The headings of a file, in this order; the last column is optional. */
export const SETTLEMENT_HEADINGS = ['reference', 'merchant', 'currency', 'amount', 'account'] as const;

/**
 * Reads a settlement file.
 * @returns its rows, or what is wrong with the file as a whole
 */
export function readSettlementFile(text: string): readonly SettlementLine[] | { readonly problem: string } {
  const table = parseCsv(text);
  if (table === null) return { problem: 'must be a table of comma-separated values' };
  const [headings = [], ...rows] = table;
  const named = headings.map((heading) => heading.trim().toLowerCase());
  const expected = SETTLEMENT_HEADINGS.slice(0, named.length === 4 ? 4 : 5);
  if (named.join() !== expected.join())
    return { problem: `must begin with the headings ${SETTLEMENT_HEADINGS.join()}` };
  if (rows.length === 0 || rows.length > LIMITS.settlementsAtOnce)
    return { problem: `must have 1-${LIMITS.settlementsAtOnce} rows` };
  const odd = rows.findIndex((row) => row.length !== named.length);
  if (odd >= 0) return { problem: `line ${odd + 2} must have ${named.length} fields` };
  return rows.map((row, index) => {
    const [reference = '', merchantCode = '', currencyCode = '', amount = '', account = ''] = row.map((field) =>
      field.trim(),
    );
    return { line: index + 2, reference, merchantCode, currencyCode, amount, account };
  });
}

/**
 * The open account in a currency that a row means, or what is wrong.
 * @param named its id or number, or empty
 */
export function chooseSettlementAccount<Account extends { readonly id: string; readonly accountNo: string }>(
  accounts: readonly Account[],
  named: string,
): Account | { readonly problem: string } {
  const meant = named === '' ? accounts : accounts.filter(({ id, accountNo }) => id === named || accountNo === named);
  const [one, ...others] = meant;
  if (!one) return { problem: 'the merchant has no such settlement account in this currency' };
  return others.length === 0 ? one : { problem: 'several settlement accounts match: use an id' };
}

/** The review reasons that count for a settlement: limits on a merchant's habits and new beneficiaries do not. */
const COUNTED: ReadonlySet<ReviewReason> = new Set(['DENYLISTED', 'ABOVE_TWO_PEOPLE']);

/** How many people must approve a settlement beside its proposer: one, or two by the merchant's rules. */
export function settlementReview({ reasons }: Review): Review {
  const found = reasons.filter((reason) => COUNTED.has(reason));
  return { people: found.length > 0 ? 2 : 1, reasons: found };
}
