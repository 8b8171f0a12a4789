import type { Money } from './money';

/**
 * The chart of accounts. Entries are signed: a credit is positive, a debit negative, so that what we owe a
 * merchant reads positive and what lies at a bank reads negative. docs/ledger.md says which event posts what.
 */
export const ledgerAccount = {
  bank: (bankAccountId: string) => `bank:${bankAccountId}`,
  channel: (channelId: string) => `channel:${channelId}`,
  suspense: () => 'suspense',
  merchantAvailable: (merchantId: string) => `merchant:${merchantId}:available`,
  merchantFrozen: (merchantId: string) => `merchant:${merchantId}:frozen`,
  feeIncome: () => 'fee_income',
  channelCost: () => 'channel_cost',
  merchantReceivable: (merchantId: string) => `merchant_receivable:${merchantId}`,
  loss: () => 'loss',
  treasury: () => 'treasury',
  adjustment: () => 'adjustment',
} as const;

/** What a transfer records. */
export const TRANSFER_TYPES = [
  'BANK_CREDIT',
  'DEPOSIT_CREDIT',
  'BALANCE_TOP_UP',
  'BALANCE_ADJUSTMENT',
  'WITHDRAWAL_FREEZE',
  'WITHDRAWAL_RELEASE',
  'WITHDRAWAL_PAID',
  'CHANNEL_COST',
  'WITHDRAWAL_LATE_PAID',
  'WITHDRAWAL_RETURNED',
  'CREDIT_HELD',
  'HOLD_RELEASED',
  'DEPOSIT_RECALLED',
  'RECEIVABLE_COVERED',
] as const;
/** One of TRANSFER_TYPES. */
export type TransferType = (typeof TRANSFER_TYPES)[number];

/** One line to be posted. */
export interface Posting {
  readonly account: string;
  /** Credit positive, debit negative. */
  readonly amount: Money;
}

/** An entry of zero is left out. */
const nonZero = (postings: readonly Posting[]): Posting[] =>
  postings.filter((posting) => !posting.amount.isZero());

/** Money arrived on a managed account and nobody's yet: bank → suspense. */
export const bankCredit = (bankAccountId: string, amount: Money): Posting[] => [
  { account: ledgerAccount.bank(bankAccountId), amount: amount.negated() },
  { account: ledgerAccount.suspense(), amount },
];

/** A recognised deposit becomes the merchant's, less the fee: suspense → merchant available and fee income. */
export const depositCredit = (merchantId: string, actual: Money, fee: Money): Posting[] =>
  nonZero([
    { account: ledgerAccount.suspense(), amount: actual.negated() },
    { account: ledgerAccount.merchantAvailable(merchantId), amount: actual.minus(fee) },
    { account: ledgerAccount.feeIncome(), amount: fee },
  ]);

/** A merchant paid in beforehand, elsewhere than on a managed account: treasury → merchant available. */
export const balanceTopUp = (merchantId: string, amount: Money): Posting[] => [
  { account: ledgerAccount.treasury(), amount: amount.negated() },
  { account: ledgerAccount.merchantAvailable(merchantId), amount },
];

/** Two people correct a balance, up or down: adjustment ↔ merchant available. */
export const balanceAdjustment = (merchantId: string, amount: Money): Posting[] => [
  { account: ledgerAccount.adjustment(), amount: amount.negated() },
  { account: ledgerAccount.merchantAvailable(merchantId), amount },
];

/** What a withdrawal takes, held from its creation: merchant available → merchant frozen, amount and fee. */
export const withdrawalFrozen = (merchantId: string, amount: Money, fee: Money): Posting[] => [
  { account: ledgerAccount.merchantAvailable(merchantId), amount: amount.plus(fee).negated() },
  { account: ledgerAccount.merchantFrozen(merchantId), amount: amount.plus(fee) },
];

/** A withdrawal that came to nothing gives back what it held. */
export const withdrawalReleased = (merchantId: string, amount: Money, fee: Money): Posting[] => [
  { account: ledgerAccount.merchantFrozen(merchantId), amount: amount.plus(fee).negated() },
  { account: ledgerAccount.merchantAvailable(merchantId), amount: amount.plus(fee) },
];

