import type { MappedRequest } from '../../domain/mapping/schema';
import type { OrderVariables } from './order-variables';
import type { Answered } from './read-answer';

/** The result of a request: an answer, or why there is none. */
export type Exchange =
  | { readonly kind: 'answered'; readonly answered: Answered }
  /** Nothing can have arrived at the provider. `built: false`: there was no request to send. */
  | { readonly kind: 'unsent'; readonly reason: string; readonly built?: false }
  | { readonly kind: 'silent'; readonly reason: string };

/** Sends a request to a provider. @param order the values of the order that it is about */
export type Ask = (request: MappedRequest, order: OrderVariables, signal: AbortSignal | undefined) => Promise<Exchange>;
