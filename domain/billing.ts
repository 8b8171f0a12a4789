import type { TransferType } from './ledger';
import { csvOf } from './csv';
import { formatMoney, type Money } from './money';

/** The line of a billing statement for one type of posting. */
interface BillingLineKind {
  /** The heading, for readers of the statement. */
  readonly title: string;
  /** Whether our fee income from such a posting is the merchant's fee, shown beside the amount. */
  readonly fee: boolean;
}

const moves = (title: string): BillingLineKind => ({ title, fee: false });
const costs = (title: string): BillingLineKind => ({ title, fee: true });

/**
 * The line of each type of posting; null for types that touch no merchant's balance. Complete: a new type does not
 * compile without its line, and if a posting of a type without one touches a balance, no statement is issued.
 */
export const BILLING_LINES = {
  BANK_CREDIT: null,
  DEPOSIT_CREDIT: costs('Deposits'),
  BALANCE_TOP_UP: moves('Top-ups'),
  BALANCE_ADJUSTMENT: moves('Adjustments'),
  WITHDRAWAL_FREEZE: moves('Withdrawals: frozen'),
  WITHDRAWAL_RELEASE: moves('Withdrawals: released'),
  WITHDRAWAL_PAID: costs('Withdrawals: paid'),
  CHANNEL_COST: null,
  WITHDRAWAL_LATE_PAID: costs('Withdrawals: paid after a failure'),
  WITHDRAWAL_RETURNED: moves('Withdrawals: returned by the bank'),
  CREDIT_HELD: moves('Deposits: held'),
  HOLD_RELEASED: moves('Deposits: released from their hold'),
  DEPOSIT_RECALLED: moves('Deposits: recalled'),
  RECEIVABLE_COVERED: moves('Debts covered'),
  CHANNEL_CLAIMED: null,
  LATE_RECEIVED: null,
  FEE_HELD: moves('Prepaid fees: held'),
  FEE_RELEASED: moves('Prepaid fees: released'),
  FEE_CAPTURED: costs('Prepaid fees'),
  COMMISSION_EARNED: null,
  COMMISSION_REVERSED: null,
  LATE_CREDIT: costs('Late money credited'),
  TOP_UP_RECEIVED: moves('Top-ups by bank'),
  PAYOUT_RETURNED: costs('Withdrawals: given back'),
  MONEY_UNCLAIMED: null,
  LATE_RETURNED: null,
  INTEREST_RECEIVED: null,
  REPORTED_TWICE: null,
  BANK_CHARGED: null,
  PROFIT_TAKEN: null,
  COMMISSION_PAID: null,
  OWN_TRANSFER_OUT: null,
  OWN_TRANSFER_IN: null,
  ACCOUNT_OPENED: null,
  ACCOUNT_CORRECTED: null,
  CHANNEL_CHARGED: null,
  CLAIM_SETTLED: null,
  CLAIM_WRITTEN_OFF: null,
  POSTING_REVERSED: costs('Corrections'),
  MONEY_RETURNED: null,
  REFUND_FROZEN: moves('Refunds: frozen'),
  REFUND_RELEASED: moves('Refunds: released'),
  REFUND_PAID: moves('Refunds: paid'),
  BOOK_OPENED: moves('Carried forward'),
} as const satisfies Readonly<Record<TransferType, BillingLineKind | null>>;

/** A type of posting that has a line. */
export type BilledType = {
  [Type in TransferType]: (typeof BILLING_LINES)[Type] extends null ? never : Type;
}[TransferType];

const ofKind = (has: (kind: BillingLineKind) => boolean): readonly BilledType[] =>
  (Object.entries(BILLING_LINES) as [BilledType, BillingLineKind | null][])
    .filter(([, kind]) => kind !== null && has(kind))
    .map(([type]) => type);

/** The types of postings that touch merchants' balances, in the order of a statement's lines. */
export const BILLED_TYPES = ofKind(() => true);
/** Those of which a part may be a fee. */
export const FEE_TYPES = ofKind(({ fee }) => fee);

/** Lines in the order of a statement. */
export const inStatementOrder = <Line extends { readonly type: BilledType }>(lines: readonly Line[]): Line[] =>
  [...lines].sort((a, b) => BILLED_TYPES.indexOf(a.type) - BILLED_TYPES.indexOf(b.type));

/** The parts of a merchant's balance in a currency. */
export interface BillingParts {
  readonly available: Money;
  readonly frozen: Money;
  /** What the merchant owes us. */
  readonly receivable: Money;
}

/** The sum of the parts: the balance of a statement. */
export const balanceOf = ({ available, frozen, receivable }: BillingParts): Money =>
  available.plus(frozen).minus(receivable);

/** The number of a statement, such as `ACME-THB-0007`: 1, 2, 3 … of a merchant and currency, without a gap. */
export const statementNo = (merchantCode: string, currencyCode: string, number: number): string =>
  `${merchantCode}-${currencyCode}-${String(number).padStart(4, '0')}`;

/** The data of a statement's file. */
interface StatementFigures {
  readonly month: string;
  readonly currencyCode: string;
  readonly openingAvailable: Money;
  readonly openingFrozen: Money;
  readonly openingReceivable: Money;
  readonly closingAvailable: Money;
  readonly closingFrozen: Money;
  readonly closingReceivable: Money;
}

/** A row of the file. */
interface StatementRow extends Partial<BillingParts> {
  readonly title: string;
  readonly type?: BilledType;
  readonly postings?: number;
  readonly amount?: Money;
  readonly fee?: Money;
  readonly balance: Money;
}

/** A statement as a file: its opening, its lines with the balance after each, its closing. */
export function statementCsv(
  no: string,
  figures: StatementFigures,
  lines: readonly (BillingParts & {
    readonly type: BilledType;
    readonly postings: number;
    readonly amount: Money;
    readonly fee: Money;
  })[],
): string {
  const opening: BillingParts = {
    available: figures.openingAvailable,
    frozen: figures.openingFrozen,
    receivable: figures.openingReceivable,
  };
  const closing: BillingParts = {
    available: figures.closingAvailable,
    frozen: figures.closingFrozen,
    receivable: figures.closingReceivable,
  };
  let balance = balanceOf(opening);
  const rows: StatementRow[] = [{ title: 'Opening', ...opening, balance }];
  for (const line of lines) {
    balance = balance.plus(line.amount).minus(line.fee);
    rows.push({ title: BILLING_LINES[line.type].title, ...line, balance });
  }
  rows.push({ title: 'Closing', ...closing, balance: balanceOf(closing) });
  const sum = (of: (row: StatementRow) => Money | undefined) => (row: StatementRow) => {
    const amount = of(row);
    return amount && formatMoney(amount);
  };
  return csvOf<StatementRow>(
    [
      ['statement_no', () => no],
      ['month', () => figures.month.slice(0, 7)],
      ['currency_code', () => figures.currencyCode],
      ['line', ({ title }) => title],
      ['type', ({ type }) => type?.toLowerCase()],
      ['postings', ({ postings }) => postings],
      ['amount', sum(({ amount }) => amount)],
      ['fee', sum(({ fee }) => fee)],
      ['available', sum(({ available }) => available)],
      ['frozen', sum(({ frozen }) => frozen)],
      ['receivable', sum(({ receivable }) => receivable)],
      ['balance', sum(({ balance: after }) => after)],
    ],
    rows,
  );
}