/** A withdrawal was paid, from a managed account or by a channel: merchant frozen → that one, and fee income. */
export const withdrawalPaid = (
  merchantId: string,
  amount: Money,
  fee: Money,
  payer: { readonly bankAccountId: string } | { readonly channelId: string },
): Posting[] =>
  nonZero([
    { account: ledgerAccount.merchantFrozen(merchantId), amount: amount.plus(fee).negated() },
    {
      account:
        'channelId' in payer
          ? ledgerAccount.channel(payer.channelId)
          : ledgerAccount.bank(payer.bankAccountId),
      amount,
    },
    { account: ledgerAccount.feeIncome(), amount: fee },
  ]);

/** A channel charged for a payout: channel cost → channel. */
export const channelCost = (channelId: string, cost: Money): Posting[] =>
  nonZero([
    { account: ledgerAccount.channelCost(), amount: cost.negated() },
    { account: ledgerAccount.channel(channelId), amount: cost },
  ]);

/**
 * A channel paid a withdrawal that had come to nothing: the merchant pays as far as its balance goes, the rest is loss.
 * @param available what may be taken from the merchant
 */
export function withdrawalLatePaid(
  merchantId: string,
  amount: Money,
  available: Money,
  channelId: string,
): Posting[] {
  const taken = amount.lt(available) ? amount : available;
  return nonZero([
    { account: ledgerAccount.merchantAvailable(merchantId), amount: taken.negated() },
    { account: ledgerAccount.loss(), amount: amount.minus(taken).negated() },
    { account: ledgerAccount.channel(channelId), amount },
  ]);
}

/** The bank gave a paid withdrawal back to its channel: channel → merchant available. The fee was earned. */
export const withdrawalReturned = (
  merchantId: string,
  amount: Money,
  channelId: string,
): Posting[] => [
  { account: ledgerAccount.channel(channelId), amount: amount.negated() },
  { account: ledgerAccount.merchantAvailable(merchantId), amount },
];

/** From where a recalled deposit is taken. */
export interface RecallParts {
  /** Of its own credit, where that is held still. */
  readonly fromHeld: Money;
  readonly fromAvailable: Money;
  /** What the merchant does not have: it owes this. */
  readonly owed: Money;
}

/**
 * Takes a recalled deposit from what is held of its credit, then from what is available, as far as they go.
 * @param amount what had been received
 */
export function recallParts(amount: Money, held: Money, available: Money): RecallParts {
  const fromHeld = amount.lt(held) ? amount : held;
  const rest = amount.minus(fromHeld);
  const fromAvailable = rest.lt(available) ? rest : available;
  return { fromHeld, fromAvailable, owed: rest.minus(fromAvailable) };
}

/**
 * The payer has the money of a completed deposit back: the merchant gives all that was received, or owes it. The fee was
 * earned.
 */
export const depositRecalled = (
  merchantId: string,
  bankAccountId: string,
  { fromHeld, fromAvailable, owed }: RecallParts,
): Posting[] =>
  nonZero([
    { account: ledgerAccount.merchantFrozen(merchantId), amount: fromHeld.negated() },
    { account: ledgerAccount.merchantAvailable(merchantId), amount: fromAvailable.negated() },
    { account: ledgerAccount.merchantReceivable(merchantId), amount: owed.negated() },
    { account: ledgerAccount.bank(bankAccountId), amount: fromHeld.plus(fromAvailable).plus(owed) },
  ]);

/** Kinds of accounts of the chart: those of all merchants, of all banks and of all channels count as one each. */
export const ACCOUNT_KINDS = [
  'BANK',
  'CHANNEL',
  'SUSPENSE',
  'MERCHANT_AVAILABLE',
  'MERCHANT_FROZEN',
  'MERCHANT_RECEIVABLE',
  'FEE_INCOME',
  'CHANNEL_COST',
  'LOSS',
  'TREASURY',
  'ADJUSTMENT',
] as const;
/** One of ACCOUNT_KINDS. */
export type AccountKind = (typeof ACCOUNT_KINDS)[number];
