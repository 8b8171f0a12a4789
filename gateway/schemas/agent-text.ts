import { type Static, Type } from 'typebox';
import { Moment } from './moment';
import { Id, Nullable, PlainText, Text } from './values';

/** docs/agent-texts.md. Null is the same as absent; unknown fields are ignored. */
export const AgentText = Type.Object({
  device_id: PlainText(64, 'As the device calls itself.', 1),
  account_id: Type.String({ description: 'The managed account that it is about, by its id.' }),
  sender: PlainText(64, 'Who sent the message, such as bKash.', 1),
  text: Text(2_000, 'The message as it came.'),
  sent_at: Moment('When the device got it: RFC 3339 with an offset.'),
  message_id: Type.Optional(
    PlainText(128, "The device's own number of it: two messages of the same words are two."),
  ),
});
export type AgentText = Static<typeof AgentText>;

export const KeptText = Type.Object({
  text_id: Id('The kept message.'),
  duplicate: Type.Boolean({ description: 'It had come before.' }),
  state: Type.String({
    description: '`recorded`; `unread`: no pattern reads it so far; `no_money`.',
    examples: ['recorded'],
  }),
  problem: Nullable(Type.String({ description: 'Why it was not read.' })),
  transfer_id: Nullable(Type.String({ description: 'The recorded bank credit or debit.' })),
});
export type KeptText = Static<typeof KeptText>;

export const Heartbeat = Type.Object({
  device_id: PlainText(64, 'As the device calls itself.', 1),
  label: Type.Optional(PlainText(64, 'A name for people.')),
  version: Type.Optional(PlainText(32, 'Of its program.')),
  battery: Type.Optional(Type.Integer({ minimum: 0, maximum: 100, description: 'Percent.' })),
  waiting: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Messages not sent so far.' }),
  ),
});
export type Heartbeat = Static<typeof Heartbeat>;

export const SeenDevice = Type.Object({
  paired: Type.Boolean({
    description: 'False: an operator has not paired it, and its messages are kept unread.',
  }),
  report_again_since: Nullable(
    Type.String({
      format: 'date-time',
      description:
        'Report all that the bank has said since then once more: the platform has lost it. Null: nothing.',
    }),
  ),
});
export type SeenDevice = Static<typeof SeenDevice>;
