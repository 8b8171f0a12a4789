import type { CashierCard } from '../domain/cashier';
import {
  bankTextOf,
  beneficiaryAccountOf,
  beneficiaryNameOf,
  branchOf,
  creditAccountOf,
  creditMemoOf,
  creditNameOf,
  debitAccountOf,
  debitMemoOf,
  debitNameOf,
  extraDataOf,
  findingOf,
  listedBeneficiaryOf,
  type Numbered,
  PAYER_NAME,
  payerOf,
  returnAccountOf,
  returnNameOf,
} from '../domain/sealed-for';
import {
  CREDIT_ACCOUNT,
  PAYER_ACCOUNT,
  PAYER_CARDS,
  PAYER_EMAIL,
  PAYER_MOBILE,
  type SearchForm,
} from '../domain/search-forms';
import { blindIndex } from './blind-index';
import type { Lookup } from './lookup';
import { keyOfSealed, type Sealer } from './seal';

/*
 * Values of payers and beneficiaries (docs/personal-data.md), sealed for what they are bound to (domain/sealed-for.ts). In
 * clear are, in the same columns, what was erased, an empty memo, and the merchant's own account of a settlement.
 */

/** A value of a column. @throws Error if it is sealed and does not open */
export const openPersonal = (sealer: Sealer, kept: string, context: string): string =>
  keyOfSealed(kept) ? sealer.open(kept, context) : kept;

const sealKnown = (sealer: Sealer, value: string | null, context: string): string | null =>
  value === null ? null : sealer.seal(value, context);
const openKnown = (sealer: Sealer, kept: string | null, context: string): string | null =>
  kept === null ? null : openPersonal(sealer, kept, context);

/** What seals values that are searched. */
export interface Seals {
  readonly sealer: Sealer;
  readonly lookup: Lookup;
}

/** A searched value as its row keeps it: sealed, with what it is found by. */
export interface KeptIndexed {
  readonly kept: string;
  readonly index: string;
}

/** A searched value as its row keeps it. `openPersonal` opens it. @param context of domain/sealed-for.ts */
export const sealIndexed = (
  { sealer, lookup }: Seals,
  value: string,
  context: string,
  form: SearchForm,
): KeptIndexed => ({
  kept: sealer.seal(value, context),
  index: blindIndex(lookup, form, value),
});

/** The text that a merchant gives an order, as its row keeps it. */
export const sealExtraData = (
  sealer: Sealer,
  order: Numbered & { readonly extraData?: string | null },
): string | null => (order.extraData == null ? null : sealer.seal(order.extraData, extraDataOf(order)));

/** The same in clear. @throws Error if it is sealed and does not open */
export const openExtraData = (
  sealer: Sealer,
  order: Numbered & { readonly extraData: string | null },
): string | null => (order.extraData === null ? null : openPersonal(sealer, order.extraData, extraDataOf(order)));

/** The branch of a withdrawal's beneficiary, as its row keeps it. */
export const sealBranch = (
  sealer: Sealer,
  order: Numbered & { readonly beneficiaryBankBranch?: string | null },
): string | null =>
  order.beneficiaryBankBranch == null ? null : sealer.seal(order.beneficiaryBankBranch, branchOf(order));

/** The branch of a withdrawal's beneficiary in clear. @throws Error if it is sealed and does not open */
export const openBranch = (
  sealer: Sealer,
  order: Numbered & { readonly beneficiaryBankBranch: string | null },
): string | null =>
  order.beneficiaryBankBranch === null ? null : openPersonal(sealer, order.beneficiaryBankBranch, branchOf(order));

/** What a merchant says of the payer of an order, except the name, which is not searched. */
interface SaidOfPayer {
  readonly payerMobile: string | null;
  readonly payerEmail: string | null;
  readonly payerAccountNo: string | null;
}

/** The name that a merchant gives the payer of an order. */
interface NamedPayer {
  readonly payerName: string | null;
}

/** Both as the order's row keeps them, with what the first is found by. */
interface KeptPayer extends SaidOfPayer, NamedPayer {
  readonly payerMobileIndex: string | null;
  readonly payerEmailIndex: string | null;
  readonly payerAccountIndex: string | null;
}

const NOTHING = { kept: null, index: null } as const;

/** What a merchant says of a payer, as the order's row keeps it. */
export function sealPayer(seals: Seals, order: Numbered & SaidOfPayer & NamedPayer): KeptPayer {
  const sealed = (value: string | null, form: SearchForm): KeptIndexed | typeof NOTHING =>
    value === null ? NOTHING : sealIndexed(seals, value, payerOf(order, form.name), form);
  const mobile = sealed(order.payerMobile, PAYER_MOBILE);
  const email = sealed(order.payerEmail, PAYER_EMAIL);
  const account = sealed(order.payerAccountNo, PAYER_ACCOUNT);
  const { payerName } = order;
  return {
    payerName: payerName === null ? null : seals.sealer.seal(payerName, payerOf(order, PAYER_NAME)),
    payerMobile: mobile.kept,
    payerMobileIndex: mobile.index,
    payerEmail: email.kept,
    payerEmailIndex: email.index,
    payerAccountNo: account.kept,
    payerAccountIndex: account.index,
  };
}

