import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { logOf } from '../admission';
import type { App } from '../app';
import { deadlineOf } from '../deadline';
import type { GatewayDeps } from '../deps';
import { success } from '../envelope';
import { RecordChannelMessageDocument } from '../generated/operations';
import { singleHeader } from '../headers';
import { Answer, refusals } from '../schemas/answers';

const Receipt = Type.Object({
  duplicate: Type.Boolean({ description: 'The message was received before: nothing was done.' }),
});

/**
 * The headers that the channel may have signed; if a header is repeated, it is unknown which value. The mapping
 * declares a provider's own header names: the graph keeps those that it reads.
 */
function headersOf({ raw }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    Object.keys(raw.headers).flatMap((name) => {
      const value = singleHeader(raw, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** Channels report the outcome of payouts here (docs/channels.md). The graph verifies the exact bytes. */
export function channelWebhookRoutes(app: App, deps: GatewayDeps): void {
  app.post(
    '/channels/:channel_code/webhook',
    {
      schema: {
        operationId: 'receiveChannelWebhook',
        summary: 'Report the outcome of a payout',
        description: 'For payment channels, which sign with their own keys. Safe to repeat: a message counts once.',
        tags: ['Channel webhooks'],
        params: Type.Object({ channel_code: Type.String() }),
        response: {
          200: Answer(Receipt, 'Kept.'),
          ...refusals(['NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'INVALID_SIGNATURE', 'MALFORMED_REQUEST']),
        },
      },
    },
    async (request, reply) => {
      const { graph } = deps;
      const deadline = deadlineOf(deps);
      const log = logOf(deps, request);
      // Bodies arrive as bytes, whatever their content type.
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const actor = await deadline.within(
        graph.authenticateChannel(
          request.params.channel_code,
          { headers: headersOf(request), body, query: request.raw.url?.split('?')[1] ?? '' },
          log,
        ),
      );
      const { recordChannelMessage } = await deadline.within(
        graph.execute(RecordChannelMessageDocument, {}, actor, log, request.id),
      );
      if (actor.kind === 'channel' && actor.answer) {
        const { status, contentType, body: receipt } = actor.answer;
        // As bytes, so that nothing converts it into our own JSON.
        return await reply
          .code(status as 200)
          .type(contentType)
          .send(Buffer.from(receipt) as never);
      }
      return success({ duplicate: recordChannelMessage.duplicate });
    },
  );
}
