import type { Money } from './money';

/**
 * The chart of accounts. Entries are signed: a credit is positive, a debit negative. So what we owe a merchant is
 * positive, and our money at a bank is negative. docs/ledger.md says which event posts what.
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
  equity: () => 'equity',
  bankCost: () => 'bank_cost',
  inTransit: () => 'in_transit',
  unclaimed: () => 'unclaimed',
  reseller: (resellerId: string) => `reseller:${resellerId}`,
  channelClaim: (channelId: string) => `channel_claim:${channelId}`,
} as const;

/** The types of ledger transfers. */
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
  'CHANNEL_CLAIMED',
  'LATE_RECEIVED',
  // The fee of a deposit whose merchant prepays.
  'FEE_HELD',
  'FEE_RELEASED',
  'FEE_CAPTURED',
  // The share of a fee that a reseller earns.
  'COMMISSION_EARNED',
  'COMMISSION_REVERSED',
  // Postings by operators (operator-posting.ts), and their reversals.
  'LATE_CREDIT',
  'TOP_UP_RECEIVED',
  'PAYOUT_RETURNED',
  'MONEY_UNCLAIMED',
  'LATE_RETURNED',
  'INTEREST_RECEIVED',
  'REPORTED_TWICE',
  'BANK_CHARGED',
  'PROFIT_TAKEN',
  'COMMISSION_PAID',
  'OWN_TRANSFER_OUT',
  'OWN_TRANSFER_IN',
  'ACCOUNT_OPENED',
  'ACCOUNT_CORRECTED',
  'CHANNEL_CHARGED',
  'CLAIM_SETTLED',
  'CLAIM_WRITTEN_OFF',
  'POSTING_REVERSED',
  // Money that goes back to a payer.
  'MONEY_RETURNED',
  'REFUND_FROZEN',
  'REFUND_RELEASED',
  'REFUND_PAID',
  // What a sandbox's purge carries forward.
  'BOOK_OPENED',
] as const;
/** One of TRANSFER_TYPES. */
export type TransferType = (typeof TRANSFER_TYPES)[number];

/** One entry to be posted. */
export interface Posting {
  readonly account: string;
  /** Credit positive, debit negative. */
  readonly amount: Money;
}

/** Omits entries of zero. */
const nonZero = (postings: readonly Posting[]): Posting[] => postings.filter((posting) => !posting.amount.isZero());

/** Money arrived on a managed account and is not yet assigned: bank → suspense. */
export const bankCredit = (bankAccountId: string, amount: Money): Posting[] => [
  { account: ledgerAccount.bank(bankAccountId), amount: amount.negated() },
  { account: ledgerAccount.suspense(), amount },
];

/**
 * A matched deposit is credited to its merchant, less the fee: suspense → merchant available and fee income.
 * @param fee what the credit itself pays (feeOfCredit)
 */
export const depositCredit = (merchantId: string, actual: Money, fee: Money): Posting[] =>
  nonZero([
    { account: ledgerAccount.suspense(), amount: actual.negated() },
    { account: ledgerAccount.merchantAvailable(merchantId), amount: actual.minus(fee) },
    { account: ledgerAccount.feeIncome(), amount: fee },
  ]);

/** A channel received a deposit: channel → merchant available and fee income. @param fee as of depositCredit */
export const channelDepositCredit = (merchantId: string, channelId: string, actual: Money, fee: Money): Posting[] =>
  nonZero([
    { account: ledgerAccount.channel(channelId), amount: actual.negated() },
    { account: ledgerAccount.merchantAvailable(merchantId), amount: actual.minus(fee) },
    { account: ledgerAccount.feeIncome(), amount: fee },
  ]);

/** A merchant prepaid, outside the managed accounts: treasury → merchant available. */
export const balanceTopUp = (merchantId: string, amount: Money): Posting[] => [
  { account: ledgerAccount.treasury(), amount: amount.negated() },
  { account: ledgerAccount.merchantAvailable(merchantId), amount },
];

/** Operators correct a balance, up or down: adjustment ↔ merchant available. */
export const balanceAdjustment = (merchantId: string, amount: Money): Posting[] => [
  { account: ledgerAccount.adjustment(), amount: amount.negated() },
  { account: ledgerAccount.merchantAvailable(merchantId), amount },
];

/** A withdrawal freezes its amount and fee when it is created: merchant available → merchant frozen. */
export const withdrawalFrozen = (merchantId: string, amount: Money, fee: Money): Posting[] => [
  { account: ledgerAccount.merchantAvailable(merchantId), amount: amount.plus(fee).negated() },
  { account: ledgerAccount.merchantFrozen(merchantId), amount: amount.plus(fee) },
];

/** A rejected, failed or cancelled withdrawal releases what it froze: merchant frozen → merchant available. */
export const withdrawalReleased = (merchantId: string, amount: Money, fee: Money): Posting[] => [
  { account: ledgerAccount.merchantFrozen(merchantId), amount: amount.plus(fee).negated() },
  { account: ledgerAccount.merchantAvailable(merchantId), amount: amount.plus(fee) },
];

