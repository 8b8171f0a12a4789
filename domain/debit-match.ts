import { normaliseReference } from './bank-reference';

/** The data of a bank debit that may identify what was paid. */
export interface NamingDebit {
  readonly bankReference: string | null;
  readonly memo: string;
}

/** The data of a manual payout that a bank may report. */
export interface NamedTask {
  /** Our reference, such as `W20260102K3XQ7ZP0M4TB-1`: the operator may have put it into the memo. */
  readonly reference: string;
  /** The bank's reference that the operator recorded; null until then. */
  readonly bankReference: string | null;
}

/** An account number as banks print it: spaces, dashes and leading zeros do not count. */
export const plainNumber = (accountNo: string): string =>
  accountNo
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9*•]/g, '')
    .replace(/^0+/, '');

/** Characters that banks print instead of masked digits. */
const MASK = /[X*•]{2,}/;

/**
 * Whether a bank paid someone other than the beneficiary. Of a masked number, the longest visible run of digits must
 * occur in the beneficiary's. @returns false if the bank does not report the account
 */
export function payeeDiffers(payeeAccount: string | null, beneficiaryAccount: string): boolean {
  const payee = plainNumber(payeeAccount ?? '');
  const meant = plainNumber(beneficiaryAccount);
  if (!MASK.test(payee)) return payee !== '' && payee !== meant;
  const [shown = ''] = (payee.match(/\d+/g) ?? []).sort((a, b) => b.length - a.length);
  return !meant.includes(shown);
}

/** Whether a memo contains our reference and not a longer one that begins with it. */
const standsIn = (reference: string, memo: string): boolean =>
  memo
    .normalize('NFKC')
    .toUpperCase()
    .split(/[^A-Z0-9-]+/)
    .includes(reference);

/** Whether a debit identifies a manual payout of the same account, amount and currency. */
export const isNamedBy = (debit: NamingDebit, task: NamedTask): boolean =>
  (debit.bankReference !== null &&
    task.bankReference !== null &&
    normaliseReference(debit.bankReference) === normaliseReference(task.bankReference)) ||
  standsIn(task.reference, debit.memo);

/** The only item, or undefined if there are none or several: then a person decides. */
const only = <Item>(items: readonly Item[]): Item | undefined => (items.length === 1 ? items[0] : undefined);

/**
 * The manual payout that a debit paid.
 * @param tasks of the debit's account, amount and currency that no debit explains yet
 */
export const taskOf = <Task extends NamedTask>(debit: NamingDebit, tasks: readonly Task[]): Task | undefined =>
  only(tasks.filter((task) => isNamedBy(debit, task)));

/**
 * The debit that paid a manual payout.
 * @param debits of its account, amount and currency that explain nothing yet
 */
export const debitOf = <Debit extends NamingDebit>(task: NamedTask, debits: readonly Debit[]): Debit | undefined =>
  only(debits.filter((debit) => isNamedBy(debit, task)));
