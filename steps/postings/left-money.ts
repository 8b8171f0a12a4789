import { openDebitAccount, openDebitMemo, openDebitName } from '../../crypto/personal';
import { businessError, CatalogueError, notFound } from '../../domain/errors';
import { formatMoney, type Money, ZERO } from '../../domain/money';
import type { Settings } from '../../domain/change-request';
import { findRests } from '../../db/ledger/operator-postings';
import { type BankDebitView, findBankDebit } from '../../db/transfers/bank-debits';
import type { Needs } from '../context';
import { operatorOfSource } from '../transfers/match-effects';
import { checkedAmount } from './checked-amount';
import type { PostingRequest } from './post';
import { operatorOf } from '../access/caller';
import { takesTwo } from '../authority/row';

/** Describes an argument. */
export const DEBIT_ID = 'The id of the bank debit, a UUID.';
/** Describes an argument. */
export const PART = 'How much of it; null: the unused part.';

/** A bank debit, and how much of it to post. */
export interface LeftMoney {
  readonly debit: BankDebitView;
  /** Whom the bank paid, and its text, in clear. */
  readonly said: Readonly<{
    payeeName: string | null;
    payeeAccount: string | null;
    debitMemo: string;
  }>;
  readonly amount: Money;
  readonly name: string;
  readonly enteredBy: readonly string[];
}

/** A debit, and how much of it to post. @throws NOT_FOUND, BUSINESS_ERROR if less is left */
export async function leftMoney(
  context: Needs<'actor' | 'changes' | 'database' | 'loaders' | 'sealer'>,
  debitId: string,
  part: Money | null,
): Promise<LeftMoney> {
  const debit = await findBankDebit(context.database.sql, debitId);
  if (!debit) throw notFound('bank debit');
  const rest = (await findRests(context.database, 'debit', [debitId])).get(debitId) ?? ZERO;
  const { currencyCode } = debit;
  if (!rest.gt(0)) throw businessError('WRONG_STATE', 'all of this debit is posted');
  const amount = checkedAmount(part ?? rest, currencyCode);
  if (amount.gt(rest)) throw businessError('AMOUNT', `only ${formatMoney(rest)} ${currencyCode} of it is unposted`);
  const account = await context.loaders.bankAccounts.load(debit.accountId);
  if (account?.currencyCode !== currencyCode)
    throw businessError('MISMATCH', 'the debit and its account have different currencies');
  const enteredBy = operatorOfSource(debit.source);
  if (enteredBy !== null && takesTwo(context) && enteredBy === operatorOf(context.actor).id)
    throw new CatalogueError('AUTHORIZATION_ERROR', 'you entered this debit: another person must decide on it');
  const name = `${formatMoney(amount)} ${currencyCode}`;
  const { sealer } = context;
  const said = {
    payeeName: openDebitName(sealer, debit),
    payeeAccount: openDebitAccount(sealer, debit),
    debitMemo: openDebitMemo(sealer, debit),
  };
  return { debit, said, amount, name, enteredBy: enteredBy === null ? [] : [enteredBy] };
}

/** What an approver is shown about a debit. */
export const debitShown = ({ debit, said }: LeftMoney): Settings => ({
  left: formatMoney(debit.amount),
  bankTime: debit.bankTime.toISOString(),
  debitReference: debit.bankReference,
  ...said,
});

/** The common part of all requests about a debit. */
export const aboutDebit = ({
  debit,
  amount,
  name,
  enteredBy,
}: LeftMoney): Pick<PostingRequest, 'subject' | 'currencyCode' | 'amount' | 'enteredBy'> => ({
  subject: { kind: 'bank_debit', id: debit.id, name },
  currencyCode: debit.currencyCode,
  amount,
  enteredBy,
});

/** The findings that keep one person from posting it alone. */
export const PERSON_ENTERED = 'a person entered what the bank shows';
