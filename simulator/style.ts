import type { IncomingHttpHeaders } from 'node:http';
import type { Deposit } from './deposits';
import type { Payment } from './payments';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;
/** An answer; `drop`: the connection ends without one. */
export type Reply = readonly [status: number, body: Fields] | 'drop';

/** What a client asks for. Amounts are plain decimals. */
export interface Asked {
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
}

/** What became of a request: nothing, for it is out of order; taken or refused; taken, and the answer is lost. */
export type Taken<Thing> = 'error' | 'lost' | Thing;

/** The book behind a style, and its faults. */
export interface Upstream {
  takePayout(asked: Asked): Taken<Payment>;
  takeDeposit(asked: Asked, fields: Fields): Taken<Deposit>;
  findPayout(reference: string): Payment | undefined;
  findDeposit(reference: string): Deposit | undefined;
  /** Whether its answers tell another amount of this order. */
  saysWrongAmount(reference: string): boolean;
  /** Plain decimal; null where none was set. */
  balance(currency: string): string | null;
  /** What each payout or deposit costs, plain decimal; null: it does not say. */
  readonly cost: string | null;
}

/** A request as it came. */
export interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a webhook reports: how a payout or a deposit stands. */
export interface Report {
  readonly kind: 'payout' | 'deposit';
  readonly reference: string;
  readonly amount: string;
  readonly currency: string;
  readonly channelOrderNo: string;
  readonly state: string;
  readonly reason: string | null;
}

/** A report as it goes out. A repetition may be signed afresh. */
export interface OutgoingReport {
  readonly headers: () => Record<string, string>;
  readonly body: string;
}

/** How one provider speaks: written from its public document, and from nothing of ours. */
export interface Style {
  answer(request: Incoming, upstream: Upstream): Reply;
  /** @param forged signed by somebody who does not know the key */
  report(report: Report, id: string, forged: boolean): OutgoingReport;
}