const openTrait = (sealer: Sealer, order: Numbered, kept: string | null, { name }: SearchForm): string | null =>
  kept === null ? null : openPersonal(sealer, kept, payerOf(order, name));

/** The name of an order's payer in clear. @throws Error if it is sealed and does not open */
export const openPayerName = (sealer: Sealer, order: Numbered & NamedPayer): string | null =>
  order.payerName === null ? null : openPersonal(sealer, order.payerName, payerOf(order, PAYER_NAME));

/** The account of an order's payer in clear. @throws Error if it is sealed and does not open */
export const openPayerAccount = (
  sealer: Sealer,
  order: Numbered & Pick<SaidOfPayer, 'payerAccountNo'>,
): string | null => openTrait(sealer, order, order.payerAccountNo, PAYER_ACCOUNT);

/** What a merchant said of a payer, in clear. @throws Error if it is sealed and does not open */
export const openPayer = (sealer: Sealer, order: Numbered & SaidOfPayer): SaidOfPayer => ({
  payerMobile: openTrait(sealer, order, order.payerMobile, PAYER_MOBILE),
  payerEmail: openTrait(sealer, order, order.payerEmail, PAYER_EMAIL),
  payerAccountNo: openPayerAccount(sealer, order),
});

/** Cards of a payer as a session's row keeps them. */
interface KeptCards {
  readonly payerBankCards: readonly CashierCard[] | string;
  readonly payerBankCardsIndex: string | null;
  readonly cardCount: number | null;
}

/** Cards of a payer as the row of the session for this order keeps them. */
export function sealCards(seals: Seals, order: Numbered, cards: readonly CashierCard[]): KeptCards {
  if (cards.length === 0) return { payerBankCards: [], payerBankCardsIndex: null, cardCount: null };
  const json = JSON.stringify(cards);
  const { kept, index } = sealIndexed(seals, json, payerOf(order, PAYER_CARDS.name), PAYER_CARDS);
  return { payerBankCards: kept, payerBankCardsIndex: index, cardCount: cards.length };
}

/** The cards of a session in clear. @throws Error if they are sealed and do not open */
export const openCards = (
  sealer: Sealer,
  session: Numbered & Pick<KeptCards, 'payerBankCards'>,
): readonly CashierCard[] =>
  typeof session.payerBankCards === 'string'
    ? (JSON.parse(sealer.open(session.payerBankCards, payerOf(session, PAYER_CARDS.name))) as readonly CashierCard[])
    : session.payerBankCards;

/** The account of a withdrawal's beneficiary in clear. @throws Error if it is sealed and does not open */
export const openBeneficiary = (
  sealer: Sealer,
  order: { readonly orderNo: string; readonly beneficiaryAccount: string },
): string => openPersonal(sealer, order.beneficiaryAccount, beneficiaryAccountOf(order.orderNo));

/** The name of a withdrawal's beneficiary, as its row keeps it. */
export const sealBeneficiaryName = (sealer: Sealer, order: Numbered & { readonly beneficiaryName: string }): string =>
  sealer.seal(order.beneficiaryName, beneficiaryNameOf(order));

/** The name of a withdrawal's beneficiary in clear. @throws Error if it is sealed and does not open */
export const openBeneficiaryName = (sealer: Sealer, order: Numbered & { readonly beneficiaryName: string }): string =>
  openPersonal(sealer, order.beneficiaryName, beneficiaryNameOf(order));

/** The number of a beneficiary on a list in clear. @throws Error if it is sealed and does not open */
export const openListed = (
  sealer: Sealer,
  { id, accountNo }: { readonly id: string; readonly accountNo: string },
): string => openPersonal(sealer, accountNo, listedBeneficiaryOf(id));

/** A message of a bank, as its row keeps it. */
export const sealBankText = (sealer: Sealer, id: string, text: string): string => sealer.seal(text, bankTextOf(id));

/** A message of a bank in clear. @throws Error if it is sealed and does not open */
export const openBankText = (sealer: Sealer, { id, text }: { readonly id: string; readonly text: string }): string =>
  openPersonal(sealer, text, bankTextOf(id));

/** A memo; an empty one has nothing to seal. */
const sealMemo = (sealer: Sealer, memo: string, context: string): string =>
  memo === '' ? memo : sealer.seal(memo, context);

/** What a bank says of the payer of a credit. */
interface PaidByCredit {
  readonly id: string;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
  readonly memo: string;
}

