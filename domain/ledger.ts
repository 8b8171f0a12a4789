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
] as const;
/** One of TRANSFER_TYPES. */
export type TransferType = (typeof TRANSFER_TYPES)[number];

/** One line to be posted. */
export interface Posting {
  readonly account: string;
  /** Credit positive, debit negative. */
  readonly amount: Money;
}

/** Money arrived on a managed account and nobody's yet: bank → suspense. */
export const bankCredit = (bankAccountId: string, amount: Money): Posting[] => [
  { account: ledgerAccount.bank(bankAccountId), amount: amount.negated() },
  { account: ledgerAccount.suspense(), amount },
];

/** A recognised deposit becomes the merchant's, less the fee: suspense → merchant available and fee income. */
export const depositCredit = (merchantId: string, actual: Money, fee: Money): Posting[] =>
  [
    { account: ledgerAccount.suspense(), amount: actual.negated() },
    { account: ledgerAccount.merchantAvailable(merchantId), amount: actual.minus(fee) },
    { account: ledgerAccount.feeIncome(), amount: fee },
  ].filter((posting) => !posting.amount.isZero());

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
