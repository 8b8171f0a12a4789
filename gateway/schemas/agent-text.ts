import { type Static, Type } from 'typebox';
import { Moment } from './moment';
import { Id, Nullable, PlainText, Text } from './values';

/** docs/agent-texts.md. Null is the same as absent; unknown fields are ignored. */
export const AgentText = Type.Object({
  device_id: PlainText(64, "The device's own identifier.", 1),
  account_id: Type.String({ description: 'The managed account that it is about, by its id.' }),
  sender: PlainText(64, 'Who sent the message, such as bKash.', 1),
  text: Text(2_000, 'The message, unchanged.'),
  sent_at: Moment('When the device received it: RFC 3339 with an offset.'),
  message_id: Type.Optional(
    PlainText(128, "The device's own identifier of the message; it distinguishes messages with the same text."),
  ),
});
export type AgentText = Static<typeof AgentText>;

export const KeptText = Type.Object({
  text_id: Id('The recorded message.'),
  duplicate: Type.Boolean({ description: 'It was recorded before.' }),
  state: Type.String({
    description: '`recorded`; `unread`: no pattern reads it yet; `no_money`.',
    examples: ['recorded'],
  }),
  problem: Nullable(Type.String({ description: 'Why it was not read.' })),
  transfer_id: Nullable(Type.String({ description: 'The recorded bank credit or debit.' })),
});
export type KeptText = Static<typeof KeptText>;

export const Heartbeat = Type.Object({
  device_id: PlainText(64, "The device's own identifier.", 1),
  label: Type.Optional(PlainText(64, 'A name for people.')),
  version: Type.Optional(PlainText(32, 'The version of its program.')),
  battery: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Percent.' })),
  waiting: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Messages not sent yet.' })),
});
export type Heartbeat = Static<typeof Heartbeat>;

export const SeenDevice = Type.Object({
  paired: Type.Boolean({
    description: 'False: an operator has not paired it, and its messages stay unread.',
  }),
  report_again_since: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Report again what the bank has reported since this time: the platform has lost it. Null: nothing.',
    }),
  ),
});
export type SeenDevice = Static<typeof SeenDevice>;
