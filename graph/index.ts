import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { execute, getOperationAST, type GraphQLSchema } from 'graphql';
import type { Webhook } from '../channels';
import {
  authenticate,
  authenticateAgent,
  authenticateChannel,
  type Permission,
  type SignedNotification,
  type SignedRequest,
} from '../steps/access/authenticate';
import { AuditTrail } from '../steps/audit/audit-trail';
import type { Actor } from '../steps/access/actor';
import type { GraphContext, GraphCore, GraphDeps } from './context';
import { invalidField } from '../domain/errors';
import { MALFORMED_TEXT, placeOfMalformed } from '../domain/well-formed';
import { takesWrites } from '../db/writable';
import { within } from '../steps/deadline';
import { catalogueErrorOf } from './errors';
import { authenticateCashier, payerOf } from '../steps/cashier/payer';
import { SessionChanges } from './cashier/session-changes';
import { CHANGE_EFFECTS } from '../steps/effects';
import { createLoaders } from './loaders';
import { type Logger, newTraceId } from '../runtime/log';
import { inTrace } from '../runtime/tracing';
import { timed } from './operation-metrics';
import { buildGraphSchema } from './schema';
import { operatorSchemaOf } from './schemas';
import { MONEY_STEPS } from '../domain/authority/table';
import { createShared } from '../steps/shared';
import { refuse } from '../steps/refuse';
import { INSIDE } from '../steps/access/origin';
import { authenticateOwner } from '../steps/merchants/secret-link';
import { authenticateEnroller } from '../steps/accounts/agent-enrolment';

export type { Actor } from '../steps/access/actor';
export type { GraphDeps } from './context';
export type { Permission, SignedNotification, SignedRequest } from '../steps/access/authenticate';
export { within } from '../steps/deadline';

/** The core API, as the roles use it. */
export interface Graph {
  /** The whole schema, for calls in process. */
  readonly schema: GraphQLSchema;
  /** The schema that the operators' listener serves. */
  readonly operatorSchema: GraphQLSchema;
  readonly core: GraphCore;
  /**
   * Runs a typed operation in process.
   * @param log names the request, as `traceId` does
   * @throws the CatalogueError of the first field that failed
   */
  execute<Result, Variables extends Record<string, unknown>>(
    document: TypedDocumentNode<Result, Variables>,
    variables: Variables,
    actor: Actor,
    log: Logger,
    traceId?: string,
  ): Promise<Result>;
  /** The merchant behind a signed request. @throws INVALID_SIGNATURE, AUTHORIZATION_ERROR, SERVICE_UNAVAILABLE */
  authenticate(request: SignedRequest, permission: Permission | null, log?: Logger): Promise<Actor>;
  /** The agent behind a signed notification. @throws INVALID_SIGNATURE, SERVICE_UNAVAILABLE */
  authenticateAgent(request: SignedNotification, log?: Logger): Promise<Actor>;
  /** The payer behind a cashier token. @throws UNAUTHENTICATED, SERVICE_UNAVAILABLE */
  authenticateCashier(token: string, log?: Logger): Promise<Actor>;
  /** The merchant's owner behind the token of a link to a secret. @throws UNAUTHENTICATED, SERVICE_UNAVAILABLE */
  authenticateOwner(token: string, log?: Logger): Promise<Actor>;
  /** The agent's owner behind the token of a link to enrol it. @throws UNAUTHENTICATED, SERVICE_UNAVAILABLE */
  authenticateEnroller(token: string, log?: Logger): Promise<Actor>;
  /**
   * Numbers of events of the payer's session or its order, from now on: data requested after the promise resolves
   * misses no event. End it with `return()`.
   * @param onSlow called when the reader was too slow and was dropped
   * @throws AUTHORIZATION_ERROR for any actor but a payer, SERVICE_UNAVAILABLE
   */
  subscribe(actor: Actor, onSlow?: () => void): Promise<AsyncIterableIterator<{ seq: bigint }>>;
  /** The channel behind a webhook. @throws NOT_FOUND, INVALID_SIGNATURE, MALFORMED_REQUEST, SERVICE_UNAVAILABLE */
  authenticateChannel(channelCode: string, webhook: Webhook, log?: Logger): Promise<Actor>;
  /** Whether credits of paid deposits wait for longer than usual: new work should cost them as little as possible. */
  areCreditsLate(): boolean;
  /** Whether PostgreSQL answers and takes writes, and this machine's clock is right. */
  ready(): Promise<boolean>;
}

