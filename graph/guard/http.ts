import { once } from 'node:events';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { getOperationAST, GraphQLError, type GraphQLFormattedError, Kind } from 'graphql';
import { CatalogueError } from '../../domain/errors';
import { type Logger, newTraceId } from '../../runtime/log';
import { asRoot, callerOf, isTracing } from '../../runtime/tracing';
import type { GraphContext } from '../context';
import { errorFormatter } from '../errors';
import type { Graph } from '../index';
import { requestContext } from '../request-context';
import { jsonBody, refuse } from './body';
import type { Admitted, Guard } from './guard';
import { FILE_MUTATIONS, FILE_REQUEST_BYTES, REQUEST_BYTES } from './limits';

/** The context of an admitted request. */
const contexts = new WeakMap<object, GraphContext>();

/**
 * @throws if the request did not pass the guard
 */
export function contextOf(request: object): GraphContext {
  const context = contexts.get(request);
  if (!context) throw new Error('a request came past the guard');
  return context;
}

const errorsOf = (error: unknown): readonly GraphQLError[] => {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.map((one) =>
    one instanceof GraphQLError
      ? one
      : new GraphQLError('internal error', {
          originalError: new CatalogueError('INTERNAL_ERROR', 'internal error'),
        }),
  );
};

const statusOf = (error: GraphQLError | undefined): number => {
  if (error?.originalError instanceof CatalogueError) return error.originalError.status;
  return 400;
};

/**
 * @throws Refusal for anything but one mutation that takes a file: only it may be so large
 */
function requireFileMutation({ document, operationName }: Admitted): void {
  const operation = getOperationAST(document, operationName);
  const fields = operation?.selectionSet.selections.map((one) => (one.kind === Kind.FIELD ? one.name.value : ''));
  if (fields?.length !== 1 || !FILE_MUTATIONS.has(fields[0] ?? ''))
    throw refuse('body', 'MALFORMED_REQUEST', 'this address takes exactly one mutation with a file');
}

/**
 * The handler before the operations of the internal listener: reads the body, identifies the caller, passes on what the
 * guard admits, and answers everything else with our errors.
 * @param files whether these requests carry a file: they may be larger, so the caller is identified first, and only an
 * operator's body is read
 */
export function guarded(graph: Graph, guard: Guard, log: Logger, serve: RequestHandler, files = false): RequestHandler {
  const format = errorFormatter(log);
  const router = express.Router();
  const refuseOther: RequestHandler = (request, response, next) => {
    if (request.method !== 'POST') response.setHeader('allow', 'POST');
    next(
      request.method === 'POST' ? undefined : refuse('method', 'METHOD_NOT_ALLOWED', 'operations must be sent by POST'),
    );
  };
  const enter: RequestHandler = async (request, response, next) => {
    const traceId = newTraceId();
    response.setHeader('x-request-id', traceId);
    const context = await requestContext(graph, request, response, traceId);
    if (files && context.actor.kind !== 'operator') throw refuse('body', 'UNAUTHENTICATED', 'log in first');
    response.once('close', guard.enter(context));
    contexts.set(request, context);
    if (!isTracing()) {
      next();
      return;
    }
    const link = callerOf(request.headers['traceparent']);
    const words = () => ({ name: `POST ${request.baseUrl}`, kind: 'server', ...(link && { link }) }) as const;
    await asRoot(traceId, words, async () => {
      const closed = once(response, 'close');
      next();
      await closed;
    });
  };
  const admit: RequestHandler = (request, _response, next) => {
    const admitted = guard.admit(request.body as unknown, contextOf(request));
    if (files) requireFileMutation(admitted);
    guard.checkValues(admitted);
    const { text, operationName, variables } = admitted;
    request.body = { query: text, operationName, variables };
    next();
  };
  const answer: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const errors = errorsOf(error);
    if (!(errors[0]?.originalError instanceof CatalogueError) && errors[0]?.extensions['code'] === undefined)
      log.error({ err: error }, 'an operation could not be looked at');
    const shown = errors.map((one): GraphQLFormattedError => {
      const { message, locations, extensions } = format(one.toJSON(), one);
      const { http: _http, ...rest } = extensions ?? {};
      return { message, ...(locations && { locations }), extensions: rest };
    });
    response.status(statusOf(errors[0])).json({ errors: shown });
  };
  const read = jsonBody(files ? FILE_REQUEST_BYTES : REQUEST_BYTES);
  router.use(refuseOther, ...(files ? [enter, read] : [read, enter]), admit, serve, answer);
  return router;
}
