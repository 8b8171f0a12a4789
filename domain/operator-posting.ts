import { ledgerAccount, type Posting } from './ledger';
import type { Money } from './money';

/** What a posting by operators may be about, by the columns of its row. */
export type PostingReference =
  | 'bank_transfer_id'
  | 'bank_debit_id'
  | 'deposit_attempt_id'
  | 'account_id'
  | 'channel_id'
  | 'merchant_id'
  | 'deposit_id'
  | 'withdrawal_id'
  | 'reseller_id'
  | 'pair_id';

/** What the row of one kind has to have. What is neither needed nor allowed stays empty. */
export interface PostingShape {
  readonly needs: readonly PostingReference[];
  readonly may?: readonly PostingReference[];
  /** Exactly one of these. */
  readonly either?: readonly PostingReference[];
  /** A fee may be part of it. */
  readonly fee?: true;
  /** Its amount may be negative: it goes the other way. */
  readonly signed?: true;
  /** TWO: only with an approved change request. RULE: by one person, if a rule allows it. */
  readonly people: 'TWO' | 'RULE';
}

/**
 * What operators post. Each row of `operator_postings` is of one of these kinds, and demands one ledger transfer of that
 * type. Its amount is above zero and goes as docs/ledger.md says.
 */
export const POSTING_SHAPES = {
  // Money that came and waits: a bank's credit, or what a channel received too late.
  LATE_CREDIT: {
    needs: ['merchant_id'],
    either: ['bank_transfer_id', 'deposit_attempt_id'],
    may: ['deposit_id'],
    fee: true,
    people: 'TWO',
  },
  TOP_UP_RECEIVED: { needs: ['bank_transfer_id', 'merchant_id'], people: 'TWO' },
  PAYOUT_RETURNED: {
    needs: ['bank_transfer_id', 'merchant_id', 'withdrawal_id'],
    fee: true,
    people: 'RULE',
  },
  MONEY_UNCLAIMED: {
    needs: [],
    either: ['bank_transfer_id', 'deposit_attempt_id'],
    people: 'TWO',
  },
  /** A channel gave its payer back what it had received too late. */
  LATE_RETURNED: { needs: ['deposit_attempt_id', 'channel_id'], people: 'TWO' },
  INTEREST_RECEIVED: { needs: ['bank_transfer_id'], people: 'RULE' },
  /** The report of one credit that came twice: the second brought nothing. */
  REPORTED_TWICE: { needs: ['bank_transfer_id', 'account_id'], people: 'TWO' },
  // Money that left.
  BANK_CHARGED: { needs: ['bank_debit_id', 'account_id'], people: 'RULE' },
  PROFIT_TAKEN: { needs: ['bank_debit_id', 'account_id'], people: 'TWO' },
  /** A reseller has what its commissions came to. */
  COMMISSION_PAID: { needs: ['bank_debit_id', 'account_id', 'reseller_id'], people: 'TWO' },
  // Between own accounts and channels: two legs.
  OWN_TRANSFER_OUT: {
    needs: [],
    either: ['account_id', 'channel_id'],
    may: ['bank_debit_id'],
    people: 'RULE',
  },
  OWN_TRANSFER_IN: {
    needs: [],
    either: ['bank_transfer_id', 'channel_id'],
    may: ['pair_id'],
    people: 'RULE',
  },
  // Books to statements.
  ACCOUNT_OPENED: {
    needs: [],
    either: ['account_id', 'channel_id'],
    signed: true,
    people: 'TWO',
  },
  ACCOUNT_CORRECTED: {
    needs: [],
    either: ['account_id', 'channel_id'],
    signed: true,
    people: 'TWO',
  },
  // Channels.
  CHANNEL_CHARGED: { needs: ['channel_id'], people: 'TWO' },
  CLAIM_SETTLED: { needs: ['channel_id'], may: ['bank_transfer_id'], people: 'TWO' },
  CLAIM_WRITTEN_OFF: { needs: ['channel_id'], people: 'TWO' },
} as const satisfies Readonly<Record<string, PostingShape>>;

/** What operators post: one of POSTING_SHAPES. */
export type PostingKind = keyof typeof POSTING_SHAPES;
/** All of them. */
export const POSTING_KINDS = Object.keys(POSTING_SHAPES) as readonly PostingKind[];

/** What the lines of a posting by operators depend on. */
export interface OperatorMoney {
  readonly kind: PostingKind;
  readonly amount: Money;
  /** Zero unless the kind has one. */
  readonly fee: Money;
  readonly bankTransferId: string | null;
  readonly accountId: string | null;
  readonly channelId: string | null;
  readonly merchantId: string | null;
  readonly resellerId: string | null;
}

const required = (id: string | null, what: string): string => {
  if (id === null) throw new Error(`a posting without its ${what}`);
  return id;
};

