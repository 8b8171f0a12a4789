import type { FastifyRequest } from 'fastify';
import type { SignedParameters } from '../domain/signing';
import { failpoint } from '../runtime/failpoints';
import type { Permission } from '../graph';
import { type Admission, admit, logOf, requiredHeader } from './admission';
import { jsonBody, presentFields } from './body';
import { deadlineOf } from './deadline';
import type { RouteDeps } from './deps';
import { singleHeader } from './headers';
import { queryOf } from './query';
import { checkTimestamp } from './timestamp';

/**
 * Admits a merchant's signed request (contract, "Authentication") and leaves its fields to the route's schema. Path,
 * method and size are checked before. The order here: headers present, timestamp window, content type, JSON, key and
 * signature, merchant enabled and permitted, the merchant's rate.
 * @param permission what the operation needs beyond an enabled merchant
 * @throws INVALID_SIGNATURE, INVALID_TIMESTAMP, UNSUPPORTED_MEDIA_TYPE, MALFORMED_REQUEST, AUTHORIZATION_ERROR,
 * RATE_LIMITED
 */
export const admitMerchant =
  (deps: RouteDeps, permission: Permission | null): Admission =>
  async (request) => {
    const { graph, merchantRate, batchWindow } = deps;
    const deadline = deadlineOf(deps);

    const apiKey = requiredHeader(request, 'X-API-Key');
    const signature = requiredHeader(request, 'X-Signature');
    const timestamp = checkTimestamp(singleHeader(request.raw, 'x-timestamp'), deps);

    const parameters = request.method === 'GET' ? takeQuery(request) : takeBody(request);
    const number = parameters.get('merchant_order_no');
    await failpoint('request.read', number);
    if (request.method === 'POST') await batchWindow.enter();

    const actor = await deadline.within(
      graph.authenticate(
        { apiKey, timestamp, signature, parameters, address: deps.addressOf(request.raw) },
        permission,
        logOf(deps, request),
      ),
    );
    await failpoint('request.authenticated', number);
    if (actor.kind === 'merchant') {
      request.logFields.merchantCode = actor.merchant.merchantCode;
      // Only now: a caller without the key must not use up the merchant's rate.
      await merchantRate.take(actor.merchant.id, performance.now());
    }
    admit(deps, request, actor, parameters, deadline);
  };

function takeQuery(request: FastifyRequest): SignedParameters {
  const query = queryOf(request.raw);
  request.query = Object.fromEntries(query);
  return query;
}

/** A create signs only its body; a query beside it is ignored, but must be well formed. */
function takeBody(request: FastifyRequest): SignedParameters {
  const { fields, texts } = jsonBody(request);
  queryOf(request.raw);
  request.body = presentFields(fields);
  return texts;
}
