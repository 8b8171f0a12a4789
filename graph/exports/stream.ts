import express, { type ErrorRequestHandler, type RequestHandler, type Router } from 'express';
import { execute, GraphQLError, parse } from 'graphql';
import { CatalogueError } from '../../domain/errors';
import { type Logger, newTraceId } from '../../runtime/log';
import { catalogueErrorOf } from '../errors';
import { jsonBody } from '../guard/body';
import type { Guard } from '../guard/guard';
import { REQUEST_BYTES } from '../guard/limits';
import type { Graph } from '../index';
import { requestContext } from '../request-context';
import type { Export } from './export';
import { refuse } from '../../steps/refuse';

/** The lists that can be streamed: the address of each, its mutation, and the types of its arguments. */
const STREAMS = {
  deposits: ['exportDeposits', 'Deposit'],
  withdrawals: ['exportWithdrawals', 'Withdrawal'],
  'ledger-entries': ['exportLedgerEntries', 'LedgerEntry'],
  'bank-transfers': ['exportBankTransfers', 'BankTransfer'],
  'billing-days': ['exportBillingDay', 'BillingDay'],
} as const;

const FIELDS = 'fileName csv cut endCursor';

/** A file of a day has a fixed sort and one day. */
const ofDay = (fields: string) =>
  parse(`mutation Stream($reason: String!, $filter: BillingDayFilter!, $after: String, $cursors: Boolean) {
    exportBillingDay(reason: $reason, filter: $filter, after: $after, cursors: $cursors) { ${fields} }
  }`);

const documentOf = ([mutation, noun]: (typeof STREAMS)[keyof typeof STREAMS]) => ({
  mutation,
  // Without `sort` the mutation's default applies: a variable that is not given is an argument that is not given.
  document:
    noun === 'BillingDay'
      ? ofDay(FIELDS)
      : parse(`mutation Stream(
    $reason: String!, $sort: ${noun}Sort, $filter: ${noun}Filter, $after: String, $cursors: Boolean
  ) {
    ${mutation}(reason: $reason, sort: $sort, filter: $filter, after: $after, cursors: $cursors) {
      ${FIELDS}
    }
  }`),
});

type Wanted = Readonly<Record<'reason' | 'sort' | 'filter' | 'after' | 'cursors', unknown>>;

/**
 * Streams a whole list of any length as one file: repeated calls of the list's mutation, each from the end of the
 * previous one, with its own audit entry and its own check of the login. Only the rows of the present call are in
 * memory. A stream that fails is aborted without its end, so that no client takes a part for the whole; the column
 * `cursor` shows where to continue.
 */
export function exportStreams(graph: Graph, guard: Guard, log: Logger): Router {
  const router = express.Router();
  router.use(jsonBody(REQUEST_BYTES));
  for (const [name, of] of Object.entries(STREAMS)) {
    const { mutation, document } = documentOf(of);
    const serve: RequestHandler = async (request, response) => {
      const traceId = newTraceId();
      response.setHeader('x-request-id', traceId);
      const take = async (wanted: Wanted): Promise<Export> => {
        const contextValue = await requestContext(graph, request, response, traceId);
        const { data, errors } = await execute({
          schema: graph.operatorSchema,
          document,
          contextValue,
          variableValues: Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)),
        });
        const [first] = errors ?? [];
        if (first) throw catalogueErrorOf(first, log);
        return (data as Record<string, Export>)[mutation] as Export;
      };
      try {
        const login = await requestContext(graph, request, response, traceId);
        if (login.actor.kind !== 'operator') throw new CatalogueError('UNAUTHENTICATED', 'log in first');
        response.once('close', guard.enter(login));
        const { reason, sort, filter, after, cursors } = (request.body ?? {}) as Partial<Wanted>;
        let part = await take({ reason, sort, filter, after, cursors });
        response.setHeader('content-type', 'text/csv; charset=utf-8');
        response.setHeader('content-disposition', `attachment; filename="${part.fileName}"`);
        const isGone = (): boolean => response.closed;
        for (;;) {
          const went = response.write(part.csv);
          if (!part.cut || isGone()) break;
          if (!went) await new Promise((resolve) => response.once('drain', resolve).once('close', resolve));
          if (isGone()) break;
          part = await take({ reason, sort, filter, after: part.endCursor, cursors });
        }
        response.end();
      } catch (error) {
        const { code, message, status } = refuse(error, log, mutation);
        if (response.headersSent) response.destroy();
        else response.status(status).json({ errors: [{ message, extensions: { code } }] });
      }
    };
    router.post(`/${name}`, serve);
  }
  const answer: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    const cause = error instanceof GraphQLError ? error.originalError : error;
    const { code, message, status } = refuse(cause, log, 'export');
    response.status(status).json({ errors: [{ message, extensions: { code } }] });
  };
  router.use(answer);
  return router;
}
