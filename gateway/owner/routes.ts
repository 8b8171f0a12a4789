import { randomBytes } from 'node:crypto';
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { FastifyRequest } from 'fastify';
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
import { SecretLinkDocument, TakeSecretDocument } from '../generated/operations';
import { ownerPage } from './page';

/** Of one address: a person who presses a button, and a light that is asked about every few seconds. */
const OF_ADDRESS = { atOnce: 60, perSecond: 2 };

/** Routes of the page on which a merchant's owner fetches a secret, once (docs/keys.md). */
export function ownerRoutes(app: App, deps: RouteDeps): void {
  const rate = deps.limits.rate('owner address', OF_ADDRESS);
  let built: BuiltAssets | undefined;

  /** Runs an operation for the owner whose token is in the body. @throws RATE_LIMITED, UNAUTHENTICATED */
  async function run<Result>(
    request: FastifyRequest,
    document: TypedDocumentNode<Result, Record<string, never>>,
  ): Promise<Result> {
    const retryAfterMs = await rate.take(
      networkOf(deps.addressOf(request.raw) ?? ''),
      1,
      performance.now(),
    );
    if (retryAfterMs > 0)
      throw new CatalogueError('RATE_LIMITED', 'too many requests', { retryAfterMs });
    const token = jsonBody(request).fields.get('token');
    if (typeof token !== 'string') throw invalidField('token', 'must be a text', 'REQUIRED');
    const deadline = deadlineOf(deps);
    const log = logOf(deps, request);
    const actor = await deadline.within(deps.graph.authenticateOwner(token, log));
    return await deadline.within(deps.graph.execute(document, {}, actor, log, request.id));
  }

  app.get('/cashier/keys', { schema: { hide: true } }, async (request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    const { keys: assets } = (built ??= readBuiltAssets());
    reply.headers(GUARDS).header('content-security-policy', cashierPolicy(nonce, null));
    const { merchantApiUrl } = deps;
    return await sendPage(request, reply, ownerPage({ assets, nonce, merchantApiUrl }));
  });

  app.post('/cashier/keys/take', { schema: { hide: true } }, async (request, reply) => {
    const { takeSecret } = await run(request, TakeSecretDocument);
    const { secret, link } = takeSecret;
    request.logFields.merchantCode = link.merchantCode;
    reply.headers(GUARDS);
    return success({
      ...{ secret, kind: link.kind.toLowerCase(), merchant_code: link.merchantCode },
      webhook_url: link.webhookUrl,
    });
  });

  app.post('/cashier/keys/light', { schema: { hide: true } }, async (request, reply) => {
    const { secretLink } = await run(request, SecretLinkDocument);
    reply.headers(GUARDS);
    return success({ first_used_at: secretLink.firstUsedAt });
  });
}