/** The deadline of the check of PostgreSQL, milliseconds. */
const READY_WITHIN_MS = 2_000;

const atThisTime = ({ clock, database, changes, sealer }: GraphCore): Pick<GraphContext, 'now' | 'loaders'> => {
  const now = clock();
  return { now, loaders: createLoaders(database, now, changes.coolingMs, sealer) };
};

const INSIDE_REQUEST = { browser: null, origin: INSIDE, socket: null };

/** A fresh context: one request's actor, time and loaders. */
export const contextFor = (
  core: GraphCore,
  actor: Actor,
  log = core.log,
  traceId = newTraceId(),
  request: Pick<GraphContext, 'browser' | 'origin' | 'socket'> = INSIDE_REQUEST,
): GraphContext => ({
  ...core,
  ...request,
  log,
  traceId,
  actor,
  audit: new AuditTrail(),
  ...atThisTime(core),
});

/** Errors outside resolvers are mapped and timed like those inside. */
const authenticating = async (step: string, log: Logger, work: () => Promise<Actor>): Promise<Actor> =>
  await timed(step, async () => {
    try {
      return await work();
    } catch (error) {
      throw refuse(error, log, step);
    }
  });

/** Builds the core API over its dependencies. */
export function createGraph(deps: GraphDeps): Graph {
  const schema = buildGraphSchema();
  const core: GraphCore = {
    ...deps,
    ...createShared(deps),
    authority: MONEY_STEPS,
    effects: CHANGE_EFFECTS,
    cashierChanges: new SessionChanges(deps.database, deps.log),
  };
  let operatorSchema: GraphQLSchema | undefined;
  return {
    schema,
    // Only the operators' listener needs it, and building it takes a tenth of a second.
    get operatorSchema() {
      return (operatorSchema ??= operatorSchemaOf(schema));
    },
    core,
    async execute(document, variables, actor, log, traceId) {
      const contextValue = contextFor(core, actor, log, traceId);
      const words = () => {
        const operation = getOperationAST(document)?.name?.value ?? '';
        return { name: `graph ${operation}`, kind: 'internal' } as const;
      };
      const malformed = placeOfMalformed(variables);
      if (malformed) throw invalidField(malformed.join('.'), MALFORMED_TEXT);
      const { data, errors } = await inTrace(
        traceId,
        words,
        async () => await execute({ schema, document, variableValues: variables, contextValue }),
      );
      const [first] = errors ?? [];
      if (first) throw catalogueErrorOf(first, log);
      return data as never;
    },
    async authenticate(request, permission, log = deps.log) {
      const work = async () => await authenticate(core, request, permission);
      return await authenticating('authenticate', log, work);
    },
    async authenticateAgent(request, log = deps.log) {
      const work = async () => await authenticateAgent(core, request);
      return await authenticating('authenticateAgent', log, work);
    },
    async authenticateCashier(token, log = deps.log) {
      const work = async () => await authenticateCashier(core, token);
      return await authenticating('authenticateCashier', log, work);
    },
    async authenticateOwner(token, log = deps.log) {
      const work = async () => await authenticateOwner(core, token);
      return await authenticating('authenticateOwner', log, work);
    },
    async authenticateEnroller(token, log = deps.log) {
      const work = async () => await authenticateEnroller(core, token);
      return await authenticating('authenticateEnroller', log, work);
    },
    async subscribe(actor, onSlow) {
      try {
        return await core.cashierChanges.follow(payerOf(actor).sessionId, onSlow);
      } catch (error) {
        throw refuse(error, deps.log, 'subscribe');
      }
    },
    async authenticateChannel(channelCode, webhook, log = deps.log) {
      const work = async () => await authenticateChannel(core, channelCode, webhook);
      return await authenticating('authenticateChannel', log, work);
    },
    areCreditsLate: () => core.creditWatch.areLate(),
    async ready() {
      if (deps.isClockOff?.() === true || deps.isKeyMissing?.() === true) return false;
      try {
        const writable = await within(READY_WITHIN_MS, takesWrites(deps.database));
        if (!writable) deps.log.warn('PostgreSQL takes no writes');
        return writable;
      } catch (error) {
        deps.log.warn({ err: error }, 'PostgreSQL does not answer');
        return false;
      }
    },
  };
}