/** A credit as its row keeps it. */
export function sealCredit<Credit extends PaidByCredit & { readonly payerAccountIndex: string | null }>(
  seals: Seals,
  credit: Credit,
): Credit {
  const { id, payerName, payerAccount, memo } = credit;
  const { kept, index } =
    payerAccount === null ? NOTHING : sealIndexed(seals, payerAccount, creditAccountOf(id), CREDIT_ACCOUNT);
  return {
    ...credit,
    payerName: sealKnown(seals.sealer, payerName, creditNameOf(id)),
    payerAccount: kept,
    payerAccountIndex: index,
    memo: sealMemo(seals.sealer, memo, creditMemoOf(id)),
  };
}

/** The name of a credit's payer in clear. @throws Error if it is sealed and does not open */
export const openCreditName = (
  sealer: Sealer,
  { id, payerName }: Pick<PaidByCredit, 'id' | 'payerName'>,
): string | null => openKnown(sealer, payerName, creditNameOf(id));

/** The account of a credit's payer in clear. @throws Error if it is sealed and does not open */
export const openCreditAccount = (
  sealer: Sealer,
  { id, payerAccount }: Pick<PaidByCredit, 'id' | 'payerAccount'>,
): string | null => openKnown(sealer, payerAccount, creditAccountOf(id));

/** The memo of a credit in clear. @throws Error if it is sealed and does not open */
export const openCreditMemo = (sealer: Sealer, { id, memo }: Pick<PaidByCredit, 'id' | 'memo'>): string =>
  openPersonal(sealer, memo, creditMemoOf(id));

/** A credit with its payer and memo in clear. @throws Error if it is sealed and does not open */
export const openCredit = <Credit extends PaidByCredit>(sealer: Sealer, credit: Credit): Credit => ({
  ...credit,
  payerName: openCreditName(sealer, credit),
  payerAccount: openCreditAccount(sealer, credit),
  memo: openCreditMemo(sealer, credit),
});

/** What was found about the payer of a credit, as its row keeps it. */
export const sealFinding = (sealer: Sealer, transferId: string, finding: string): string =>
  sealer.seal(finding, findingOf(transferId));

/** The same in clear. @throws Error if it is sealed and does not open */
export const openFinding = (
  sealer: Sealer,
  { id, payerFinding }: { readonly id: string; readonly payerFinding: string | null },
): string | null => openKnown(sealer, payerFinding, findingOf(id));

/** What a bank says of who was paid by a debit. */
interface PaidByDebit {
  readonly id: string;
  readonly payeeName: string | null;
  readonly payeeAccount: string | null;
  readonly memo: string;
}

/** A debit as its row keeps it. */
export const sealDebit = <Debit extends PaidByDebit>(sealer: Sealer, debit: Debit): Debit => ({
  ...debit,
  payeeName: sealKnown(sealer, debit.payeeName, debitNameOf(debit.id)),
  payeeAccount: sealKnown(sealer, debit.payeeAccount, debitAccountOf(debit.id)),
  memo: sealMemo(sealer, debit.memo, debitMemoOf(debit.id)),
});

/** The memo of a debit in clear. @throws Error if it is sealed and does not open */
export const openDebitMemo = (sealer: Sealer, { id, memo }: Pick<PaidByDebit, 'id' | 'memo'>): string =>
  openPersonal(sealer, memo, debitMemoOf(id));

/** The name of who was paid by a debit, in clear. @throws Error if it is sealed and does not open */
export const openDebitName = (
  sealer: Sealer,
  { id, payeeName }: Pick<PaidByDebit, 'id' | 'payeeName'>,
): string | null => openKnown(sealer, payeeName, debitNameOf(id));

/** The same of the account. @throws Error if it is sealed and does not open */
export const openDebitAccount = (
  sealer: Sealer,
  { id, payeeAccount }: Pick<PaidByDebit, 'id' | 'payeeAccount'>,
): string | null => openKnown(sealer, payeeAccount, debitAccountOf(id));

/** Whom money goes back to. */
interface PaidByReturn {
  readonly id: string;
  readonly payeeName: string;
  readonly payeeAccount: string;
}

/** Whom money goes back to, as the return's row keeps it. */
export function sealReturn(seals: Seals, { id, payeeName, payeeAccount }: PaidByReturn) {
  const account = sealIndexed(seals, payeeAccount, returnAccountOf(id), CREDIT_ACCOUNT);
  return {
    payeeName: seals.sealer.seal(payeeName, returnNameOf(id)),
    payeeAccount: account.kept,
    payeeAccountIndex: account.index,
  };
}

/** The name of whom money goes back to, in clear. @throws Error if it is sealed and does not open */
export const openReturnName = (sealer: Sealer, { id, payeeName }: Pick<PaidByReturn, 'id' | 'payeeName'>): string =>
  openPersonal(sealer, payeeName, returnNameOf(id));

/** The same of the account. @throws Error if it is sealed and does not open */
export const openReturnAccount = (
  sealer: Sealer,
  { id, payeeAccount }: Pick<PaidByReturn, 'id' | 'payeeAccount'>,
): string => openPersonal(sealer, payeeAccount, returnAccountOf(id));
