import { registerEnumType } from 'type-graphql';
import { CHANNEL_HEALTHS, CHANNEL_KINDS, MOCK_OUTCOMES } from '../../domain/channel';
import { MOCK_DEPOSIT_OUTCOMES, MOCK_OPENINGS, MOCK_ORDER_OUTCOMES, WALLET_KINDS } from '../../domain/channel-deposit';
import { HEALTH_STATES } from '../../domain/health';
import { enumOf } from '../scalars';

export const ChannelKindEnum = enumOf(CHANNEL_KINDS);
registerEnumType(ChannelKindEnum, {
  name: 'ChannelKind',
  description: 'The implementation of a channel.',
  valuesConfig: {
    MOCK: { description: 'Built in, for sandboxes: nothing is paid.' },
    HTTP: { description: 'An upstream that is reached over signed HTTP.' },
  },
});

export const MockOutcomeEnum = enumOf(MOCK_OUTCOMES);
registerEnumType(MockOutcomeEnum, {
  name: 'MockOutcome',
  description: 'The outcome of the open payouts and deposits of a mock channel.',
  valuesConfig: {
    PENDING: { description: 'They stay under way.' },
    COMPLETED: { description: 'They complete.' },
    FAILED: { description: "They fail; payouts finally after the channel's delay." },
  },
});

export const ChannelHealthEnum = enumOf(CHANNEL_HEALTHS);
registerEnumType(ChannelHealthEnum, {
  name: 'ChannelHealth',
  description: 'The result of the last check of a channel.',
  valuesConfig: {
    UNKNOWN: { description: 'It was not checked yet.' },
    UP: { description: 'It answers and reports that it works.' },
    DOWN: {
      description: 'It does not answer, or reports a failure: it gets no payout and no deposit.',
    },
  },
});

export const HealthStateEnum = enumOf(HEALTH_STATES);
registerEnumType(HealthStateEnum, {
  name: 'HealthState',
  description: 'The health of an account or a channel.',
  valuesConfig: {
    HEALTHY: { description: 'It gets orders.' },
    DOWN: { description: 'It is passed over; after a pause one order is tried.' },
    TRIAL: { description: 'It is passed over, except for one order on trial.' },
  },
});

export const MockOpeningEnum = enumOf(MOCK_OPENINGS);
registerEnumType(MockOpeningEnum, {
  name: 'MockOpening',
  description: 'What a mock channel does when a deposit is opened.',
  valuesConfig: {
    OPEN: { description: 'It opens it.' },
    REFUSE: { description: 'It refuses: the next channel is tried.' },
    SILENT: { description: 'It does not answer: the merchant gets 503, and it is queried again.' },
  },
});

export const MockDepositOutcomeEnum = enumOf(MOCK_DEPOSIT_OUTCOMES);
registerEnumType(MockDepositOutcomeEnum, {
  name: 'MockDepositOutcome',
  description: 'The outcome of deposits of one amount at a mock channel.',
  valuesConfig: {
    PENDING: { description: 'They stay unpaid until an operator sets an outcome, or expire.' },
    MATCHED: { description: 'The payment is under way, but not received yet.' },
    COMPLETED: { description: 'They are paid.' },
    FAILED: { description: 'They are opened, and then fail.' },
    REFUSED: { description: 'The channel refuses them at opening.' },
    SILENT: { description: 'The channel does not answer at opening.' },
  },
});

export const MockOrderOutcomeEnum = enumOf(MOCK_ORDER_OUTCOMES);
registerEnumType(MockOrderOutcomeEnum, {
  name: 'MockOrderOutcome',
  description: 'What a mock channel reports about one deposit.',
  valuesConfig: {
    MATCHED: { description: 'The payment is under way, but not received yet.' },
    COMPLETED: { description: 'It is paid.' },
    FAILED: { description: 'It has failed.' },
  },
});

export const WalletKindEnum = enumOf(WALLET_KINDS);
registerEnumType(WalletKindEnum, {
  name: 'WalletKind',
  description: 'A supported mobile wallet of Bangladesh (contract, "BDT rules").',
  valuesConfig: {
    BKASH: { description: 'The wallet bKash.' },
    NAGAD: { description: 'The wallet Nagad.' },
  },
});
