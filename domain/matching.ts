import type { DepositStatus } from './deposit';
import type { AccountMode } from './bank-account';
import { LIMITS } from './limits';
import type { Money } from './money';
import { last4Of, namesAgree } from './payer';
import { entryFor, type PayerEntry, traitsOf } from './payer-lists';
import { judgePaid, type PaidCase, type PaidVerdict } from './payer-rules';

/** A credit that a bank reported on one of our accounts. */
export interface IncomingTransfer {
  readonly accountId: string;
  readonly currencyCode: string;
  readonly amount: Money;
  readonly bankTime: Date;
  readonly payerName: string | null;
  readonly payerAccount: string | null;
}

/** The managed account that received it. */
export interface ReceivingAccount {
  readonly mode: AccountMode;
  readonly currencyCode: string;
  /** A paused account receives money, but only people match it. */
  readonly paused: boolean;
}

/** An order as its payer was announced and judged. */
export type OrderOfPayer = PaidCase['order'];

/** A deposit that a bank credit names, by a remark in its memo or by its exact amount. */
export interface NamedDeposit extends OrderOfPayer {
  readonly id: string;
  readonly merchantId: string;
  readonly accountId: string;
  readonly currencyCode: string;
  readonly amount: Money;
  /** As quoted when the deposit was created. */
  readonly fee: Money;
  readonly status: DepositStatus;
  readonly createdAt: Date;
  /** Another payer's order had its amount lately: the amount alone does not tell whose money comes. */
  readonly contested: boolean;
}

/** The entries of payers' lists that may be about who paid, and the time at which they are asked. */
export interface ListedPayers {
  readonly entries: readonly PayerEntry[];
  readonly now: Date;
}

/** Further reasons not to match a bank credit automatically. */
export interface Doubts {
  /** Its bank reference was reported before, with another amount or currency. */
  readonly referenceReused: boolean;
  /** Another source reported the same account, amount and memo at about the same time. */
  readonly nearDuplicate: boolean;
  /** The balance after it does not follow from what is known of the account's. */
  readonly outsideChain?: boolean;
  /** It exceeds a ceiling of the agent key that reported it, per bank credit or per day. */
  readonly overAgentLimit: boolean;
  /** Its account demands the balance after each credit, and it was not reported. */
  readonly withoutBalance: boolean;
  /** An operator entered it, and two people are required: another operator matches it. */
  readonly enteredByPerson: boolean;
  /** It is several payments that nothing separates: no remark and no order's amount names their sum. */
  readonly collective?: boolean;
}

/** Why a bank credit waits for a person. */
export const UNMATCHED_REASONS = [
  'REFERENCE_REUSED',
  'NEAR_DUPLICATE',
  'BALANCE_DIFFERS',
  'ACCOUNT_PAUSED',
  'NO_REMARK',
  'NO_AMOUNT',
  'SEVERAL_REMARKS',
  'OTHER_ACCOUNT',
  'OTHER_CURRENCY',
  'ORDER_NOT_PENDING',
  'AMOUNT_DIFFERS',
  'AMOUNT_SHARED',
  'NO_BALANCE',
  'TOO_EARLY',
  'OVER_AGENT_LIMIT',
  'ENTERED_BY_PERSON',
  'PAYER_DENIED',
  'PAYER_WAITS',
  'PAYER_DIFFERS',
  'REOPENED',
] as const;
/** One of UNMATCHED_REASONS. */
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/** What was found of a bank credit's payer, and the deposit that it names. */
export type PayerFinding = PaidVerdict & { readonly depositId: string };

/** The deposit that a bank credit pays and its charge, or why a person must decide; with what was found of its payer. */
export type MatchVerdict = { readonly payer: PayerFinding | null } & (
  | { readonly matched: true; readonly depositId: string; readonly fee: Money }
  | { readonly matched: false; readonly reason: UnmatchedReason }
);

