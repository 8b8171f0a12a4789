import { createHash } from 'node:crypto';

/** How the simulator misbehaves; set at its admin address while it runs. Rates are shares of 1, times milliseconds. */
export interface Faults {
  /** Before each answer. */
  readonly delayMs: number;
  /** From taking a payout to its end. */
  readonly settleMs: number;
  /** Answers 500 and does nothing. */
  readonly errorRate: number;
  /** Refuses before anything happens. */
  readonly refuseRate: number;
  /** Of payouts, in our own protocol: answers that it refuses, and pays. */
  readonly falseRefusalRate: number;
  /** Pays, then closes the connection instead of answering. */
  readonly lostAnswerRate: number;
  /** Fails a payout and reports it. */
  readonly failRate: number;
  /** Reports a failure, and pays after all, `lateMs` later. */
  readonly lateSuccessRate: number;
  readonly lateMs: number;
  /** Pays, and the bank returns the money, `lateMs` later. */
  readonly returnRate: number;
  /** Sends webhooks twice. */
  readonly duplicateRate: number;
  /** Holds a webhook back until the next one is sent. */
  readonly reorderRate: number;
  /** Sends a forged webhook, signed by a stranger, beside each real one. */
  readonly forgedRate: number;
  /** Sends no webhook at all. */
  readonly silentRate: number;
  /** Of deposits: the share that is never paid. */
  readonly unpaidRate: number;
  /** Of deposits: answers with the address of a page instead of bank details. */
  readonly pageRate: number;
  /** Answers a query with another amount, when it speaks as a provider. */
  readonly wrongAmountRate: number;
  /** The cost of each payout or deposit, in its currency, plain decimal; null: it does not report it. */
  readonly cost: string | null;
}

/** A well-behaved upstream. */
export const NO_FAULTS: Faults = {
  delayMs: 0,
  settleMs: 50,
  errorRate: 0,
  refuseRate: 0,
  falseRefusalRate: 0,
  lostAnswerRate: 0,
  failRate: 0,
  lateSuccessRate: 0,
  lateMs: 1_000,
  returnRate: 0,
  duplicateRate: 0,
  reorderRate: 0,
  forgedRate: 0,
  silentRate: 0,
  unpaidRate: 0,
  pageRate: 0,
  wrongAmountRate: 0,
  cost: null,
};

/** Drawn for each payout or message on its own, so that the rates are independent. */
export type Draw = Extract<keyof Faults, `${string}Rate`>;

/** The draw is a hash of the payout's name: the same payout meets the same fault in every run. */
export function meets(faults: Faults, draw: Draw, name: string): boolean {
  const hash = createHash('sha256').update(`${draw} ${name}`).digest();
  return hash.readUInt32BE(0) / 2 ** 32 < faults[draw];
}
