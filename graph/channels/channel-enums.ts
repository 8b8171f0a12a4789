import { registerEnumType } from 'type-graphql';
import { CHANNEL_HEALTHS, CHANNEL_KINDS, MOCK_OUTCOMES } from '../../domain/channel';
import { enumOf } from '../scalars';

/** The kind as GraphQL knows it. */
export const ChannelKindEnum = enumOf(CHANNEL_KINDS);
registerEnumType(ChannelKindEnum, {
  name: 'ChannelKind',
  description: 'What stands behind a channel.',
  valuesConfig: {
    MOCK: { description: 'Built in, for sandboxes: nothing is paid.' },
    HTTP: { description: 'An upstream that is reached over signed HTTP.' },
  },
});

/** The outcome as GraphQL knows it. */
export const MockOutcomeEnum = enumOf(MOCK_OUTCOMES);
registerEnumType(MockOutcomeEnum, {
  name: 'MockOutcome',
  description: 'What becomes of the open payouts of a mock channel.',
  valuesConfig: {
    PENDING: { description: 'They stay under way.' },
    COMPLETED: { description: 'They complete.' },
    FAILED: { description: "They fail, finally after the channel's delay." },
  },
});

/** The health as GraphQL knows it. */
export const ChannelHealthEnum = enumOf(CHANNEL_HEALTHS);
registerEnumType(ChannelHealthEnum, {
  name: 'ChannelHealth',
  description: 'What the last check of a channel found.',
  valuesConfig: {
    UNKNOWN: { description: 'It was not checked yet.' },
    UP: { description: 'It answers and says that it works.' },
    DOWN: { description: 'It does not answer, or says that it does not work: it gets no payout.' },
  },
});
