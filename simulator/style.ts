import type { IncomingHttpHeaders } from 'node:http';
import type { Deposit } from './deposits';
import type { Payment } from './payments';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;
/** An answer; `drop`: the connection is closed without one. */
export type Reply = readonly [status: number, body: Fields] | 'drop';

/** What a client requests. Amounts are plain decimals. */
export interface Asked {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
}

/**
 * The result of a request: nothing, because it is out of order; accepted or refused; accepted, and the answer is lost.
 */
export type Taken<Thing> = 'error' | 'lost' | Thing;

/** The records behind a style, and its faults. */
export interface Upstream {
  takePayout(asked: Asked): Taken<Payment>;
  takeDeposit(asked: Asked, fields: Fields): Taken<Deposit>;
  findPayout(reference: string): Payment | undefined;
  findDeposit(reference: string): Deposit | undefined;
  /** Whether its answers report another amount for this order. */
  saysWrongAmount(reference: string): boolean;
  /** Plain decimal; null if none was set. */
  balance(currency: string): string | null;
  /** The cost of each payout or deposit, plain decimal; null: it does not report it. */
  readonly cost: string | null;
}

/** A request, unchanged. */
export interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a webhook reports: the state of a payout or a deposit. */
export interface Report {
  readonly kind: 'payout' | 'deposit';
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly channelOrderNo: string;
  readonly state: string;
  readonly reason: string | null;
}

/** A report, ready to be sent. A repetition may be signed again. */
export interface OutgoingReport {
  readonly headers: () => Record<string, string>;
  readonly body: string;
}

/** The protocol of one provider: written from its public document, without our own code. */
export interface Style {
  answer(request: Incoming, upstream: Upstream): Reply;
  /** @param forged signed by somebody who does not know the key */
  report(report: Report, id: string, forged: boolean): OutgoingReport;
}
