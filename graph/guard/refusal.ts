import { GraphQLError } from 'graphql';
import { CatalogueError, type ErrorDetail, type ErrorKind } from '../../domain/errors';

/** Why an operation was refused, as metrics count it. */
export type LimitName =
  | 'aliases'
  | 'batch'
  | 'body'
  | 'cost'
  | 'depth'
  | 'directives'
  | 'document_size'
  | 'fields'
  | 'fragments'
  | 'introspection'
  | 'method'
  | 'persisted'
  | 'reading_budget'
  | 'root_fields'
  | 'sockets'
  | 'subscriptions'
  | 'syntax'
  | 'tokens'
  | 'under_way'
  | 'validation'
  | 'variables';

/** An operation that is not run. It carries the catalogue's code to the client, and its limit to the metrics. */
export class Refusal extends GraphQLError {
  constructor(
    readonly limit: LimitName,
    kind: ErrorKind,
    message: string,
    detail: ErrorDetail = {},
  ) {
    const error = new CatalogueError(kind, message, detail);
    super(message, { originalError: error, extensions: { http: { status: error.status } } });
  }
}

/** A limit is exceeded. */
export const tooMuch = (limit: LimitName, message: string): Refusal => new Refusal(limit, 'OPERATION_LIMIT', message);

/** When to retry if the time of a free slot is unknown, milliseconds. */
const BUSY_FOR_MS = 1_000;

/** The caller has too many operations under way. */
export const tooOften = (limit: LimitName, message: string, retryAfterMs: number = BUSY_FOR_MS): Refusal =>
  new Refusal(limit, 'RATE_LIMITED', message, { retryAfterMs });
