import type { Settings } from './change-request';

/*
 * What operators see of a person's data where it is masked: enough to tell people apart, not to find or pay them.
 */

/** Stands for what is not shown. No name or number of a person has it. */
export const HIDDEN = '•••';

/** How a value is masked. NAME: the first letter of each word. NUMBER: its end. TEXT: not at all shown. */
export type MaskKind = 'NAME' | 'NUMBER' | 'TEXT';

const SHOWN_OF_NUMBER = 4;
/** Of a shorter number its end would be most of it. */
const LEAST_NUMBER = 8;

const maskedName = (name: string): string =>
  name
    .split(/\s+/u)
    .filter((word) => word !== '')
    .map((word) => `${Array.from(word)[0] ?? ''}${HIDDEN}`)
    .join(' ');

function maskedNumber(number: string): string {
  const characters = number.replace(/[^\p{L}\p{N}]/gu, '');
  return characters.length < LEAST_NUMBER ? HIDDEN : `${HIDDEN}${characters.slice(-SHOWN_OF_NUMBER)}`;
}

/** A text of a person as who may not read it sees it; an empty one stays so. */
export function maskedText(text: string, kind: MaskKind): string {
  if (text === '') return text;
  if (kind === 'NAME') return maskedName(text);
  return kind === 'NUMBER' ? maskedNumber(text) : HIDDEN;
}

/** Masks each text within lists and objects; numbers, truths and nothing stay. */
export function masked(value: unknown, kind: MaskKind): unknown {
  if (typeof value === 'string') return maskedText(value, kind);
  if (Array.isArray(value)) return value.map((one) => masked(one, kind));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, masked(one, kind)]));
}

/** What settings of changes say of a payer or a payee, by field. db/functions/personal.sql erases the same. */
const PERSON_FIELDS: ReadonlySet<string> = new Set([
  ...['memo', 'memos', 'firstMemo', 'debitMemo', 'differences'],
  ...['payerName', 'payerAccount', 'expectedPayerName'],
  ...['payeeName', 'payeeAccount', 'payeeBank', 'beneficiary', 'beneficiaryName'],
]);

/** What a change of a list says of whom it lists. */
const LISTED_FIELDS: ReadonlySet<string> = new Set(['value', 'accountNo']);

/** Masks what fields of a change say of a person, and leaves the others. */
export const maskedPerson = (settings: unknown): unknown =>
  typeof settings !== 'object' || settings === null || Array.isArray(settings)
    ? settings
    : Object.fromEntries(
        Object.entries(settings).map(([field, value]) => [
          field,
          PERSON_FIELDS.has(field) ? masked(value, 'TEXT') : value,
        ]),
      );

/** What the audit log says where a change says something of a person: the log names the change, which can be erased. */
const IN_CHANGE = '(in the change request)';

/** The settings of a change for the audit log, which is never erased. @param listed whether it is about a listed person */
export const withoutPerson = (settings: Settings, listed: boolean): Settings =>
  Object.fromEntries(
    Object.entries(settings).map(([field, value]) => [
      field,
      value !== null && (PERSON_FIELDS.has(field) || (listed && LISTED_FIELDS.has(field))) ? IN_CHANGE : value,
    ]),
  );

/** Whether a text was masked, such as one that a form was filled with: it names nobody. */
export const isMasked = (text: string): boolean => text.includes(HIDDEN);

/** Of how many orders a person is erased at once: their rows are locked meanwhile. */
export const MOST_ORDERS_ERASED = 500;

/** What people are erased from once it is old, in this order. */
export const ERASED_WHEN_OLD = [
  ...(['deposits', 'withdrawals', 'sessions', 'returns', 'credits', 'debits'] as const),
  ...(['texts', 'changes'] as const),
] as const;
/** One of ERASED_WHEN_OLD. */
export type ErasedWhenOld = (typeof ERASED_WHEN_OLD)[number];

/** Production keeps people for at least so many days: disputes and late reports of banks come within them. */
export const ERASE_AFTER_AT_LEAST_DAYS = 90;

/** How often an operator may have somebody's data revealed within an hour. */
export const MOST_REVEALS_AN_HOUR = 30;
