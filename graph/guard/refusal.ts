import { GraphQLError } from 'graphql';
import { CatalogueError, type ErrorKind } from '../../domain/errors';

/** What an operation was refused for, as metrics count it. */
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
  ) {
    const error = new CatalogueError(kind, message);
    super(message, { originalError: error, extensions: { http: { status: error.status } } });
  }
}

/** A limit is passed. */
export const tooMuch = (limit: LimitName, message: string): Refusal =>
  new Refusal(limit, 'OPERATION_LIMIT', message);