/** A withdrawal was paid: merchant frozen → the paying bank account or channel, and fee income. */
export const withdrawalPaid = (
  merchantId: string,
  amount: Money,
  fee: Money,
  payer: { readonly bankAccountId: string } | { readonly channelId: string },
): Posting[] =>
  nonZero([
    { account: ledgerAccount.merchantFrozen(merchantId), amount: amount.plus(fee).negated() },
    {
      account: 'channelId' in payer ? ledgerAccount.channel(payer.channelId) : ledgerAccount.bank(payer.bankAccountId),
      amount,
    },
    { account: ledgerAccount.feeIncome(), amount: fee },
  ]);

/** A channel charged for a payout or a deposit: channel cost → channel. */
export const channelCost = (channelId: string, cost: Money): Posting[] =>
  nonZero([
    { account: ledgerAccount.channelCost(), amount: cost.negated() },
    { account: ledgerAccount.channel(channelId), amount: cost },
  ]);

/**
 * A channel paid a withdrawal whose money was already released to the merchant: the merchant pays amount and fee from
 * its balance, and owes the rest.
 * @param available the most that may be taken from the merchant
 */
export function withdrawalLatePaid(
  merchantId: string,
  amount: Money,
  fee: Money,
  available: Money,
  channelId: string,
): Posting[] {
  const due = amount.plus(fee);
  const taken = due.lt(available) ? due : available;
  return nonZero([
    { account: ledgerAccount.merchantAvailable(merchantId), amount: taken.negated() },
    { account: ledgerAccount.merchantReceivable(merchantId), amount: due.minus(taken).negated() },
    { account: ledgerAccount.feeIncome(), amount: fee },
    { account: ledgerAccount.channel(channelId), amount },
  ]);
}

/** A channel paid what another one paid or may still pay: the channel owes it to us. */
export const channelClaimed = (channelId: string, amount: Money): Posting[] => [
  { account: ledgerAccount.channelClaim(channelId), amount: amount.negated() },
  { account: ledgerAccount.channel(channelId), amount },
];

/** The bank returned a paid withdrawal to its channel: channel → merchant available. The fee stays earned. */
export const withdrawalReturned = (merchantId: string, amount: Money, channelId: string): Posting[] => [
  { account: ledgerAccount.channel(channelId), amount: amount.negated() },
  { account: ledgerAccount.merchantAvailable(merchantId), amount },
];

/** The sources of a recalled deposit's money. */
export interface RecallParts {
  /** From the part of the deposit's own credit that is still held. */
  readonly fromHeld: Money;
  readonly fromAvailable: Money;
  /** The rest, which the merchant owes from now on. */
  readonly owed: Money;
}

/**
 * Divides the amount of a recall: first from the held part of its credit, then from the available balance; the rest is
 * owed. @param amount the part of the received amount that is taken back
 */
export function recallParts(amount: Money, held: Money, available: Money): RecallParts {
  const fromHeld = amount.lt(held) ? amount : held;
  const rest = amount.minus(fromHeld);
  const fromAvailable = rest.lt(available) ? rest : available;
  return { fromHeld, fromAvailable, owed: rest.minus(fromAvailable) };
}

/**
 * The payer's bank took back the money of a completed deposit: the merchant pays the whole received amount, or owes it.
 * The fee stays earned.
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

/** Waiting money is returned to its payer, from any account: suspense → bank. */
export const moneyReturned = (bankAccountId: string, amount: Money): Posting[] => [
  { account: ledgerAccount.suspense(), amount: amount.negated() },
  { account: ledgerAccount.bank(bankAccountId), amount },
];

/** A refund freezes its amount when it is approved: merchant available → frozen. */
export const refundFrozen = (merchantId: string, amount: Money): Posting[] =>
  withdrawalFrozen(merchantId, amount, amount.minus(amount));

/** A cancelled refund releases it: merchant frozen → available. */
export const refundReleased = (merchantId: string, amount: Money): Posting[] =>
  withdrawalReleased(merchantId, amount, amount.minus(amount));

/** A refund was paid: merchant frozen → bank. The fee of the deposit stays earned. */
export const refundPaid = (merchantId: string, bankAccountId: string, amount: Money): Posting[] => [
  { account: ledgerAccount.merchantFrozen(merchantId), amount: amount.negated() },
  { account: ledgerAccount.bank(bankAccountId), amount },
];

/** Kinds of ledger accounts: all merchants are one kind, and so are all banks and all channels. */
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
  'EQUITY',
  'BANK_COST',
  'IN_TRANSIT',
  'UNCLAIMED',
  'CHANNEL_CLAIM',
  'RESELLER',
] as const;
/** One of ACCOUNT_KINDS. */
export type AccountKind = (typeof ACCOUNT_KINDS)[number];
