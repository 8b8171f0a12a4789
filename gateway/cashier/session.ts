import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../domain/lockout';
import { logOf } from '../admission';
import { deadlineOf } from '../deadline';
import type { GatewayDeps } from '../deps';
import {
  CashierViewDocument,
  type CashierViewFieldsFragment,
  ClaimPaymentDocument,
  SimulatePaymentDocument,
  type SimulatedOutcome,
  SubmitCashierSessionDocument,
} from '../generated/operations';
import { CashierRate, WEIGHT } from './rate';

/** A session as its payer sees it. Money and times are the graph's texts. */
export type CashierState = CashierViewFieldsFragment;

/** What a payer chose. */
export interface Choice {
  readonly amount: string | null;
  readonly cardIndex: number | null;
  /** The version of the session that was shown; null if the client does not say. */
  readonly version: number | null;
}

/** A payer's claim that an unrecognised payment was made. */
export interface Claim {
  /** The bank's reference. */
  readonly reference: string;
  /** A picture, unchanged. */
  readonly receipt: Buffer | null;
}

/** Operations for the payer whose token is in the path. Each throws CatalogueError. */
export interface CashierCalls {
  /**
   * Admits a request that changes something before its body is read. When it acts, its token is checked again: a
   * body may take minutes.
   * @throws RATE_LIMITED, UNAUTHENTICATED
   */
  admit(request: FastifyRequest): Promise<void>;
  view(request: FastifyRequest): Promise<CashierState>;
  submit(request: FastifyRequest, choice: Choice): Promise<CashierState>;
  claim(request: FastifyRequest, claim: Claim): Promise<CashierState>;
  /** Sandbox only. */
  simulate(request: FastifyRequest, outcome: SimulatedOutcome): Promise<CashierState>;
}

const tokenOf = ({ params }: FastifyRequest): string => {
  const { token } = params as { token?: unknown };
  return typeof token === 'string' ? token : '';
};

/**
 * Runs the payer's operations in the graph, within the token's rate limit. Tokens are never logged: requests are logged
 * by their routes.
 * @throws RATE_LIMITED, UNAUTHENTICATED for a token that opens nothing, and what the operations throw
 */
export function cashierCalls(deps: GatewayDeps, rate = new CashierRate(deps.limits)): CashierCalls {
  /** Requests that have already been counted against the rate limit. */
  const admitted = new WeakSet<FastifyRequest>();

  async function takeRate(request: FastifyRequest, weight: number): Promise<void> {
    const network = networkOf(deps.addressOf(request.raw) ?? '');
    await rate.take(tokenOf(request), network, weight, performance.now());
  }

  async function run<Result, Variables extends Record<string, unknown>>(
    request: FastifyRequest,
    weight: number,
    document: TypedDocumentNode<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    const { graph } = deps;
    const token = tokenOf(request);
    if (weight !== WEIGHT.act || !admitted.delete(request)) await takeRate(request, weight);
    const deadline = deadlineOf(deps);
    const log = logOf(deps, request);
    const actor = await deadline.within(graph.authenticateCashier(token, log));
    if (actor.kind === 'payer') request.logFields.sessionId = actor.sessionId;
    return await deadline.within(graph.execute(document, variables, actor, log, request.id));
  }
  return {
    admit: async (request) => {
      await takeRate(request, WEIGHT.act);
      const deadline = deadlineOf(deps);
      await deadline.within(deps.graph.authenticateCashier(tokenOf(request), logOf(deps, request)));
      admitted.add(request);
    },
    view: async (request) => (await run(request, WEIGHT.look, CashierViewDocument, {})).cashierView,
    submit: async (request, { amount, cardIndex, version }) =>
      (await run(request, WEIGHT.act, SubmitCashierSessionDocument, { amount, cardIndex, version }))
        .submitCashierSession,
    claim: async (request, { reference, receipt }) => {
      const claim = { reference, receipt: receipt?.toString('base64') ?? null };
      return (await run(request, WEIGHT.act, ClaimPaymentDocument, claim)).claimPayment;
    },
    simulate: async (request, outcome) =>
      (await run(request, WEIGHT.act, SimulatePaymentDocument, { outcome })).simulatePayment,
  };
}
