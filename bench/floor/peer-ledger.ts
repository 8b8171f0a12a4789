import type { Money } from '../../domain/money';
import type { Watched } from '../cpu';

/** What belongs to one merchant: nothing is shared, so that merchants wait for no common account. */
export interface Accounts {
  readonly suspense: string;
  readonly balance: string;
  readonly fees: string;
}

/** The two parts of a credit. */
export interface Amounts {
  readonly part: Money;
  readonly fee: Money;
}

/** A ledger of others, which does of a credit only the postings: it knows no order, event or callback. */
export interface PeerLedger {
  readonly name: string;
  /** What the platform's rate should be beside its own, at least; undefined: that is only shown. */
  readonly atLeast: number | undefined;
  /** Its processes, beside the bench's PostgreSQL. */
  readonly watched: readonly Watched[];
  /** Opens accounts for so many merchants. */
  accounts(merchants: number, currency: string): Promise<readonly Accounts[]>;
  /** Credits each of these in one request. @throws if a credit was not made */
  credit(credited: readonly Accounts[], amounts: Amounts): Promise<void>;
  close(): Promise<void>;
}

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amount: Money;
}

/** A credit is two transfers from suspense: the merchant's part and the fee. */
export const transfersOf = (
  { suspense, balance, fees }: Accounts,
  { part, fee }: Amounts,
): readonly [Transfer, Transfer] => [
  { from: suspense, to: balance, amount: part },
  { from: suspense, to: fees, amount: fee },
];

/** Satang, cents: for ledgers that count in whole numbers. */
export const MINOR_UNITS = 100;
export const minorUnits = (amount: Money): bigint => BigInt(amount.times(MINOR_UNITS).toFixed(0));
