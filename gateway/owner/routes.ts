import { randomBytes } from 'node:crypto';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CatalogueError, invalidField } from '../../domain/errors';
import { networkOf } from '../../domain/lockout';
import { logOf } from '../admission';
import type { App } from '../app';
import { jsonBody } from '../body';
import { type BuiltAssets, readBuiltAssets } from '../cashier/assets';
import { sendPage } from '../cashier/packing';
import { cashierPolicy, GUARDS } from '../cashier/policy';
import { deadlineOf } from '../deadline';
import type { RouteDeps } from '../deps';
import { success } from '../envelope';
import {
  AgentEnrolmentDocument,
  type AgentEnrolmentFieldsFragment,
  EnrolAgentDocument,
  SecretLinkDocument,
  TakeSecretDocument,
} from '../generated/operations';
import { agentPage } from './agent-page';
import { ownerPage } from './page';

/** Of one address: a person who presses a button, and a light that is asked about every few seconds. */
const OF_ADDRESS = { atOnce: 60, perSecond: 2 };

/** Whose link it is. */
type Opens = 'authenticateOwner' | 'authenticateEnroller';

/** A text of the body. @throws INVALID_FIELD */
function textOf(request: FastifyRequest, field: string): string {
  const text = jsonBody(request).fields.get(field);
  if (typeof text !== 'string') throw invalidField(field, 'must be a text', 'REQUIRED');
  return text;
}

const wordsOf = (agent: AgentEnrolmentFieldsFragment) => {
  const currencies = new Set(agent.accounts.map(({ currencyCode }) => currencyCode));
  const [currency = null] = currencies;
  return {
    key_id: agent.keyId,
    label: agent.label,
    accounts: agent.accounts.map(({ id, name }) => ({ id, name })),
    currency_code: currencies.size === 1 ? currency : null,
    max_transfer_amount: agent.maxTransferAmount,
    max_daily_amount: agent.maxDailyAmount,
  };
};

/** Routes of the pages that links in mails open: a merchant's secret, and an agent to enrol (docs/keys.md). */
export function ownerRoutes(app: App, deps: RouteDeps): void {
  const rate = deps.limits.rate('owner address', OF_ADDRESS);
  let built: BuiltAssets | undefined;
  const assets = (): BuiltAssets => (built ??= readBuiltAssets());

  /** Runs an operation for the owner whose token is in the body. @throws RATE_LIMITED, UNAUTHENTICATED */
  async function run<Result, Variables extends Record<string, unknown>>(
    request: FastifyRequest,
    opens: Opens,
    document: TypedDocumentNode<Result, Variables>,
    variables: Variables,
  ): Promise<Result> {
    const retryAfterMs = await rate.take(networkOf(deps.addressOf(request.raw) ?? ''), 1, performance.now());
    if (retryAfterMs > 0) throw new CatalogueError('RATE_LIMITED', 'too many requests', { retryAfterMs });
    const token = textOf(request, 'token');
    const deadline = deadlineOf(deps);
    const log = logOf(deps, request);
    const actor = await deadline.within(deps.graph[opens](token, log));
    return await deadline.within(deps.graph.execute(document, variables, actor, log, request.id));
  }

  /** Sends a page, which is the same for every link. */
  async function page(
    request: FastifyRequest,
    reply: FastifyReply,
    render: (nonce: string) => string,
  ): Promise<unknown> {
    const nonce = randomBytes(16).toString('base64');
    reply.headers(GUARDS).header('content-security-policy', cashierPolicy(nonce, null));
    return await sendPage(request, reply, render(nonce));
  }

  app.get('/cashier/keys', { schema: { hide: true } }, async (request, reply) => {
    const { merchantApiUrl } = deps;
    return await page(request, reply, (nonce) => ownerPage({ assets: assets().keys, nonce, merchantApiUrl }));
  });

  app.post('/cashier/keys/take', { schema: { hide: true } }, async (request, reply) => {
    const { takeSecret } = await run(request, 'authenticateOwner', TakeSecretDocument, {});
    const { secret, link } = takeSecret;
    request.logFields.merchantCode = link.merchantCode;
    reply.headers(GUARDS);
    return success({
      secret,
      kind: link.kind.toLowerCase(),
      merchant_code: link.merchantCode,
      webhook_url: link.webhookUrl,
    });
  });

  app.post('/cashier/keys/light', { schema: { hide: true } }, async (request, reply) => {
    const { secretLink } = await run(request, 'authenticateOwner', SecretLinkDocument, {});
    reply.headers(GUARDS);
    return success({ first_used_at: secretLink.firstUsedAt });
  });

  app.get('/cashier/agents', { schema: { hide: true } }, async (request, reply) => {
    const reportUrl = new URL('/bank-notifications', deps.merchantApiUrl).href;
    return await page(request, reply, (nonce) => agentPage({ assets: assets().agents, nonce, reportUrl }));
  });

  app.post('/cashier/agents/show', { schema: { hide: true } }, async (request, reply) => {
    const opens = 'authenticateEnroller';
    const { agentEnrolment } = await run(request, opens, AgentEnrolmentDocument, {});
    reply.headers(GUARDS);
    return success(wordsOf(agentEnrolment));
  });

  app.post('/cashier/agents/enrol', { schema: { hide: true } }, async (request, reply) => {
    const publicKey = textOf(request, 'public_key');
    const opens = 'authenticateEnroller';
    const { enrolAgent } = await run(request, opens, EnrolAgentDocument, { publicKey });
    reply.headers(GUARDS);
    return success(wordsOf(enrolAgent));
  });
}