/** Whether what the bank says of the payer agrees with what was announced, in all that both say, and both say something. */
function isFromPayer(
  { payerName, payerAccount }: IncomingTransfer,
  { payerName: announced, payerAccountLast4 }: NamedDeposit,
): boolean {
  const last4 = last4Of(payerAccount);
  const name = payerName !== null && announced !== null && namesAgree(payerName, announced);
  const account = last4 !== null && payerAccountLast4 !== null && last4 === payerAccountLast4;
  const isOther =
    (payerName !== null && announced !== null && !name) || (last4 !== null && payerAccountLast4 !== null && !account);
  return (name || account) && !isOther;
}

const unmatched = (reason: UnmatchedReason, payer: PayerFinding | null = null): MatchVerdict => ({
  matched: false,
  reason,
  payer,
});

/** What was found of who paid an order. */
export function payerFinding(
  { payerName: name, payerAccount: account }: Pick<IncomingTransfer, 'payerName' | 'payerAccount'>,
  order: OrderOfPayer & { readonly id: string; readonly merchantId: string },
  { entries, now }: ListedPayers,
): PayerFinding | null {
  const { id: depositId, merchantId } = order;
  const traits = traitsOf({ NAME: name, ACCOUNT: account });
  const entry = entryFor(entries, { merchantId, traits, bankCode: null, now });
  const verdict = judgePaid({ reported: { name, account }, entry, order });
  return verdict && { ...verdict, depositId };
}

/**
 * Matches a bank credit automatically: the same account, the same currency, the exact amount, a bank time no earlier
 * than a minute before the order, and exactly one order, of which nothing says that another payer was announced or that
 * this one waits. Anything else waits for a person: crediting the wrong merchant costs more than asking.
 * @param named on an account of mode REMARK the deposits whose remark the memo contains, whatever their account or
 * status; on one of mode FLOAT the deposit to which the amount was last given
 */
export function matchTransfer(
  transfer: IncomingTransfer,
  account: ReceivingAccount,
  named: readonly NamedDeposit[],
  doubts: Doubts,
  listed: ListedPayers,
): MatchVerdict {
  const [deposit, ...others] = named;
  if (doubts.referenceReused) return unmatched('REFERENCE_REUSED');
  if (doubts.nearDuplicate) return unmatched('NEAR_DUPLICATE');
  if (doubts.outsideChain) return unmatched('BALANCE_DIFFERS');
  if (account.paused) return unmatched('ACCOUNT_PAUSED');
  if (doubts.overAgentLimit) return unmatched('OVER_AGENT_LIMIT');
  if (doubts.withoutBalance) return unmatched('NO_BALANCE');
  if (doubts.enteredByPerson) return unmatched('ENTERED_BY_PERSON');
  if (doubts.collective) return unmatched('SEVERAL_REMARKS');
  if (deposit === undefined) return unmatched(account.mode === 'FLOAT' ? 'NO_AMOUNT' : 'NO_REMARK');
  if (others.length > 0) return unmatched('SEVERAL_REMARKS');
  if (deposit.accountId !== transfer.accountId) return unmatched('OTHER_ACCOUNT');
  if (transfer.currencyCode !== account.currencyCode) return unmatched('OTHER_CURRENCY');
  if (transfer.currencyCode !== deposit.currencyCode) return unmatched('OTHER_CURRENCY');
  if (deposit.status !== 'PENDING') return unmatched('ORDER_NOT_PENDING');
  if (!deposit.amount.equals(transfer.amount)) return unmatched('AMOUNT_DIFFERS');
  const earliest = deposit.createdAt.getTime() - LIMITS.bankClockSkewSeconds * 1000;
  if (transfer.bankTime.getTime() < earliest) return unmatched('TOO_EARLY');
  if (deposit.contested && !isFromPayer(transfer, deposit)) return unmatched('AMOUNT_SHARED');
  const payer = payerFinding(transfer, deposit, listed);
  return payer?.doubt
    ? unmatched(payer.doubt, payer)
    : { matched: true, depositId: deposit.id, fee: deposit.fee, payer };
}
