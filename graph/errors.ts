import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { MiddlewareFn } from 'type-graphql';
import { CatalogueError } from '../domain/errors';
import { refusalOf } from '../db/refusals';
import type { Logger } from '../runtime/log';
import { metrics } from '../runtime/metrics';
import type { GraphContext } from './context';

/** What went wrong in a step, as the catalogue has it; what it does not know is logged, and only here. */
export function refuse(error: unknown, log: Logger, step: string): CatalogueError {
  if (error instanceof CatalogueError) return error;
  const refusal = refusalOf(error);
  if (!refusal) {
    log.error({ err: error, step }, 'a step failed');
    return new CatalogueError('INTERNAL_ERROR', 'internal error');
  }
  if (refusal.kind === 'SERVICE_UNAVAILABLE') {
    metrics.dependencyFailures.inc({ dependency: 'postgres' });
    log.error({ err: error, step }, 'PostgreSQL did not answer');
  } else {
    log.debug({ err: error, step }, 'the database refused');
  }
  return refusal;
}

/** Every error that leaves a resolver is one of the catalogue. */
export const catalogueErrors: MiddlewareFn<GraphContext> = async ({ context, info }, next) => {
  try {
    return (await next()) as unknown;
  } catch (error) {
    throw refuse(error, context.log, `${info.parentType.name}.${info.fieldName}`);
  }
};

const causeOf = (error: unknown): unknown =>
  error instanceof GraphQLError ? error.originalError : error;

/**
 * An error of the graph as the catalogue has it. Without a path it comes before any resolver: a variable or a
 * document that does not fit, which is the caller's. Any other that no resolver threw is a fault of ours.
 */
export function catalogueErrorOf(error: GraphQLError, log: Logger): CatalogueError {
  const cause = causeOf(error);
  if (cause instanceof CatalogueError) return cause;
  if (error.path === undefined) return new CatalogueError('INVALID_FIELD', error.message);
  log.error({ err: error, field: error.path.join('.') }, 'the graph failed');
  return new CatalogueError('INTERNAL_ERROR', 'internal error');
}

/** How errors look to GraphQL clients: the catalogue's code, and whether to try again. */
export const errorFormatter =
  (log: Logger) =>
  (formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError => {
    const ours = error instanceof GraphQLError;
    // Apollo's own refusals (syntax, validation) carry their code already.
    if (ours && error.path === undefined && !(causeOf(error) instanceof CatalogueError))
      return formatted;
    const { message, code, retryable } = ours
      ? catalogueErrorOf(error, log)
      : new CatalogueError('INTERNAL_ERROR', 'internal error');
    return { ...formatted, message, extensions: { code, retryable } };
  };
