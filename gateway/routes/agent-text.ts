import { admittedOf } from '../admission';
import { admitAgent } from '../agent-admission';
import type { App } from '../app';
import type { RouteDeps } from '../deps';
import { success } from '../envelope';
import { RecordAgentTextDocument, ReportHeartbeatDocument } from '../generated/operations';
import { AgentText, Heartbeat, KeptText, SeenDevice } from '../schemas/agent-text';
import { Answer, refusals } from '../schemas/answers';
import { utcOf } from '../schemas/moment';
import { AgentHeaders } from '../schemas/signed';

const REFUSALS = refusals([
  'PAYLOAD_TOO_LARGE',
  'INVALID_SIGNATURE',
  'INVALID_TIMESTAMP',
  'UNSUPPORTED_MEDIA_TYPE',
  'MALFORMED_REQUEST',
  'AUTHORIZATION_ERROR',
  'INVALID_FIELD',
  'OPTIMISTIC_LOCK_ERROR',
]);

/** Messages of banks as devices forward them, and the devices' heartbeats (docs/agent-texts.md). */
export function agentTextRoutes(app: App, deps: RouteDeps): void {
  app.post(
    '/agent-texts',
    {
      schema: {
        operationId: 'recordAgentText',
        summary: 'Forward a message of a bank as it came',
        description: 'Safe to repeat with a new nonce and timestamp: a message is kept once.',
        tags: ['Bank notifications'],
        headers: AgentHeaders,
        body: AgentText,
        response: {
          200: Answer(KeptText, 'The message was recorded before.'),
          201: Answer(KeptText, 'The message is recorded.'),
          ...REFUSALS,
        },
      },
      preValidation: admitAgent(deps),
    },
    async (request, reply) => {
      const { execute } = admittedOf(request);
      const { device_id, account_id, sender, text, sent_at, message_id } = request.body;
      const { recordAgentText: kept } = await execute(RecordAgentTextDocument, {
        input: {
          deviceId: device_id,
          accountId: account_id,
          sender,
          text,
          sentAt: utcOf('sent_at', sent_at),
          messageId: message_id,
        },
      });
      const { id, state, problem, transfer, debit } = kept.text;
      const movement = transfer ?? debit;
      if (movement) request.logFields.transferId = movement.id;
      if (movement?.orderNo != null) request.logFields.orderNo = movement.orderNo;
      reply.code(kept.duplicate ? 200 : 201);
      return success({
        text_id: id,
        duplicate: kept.duplicate,
        state: state.toLowerCase(),
        problem,
        transfer_id: movement?.id ?? null,
      });
    },
  );

  app.post(
    '/agent-heartbeats',
    {
      schema: {
        operationId: 'reportHeartbeat',
        summary: 'A heartbeat of a device that forwards messages',
        description: 'Once a minute. The first one shows the device to operators, who pair it.',
        tags: ['Bank notifications'],
        headers: AgentHeaders,
        body: Heartbeat,
        response: { 200: Answer(SeenDevice, 'Seen.'), ...REFUSALS },
      },
      preValidation: admitAgent(deps),
    },
    async (request) => {
      const { execute } = admittedOf(request);
      const { device_id: deviceId, ...rest } = request.body;
      const { reportHeartbeat: device } = await execute(ReportHeartbeatDocument, {
        input: { deviceId, ...rest },
      });
      return success({
        paired: device.pairedAt !== null,
        report_again_since: device.reportAgainSince,
      });
    },
  );
}
