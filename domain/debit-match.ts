import { normaliseReference } from './bank-reference';

/** What a bank told of a debit, as far as it names what was paid. */
export interface NamingDebit {
  readonly bankReference: string | null;
  readonly memo: string;
}

/** A transfer by hand, as a bank may name it. */
export interface NamedTask {
  /** Ours, such as `W20260102K3XQ7ZP0M4TB-1`: who pays may have put it into the memo. */
  readonly reference: string;
  /** What the person noted of the bank; null until then. */
  readonly bankReference: string | null;
}

/** Whether our reference stands in a memo, and is not the beginning of another's. */
const standsIn = (reference: string, memo: string): boolean =>
  memo
    .normalize('NFKC')
    .toUpperCase()
    .split(/[^A-Z0-9-]+/)
    .includes(reference);

/** Whether a debit names a task of its own account, amount and currency. */
export const isNamedBy = (debit: NamingDebit, task: NamedTask): boolean =>
  (debit.bankReference !== null &&
    task.bankReference !== null &&
    normaliseReference(debit.bankReference) === normaliseReference(task.bankReference)) ||
  standsIn(task.reference, debit.memo);

/** The only one of several; undefined where there is none or more: a person decides. */
const only = <Item>(items: readonly Item[]): Item | undefined =>
  items.length === 1 ? items[0] : undefined;

/** The task that a debit paid out. @param tasks of its account, amount and currency, that no debit has paid out yet */
export const taskOf = <Task extends NamedTask>(
  debit: NamingDebit,
  tasks: readonly Task[],
): Task | undefined => only(tasks.filter((task) => isNamedBy(debit, task)));

/** The debit that paid a task out. @param debits of its account, amount and currency, that nothing explains yet */
export const debitOf = <Debit extends NamingDebit>(
  task: NamedTask,
  debits: readonly Debit[],
): Debit | undefined => only(debits.filter((debit) => isNamedBy(debit, task)));