/** The account at a bank, or the channel, whose money it is. */
const placeOf = ({ accountId, channelId }: OperatorMoney): string =>
  channelId === null ? ledgerAccount.bank(required(accountId, 'account')) : ledgerAccount.channel(channelId);

/** Suspense, where a bank's credit brought it, else the channel. */
const broughtTo = (row: OperatorMoney): string =>
  row.bankTransferId === null ? placeOf(row) : ledgerAccount.suspense();

/** From the first account to the second. */
const moved = (from: string, to: string, amount: Money): Posting[] => [
  { account: from, amount: amount.negated() },
  { account: to, amount },
];

const LINES: Readonly<Record<PostingKind, (row: OperatorMoney) => readonly Posting[]>> = {
  LATE_CREDIT: ({ merchantId, amount, fee }) => [
    { account: ledgerAccount.suspense(), amount: amount.negated() },
    {
      account: ledgerAccount.merchantAvailable(required(merchantId, 'merchant')),
      amount: amount.minus(fee),
    },
    { account: ledgerAccount.feeIncome(), amount: fee },
  ],
  TOP_UP_RECEIVED: ({ merchantId, amount }) =>
    moved(ledgerAccount.suspense(), ledgerAccount.merchantAvailable(required(merchantId, 'merchant')), amount),
  PAYOUT_RETURNED: ({ merchantId, amount, fee }) => [
    { account: ledgerAccount.suspense(), amount: amount.negated() },
    {
      account: ledgerAccount.merchantAvailable(required(merchantId, 'merchant')),
      amount: amount.plus(fee),
    },
    { account: ledgerAccount.feeIncome(), amount: fee.negated() },
  ],
  MONEY_UNCLAIMED: ({ amount }) => moved(ledgerAccount.suspense(), ledgerAccount.unclaimed(), amount),
  LATE_RETURNED: (row) => moved(ledgerAccount.suspense(), placeOf(row), row.amount),
  INTEREST_RECEIVED: ({ amount }) => moved(ledgerAccount.suspense(), ledgerAccount.bankCost(), amount),
  REPORTED_TWICE: ({ accountId, amount }) =>
    moved(ledgerAccount.suspense(), ledgerAccount.bank(required(accountId, 'account')), amount),
  BANK_CHARGED: (row) => moved(ledgerAccount.bankCost(), placeOf(row), row.amount),
  PROFIT_TAKEN: (row) => moved(ledgerAccount.feeIncome(), placeOf(row), row.amount),
  COMMISSION_PAID: (row) =>
    moved(ledgerAccount.reseller(required(row.resellerId, 'reseller')), placeOf(row), row.amount),
  OWN_TRANSFER_OUT: (row) => moved(ledgerAccount.inTransit(), placeOf(row), row.amount),
  OWN_TRANSFER_IN: (row) => moved(broughtTo(row), ledgerAccount.inTransit(), row.amount),
  ACCOUNT_OPENED: (row) => moved(placeOf(row), ledgerAccount.equity(), row.amount),
  ACCOUNT_CORRECTED: (row) => moved(placeOf(row), ledgerAccount.equity(), row.amount),
  CHANNEL_CHARGED: (row) => moved(ledgerAccount.channelCost(), placeOf(row), row.amount),
  CLAIM_SETTLED: (row) =>
    moved(broughtTo(row), ledgerAccount.channelClaim(required(row.channelId, 'channel')), row.amount),
  CLAIM_WRITTEN_OFF: ({ channelId, amount }) =>
    moved(ledgerAccount.loss(), ledgerAccount.channelClaim(required(channelId, 'channel')), amount),
};

/** The lines of a posting by operators. */
export const operatorLines = (row: OperatorMoney): Posting[] =>
  LINES[row.kind](row).filter(({ amount }) => !amount.isZero());

/**
 * The lines that take a posting by operators back. What it brought a merchant is taken from the available balance, as far
 * as that goes; the rest is owed.
 * @param available the merchant's balance; of no meaning where no merchant got anything
 */
export function reversalLines(
  row: OperatorMoney,
  available: Money,
): { readonly postings: Posting[]; readonly owed: Money } {
  const { merchantId } = row;
  const own = merchantId === null ? null : ledgerAccount.merchantAvailable(merchantId);
  const given = operatorLines(row);
  const got = given.find(({ account }) => account === own)?.amount ?? row.amount.minus(row.amount);
  const owed = got.gt(available) ? got.minus(available) : got.minus(got);
  const postings = given.flatMap(({ account, amount }): Posting[] =>
    account === own && merchantId !== null
      ? [
          { account, amount: amount.minus(owed).negated() },
          { account: ledgerAccount.merchantReceivable(merchantId), amount: owed.negated() },
        ]
      : [{ account, amount: amount.negated() }],
  );
  return { postings: postings.filter(({ amount }) => !amount.isZero()), owed };
}
