import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { FastifyRequest } from 'fastify';
import { CatalogueError } from '../domain/errors';
import type { SignedParameters } from '../domain/signing';
import type { Actor } from '../graph';
import type { Logger } from '../runtime/log';
import type { Deadline } from './deadline';
import type { GatewayDeps } from './deps';
import { singleHeader } from './headers';

/** A request with a valid signature. */
export interface Admitted {
  readonly actor: Actor;
  /** The text of each parameter as it was signed; read amounts from here, because these texts are exact. */
  readonly texts: SignedParameters;
  /**
   * Runs an operation for the actor, within the request's deadline.
   * @throws CatalogueError
   */
  readonly execute: <Result, Variables extends Record<string, unknown>>(
    document: TypedDocumentNode<Result, Variables>,
    variables: Variables,
  ) => Promise<Result>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by admission, which runs before each handler. */
    admitted: Admitted | null;
  }
}

/** The result of a request's admission. */
export function admittedOf({ admitted }: FastifyRequest): Admitted {
  if (!admitted) throw new Error('the route lets requests in without admission');
  return admitted;
}

/** Runs before a route's own schema; admits the request or throws. */
export type Admission = (request: FastifyRequest) => Promise<void>;

/** The log of the graph's work for a request: its trace id, and its sender once that is known. */
export const logOf = ({ log }: GatewayDeps, { id, logFields }: FastifyRequest): Logger =>
  log.child({ traceId: id, merchantCode: logFields.merchantCode, agent: logFields.agent });

/** Records who sent the request and what the sender may do. */
export function admit(
  deps: GatewayDeps,
  request: FastifyRequest,
  actor: Actor,
  texts: SignedParameters,
  deadline: Deadline,
): void {
  const log = logOf(deps, request);
  request.admitted = {
    actor,
    texts,
    execute: async (document, variables) =>
      await deadline.within(deps.graph.execute(document, variables, actor, log, request.id)),
  };
}

/**
 * A header that the signature needs.
 * @throws INVALID_SIGNATURE if it is missing, empty or repeated
 */
export function requiredHeader({ raw }: FastifyRequest, name: string): string {
  const value = singleHeader(raw, name.toLowerCase());
  if (value === undefined) throw new CatalogueError('INVALID_SIGNATURE', `${name} must be sent once and not be empty`);
  return value;
}
