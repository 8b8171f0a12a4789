import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { MiddlewareFn } from 'type-graphql';
import { CatalogueError } from '../domain/errors';
import { refusalOf } from '../db/refusals';
import { metrics } from '../metrics';
import type { GraphContext } from './context';

/** Every error that leaves a resolver is one of the catalogue; what is not is logged, and only here. */
export const catalogueErrors: MiddlewareFn<GraphContext> = async ({ context, info }, next) => {
  try {
    return (await next()) as unknown;
  } catch (error) {
    if (error instanceof CatalogueError) throw error;
    const field = `${info.parentType.name}.${info.fieldName}`;
    const refusal = refusalOf(error);
    if (refusal) {
      if (refusal.kind === 'SERVICE_UNAVAILABLE') {
        metrics.dependencyFailures.inc({ dependency: 'postgres' });
        context.log.error({ err: error, field }, 'PostgreSQL did not answer');
      }
      throw refusal;
    }
    context.log.error({ err: error, field }, 'resolver failed');
    throw new CatalogueError('INTERNAL_ERROR', 'internal error');
  }
};

const causeOf = (error: unknown): unknown =>
  error instanceof GraphQLError ? error.originalError : error;

/** How errors look to GraphQL clients: the catalogue's code, and whether to try again. */
export function formatError(
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  const cause = causeOf(error);
  if (!(cause instanceof CatalogueError)) return formatted;
  return {
    ...formatted,
    message: cause.message,
    extensions: { code: cause.code, retryable: cause.retryable },
  };
}

/** The catalogue's error behind a failed in-process operation. */
export function catalogueErrorOf(error: GraphQLError): CatalogueError {
  const cause = causeOf(error);
  if (cause instanceof CatalogueError) return cause;
  // Only a variable that does not fit its type gets here: the documents themselves are checked when they are generated.
  return new CatalogueError('INVALID_FIELD', error.message);
}
