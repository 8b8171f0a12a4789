import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { MiddlewareFn } from 'type-graphql';
import { CatalogueError } from '../domain/errors';
import type { Logger } from '../runtime/log';
import { argumentPath } from './argument-path';
import type { GraphContext } from './context';
import { refuse } from '../steps/refuse';

/** Maps every error of a resolver to the catalogue, with the argument that it is about. */
export const catalogueErrors: MiddlewareFn<GraphContext> = async ({ context, info }, next) => {
  try {
    return (await next()) as unknown;
  } catch (error) {
    const refusal = refuse(error, context.log, `${info.parentType.name}.${info.fieldName}`);
    const { field } = refusal.detail;
    const args = info.parentType.getFields()[info.fieldName]?.args ?? [];
    const path = field === undefined ? undefined : argumentPath(args, field);
    if (path === undefined || path === field) throw refusal;
    throw new CatalogueError(refusal.kind, refusal.message, { ...refusal.detail, field: path });
  }
};

const causeOf = (error: unknown): unknown => (error instanceof GraphQLError ? error.originalError : error);

/**
 * Maps a GraphQL error to the catalogue. An error without a path comes from before any resolver: a variable or a
 * document that does not fit the schema, which is the caller's fault. Any other error that no resolver threw is our
 * fault.
 */
export function catalogueErrorOf(error: GraphQLError, log: Logger): CatalogueError {
  const cause = causeOf(error);
  if (cause instanceof CatalogueError) return cause;
  if (error.path === undefined && error.nodes)
    return new CatalogueError('INVALID_FIELD', error.message, { reason: 'MALFORMED' });
  log.error({ err: error, field: error.path?.join('.') }, 'the graph failed');
  return new CatalogueError('INTERNAL_ERROR', 'internal error');
}

/** The usual GraphQL codes for a document that cannot be run; graph/guard/ sets them. */
export const DOCUMENT_CODES = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'] as const;

const isOfDocument = ({ extensions }: GraphQLError): boolean =>
  DOCUMENT_CODES.some((code) => code === extensions['code']);

/** Formats an error for GraphQL clients: the catalogue's code, whether to retry, and the argument. */
export const errorFormatter =
  (log: Logger) =>
  (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    if (error instanceof GraphQLError && isOfDocument(error)) return formatted;
    const { message, code, retryable, detail } =
      error instanceof GraphQLError
        ? catalogueErrorOf(error, log)
        : new CatalogueError('INTERNAL_ERROR', 'internal error');
    return { ...formatted, message, extensions: { code, retryable, ...detail } };
  };
