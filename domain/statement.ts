import { invalidField } from './errors';
import type { Money } from './money';
import type { Day } from './zone';

/** The forms of statements that are read. */
export const STATEMENT_FORMATS = ['CSV', 'CAMT053', 'MT940'] as const;
/** One of STATEMENT_FORMATS. */
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** Where a statement stands: its file arrives, is read, and is imported, or dropped before. */
export const STATEMENT_STATUSES = ['UPLOADING', 'READ', 'IMPORTING', 'IMPORTED', 'DROPPED'] as const;
/** One of STATEMENT_STATUSES. */
export type StatementStatus = (typeof STATEMENT_STATUSES)[number];

/**
 * What becomes of a line. BAD: it cannot be read. NEW: nothing reported it, the import records it. KNOWN: an earlier
 * statement has it. PAIRED: it was reported before. RECORDED: the import recorded it.
 */
export const LINE_STATES = ['BAD', 'NEW', 'KNOWN', 'PAIRED', 'RECORDED'] as const;
/** One of LINE_STATES. */
export type LineState = (typeof LINE_STATES)[number];

/** Encodings of files that banks write. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'windows-1252', 'windows-1258', 'windows-874'] as const;
/** One of ENCODINGS. */
export type Encoding = (typeof ENCODINGS)[number];

/** What a column of a CSV file holds. */
export const COLUMN_ROLES = [
  ...['date', 'time', 'amount', 'credit', 'debit', 'direction'],
  ...['reference', 'memo', 'partyName', 'partyAccount', 'balance', 'status', 'currency', 'ignored'],
] as const;
/** One of COLUMN_ROLES. */
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** How a bank writes its CSV files. */
export interface CsvMapping {
  readonly delimiter: string;
  readonly encoding: Encoding;
  /** Lines before the headings. */
  readonly skipLines: number;
  /** Headings by what their column holds; a memo may be made of several. Compared without case and space. */
  readonly columns: Readonly<Partial<Record<ColumnRole, readonly string[]>>>;
  /** Of YYYY, YY, MM, MMM, DD, HH, mm, ss and any signs between. */
  readonly dateFormat: string;
  readonly decimalSign: '.' | ',';
  /** What a year of the file is ahead of ours: 543 in Thailand. */
  readonly yearsAhead: number;
  /** Words of the column `direction` that mean money that left, such as DR. */
  readonly debitWords: readonly string[];
  /** Words of the column `status` that mean a booked movement; none: the usual ones. */
  readonly bookedWords?: readonly string[];
}

/** A movement on an account, as its bank's statement tells it. */
export interface StatementLine {
  /** Of the file, from 1, and of this line alone: of its text, or of its movements in XML. */
  readonly line: number;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amount: Money;
  /** The day of the booking, in the account's time zone. */
  readonly day: Day;
  /** `HH:mm:ss` in that zone; null where the statement has days alone. */
  readonly time: string | null;
  /** Where the statement tells the moment with its offset. */
  readonly moment?: Date | null;
  readonly reference: string | null;
  readonly memo: string;
  readonly partyName: string | null;
  readonly partyAccount: string | null;
  readonly balanceAfter: Money | null;
  /** Why only a person matches it, such as a collective booking that cannot be split. */
  readonly waits?: string;
}

/** What reading a statement comes upon, in the order of the file. */
export type StatementItem =
  | { readonly kind: 'line'; readonly line: StatementLine }
  /** What cannot be read, and why. */
  | {
      readonly kind: 'bad';
      readonly line: number;
      readonly problem: string;
      readonly text: string;
      /** Whether the whole file is refused for it. */
      readonly file?: true;
    }
  /** Why people must say that the file is right before anything of it is recorded. */
  | { readonly kind: 'doubt'; readonly problem: string }
  /** Of the whole account, signed. */
  | { readonly kind: 'opening'; readonly balance: Money; readonly day: Day }
  | { readonly kind: 'closing'; readonly balance: Money; readonly day: Day }
  /** Whose statement it says that it is. */
  | { readonly kind: 'account'; readonly number: string }
  | { readonly kind: 'currency'; readonly code: string };

const DATE_TOKENS = ['YYYY', 'YY', 'MMM', 'MM', 'DD'];

/** @throws INVALID_FIELD for a mapping that cannot read a file */
export function checkMapping(mapping: CsvMapping): CsvMapping {
  const { delimiter, skipLines, columns, dateFormat, yearsAhead } = mapping;
  const has = (role: ColumnRole) => (columns[role]?.length ?? 0) > 0;
  if (Array.from(delimiter).length !== 1 || /["\r\n]/.test(delimiter))
    throw invalidField('delimiter', 'must be one character');
  if (!Number.isInteger(skipLines) || skipLines < 0 || skipLines > 100)
    throw invalidField('skipLines', 'must be 0-100', 'OUT_OF_RANGE');
  if (!Number.isInteger(yearsAhead) || Math.abs(yearsAhead) > 1000)
    throw invalidField('yearsAhead', 'must be within 1000', 'OUT_OF_RANGE');
  if (!has('date')) throw invalidField('columns', 'must name the column of the date', 'REQUIRED');
  if (!has('amount') && !has('credit') && !has('debit'))
    throw invalidField('columns', 'must name the column of the amount, or those of credits and debits', 'REQUIRED');
  if (has('amount') && (has('credit') || has('debit')))
    throw invalidField('columns', 'must name either one amount, or credits and debits');
  if (!DATE_TOKENS.slice(0, 2).some((year) => dateFormat.includes(year)) || !/M/.test(dateFormat))
    throw invalidField('dateFormat', 'must have a year, a month and a day, such as DD/MM/YYYY');
  if (!dateFormat.includes('DD'))
    throw invalidField('dateFormat', 'must have a year, a month and a day, such as DD/MM/YYYY');
  return mapping;
}
