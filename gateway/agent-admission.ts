import { CatalogueError } from '../domain/errors';
import { failpoint } from '../runtime/failpoints';
import { type Admission, admit, logOf, requiredHeader } from './admission';
import { jsonBody, presentFields } from './body';
import { deadlineOf } from './deadline';
import type { RouteDeps } from './deps';
import { queryOf } from './query';
import { checkTimestamp } from './timestamp';

/** 8 to 128 characters that need no escaping anywhere. */
const NONCE = /^[A-Za-z0-9_-]{8,128}$/;

/**
 * Admits an agent's signed notification (docs/bank-notifications.md), in the same order as a merchant's request.
 * @throws INVALID_SIGNATURE, INVALID_TIMESTAMP, UNSUPPORTED_MEDIA_TYPE, MALFORMED_REQUEST
 */
export const admitAgent =
  (deps: RouteDeps): Admission =>
  async (request) => {
    const { graph, batchWindow } = deps;
    const deadline = deadlineOf(deps);

    const keyId = requiredHeader(request, 'X-Agent-Key');
    const signature = requiredHeader(request, 'X-Agent-Signature');
    const nonce = requiredHeader(request, 'X-Agent-Nonce');
    if (!NONCE.test(nonce))
      throw new CatalogueError('INVALID_SIGNATURE', 'X-Agent-Nonce must be 8-128 of A-Z a-z 0-9 _ -');
    const timestamp = checkTimestamp(requiredHeader(request, 'X-Agent-Timestamp'), deps);

    const { fields, texts, text: body } = jsonBody(request);
    queryOf(request.raw);
    await failpoint('notification.read', texts.get('bank_reference'));
    await batchWindow.enter();

    const actor = await deadline.within(
      graph.authenticateAgent({ keyId, timestamp, nonce, signature, body }, logOf(deps, request)),
    );
    await failpoint('notification.authenticated', texts.get('bank_reference'));
    request.logFields.agent = keyId;
    request.body = presentFields(fields);
    admit(deps, request, actor, texts, deadline);
  };
