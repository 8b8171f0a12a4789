import { registerEnumType } from 'type-graphql';
import { CHANNEL_HEALTHS, CHANNEL_KINDS, MOCK_OUTCOMES } from '../../domain/channel';
import {
  MOCK_DEPOSIT_OUTCOMES,
  MOCK_OPENINGS,
  MOCK_ORDER_OUTCOMES,
  WALLET_KINDS,
} from '../../domain/channel-deposit';
import { HEALTH_STATES } from '../../domain/health';
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
  description: 'What becomes of the open payouts and deposits of a mock channel.',
  valuesConfig: {
    PENDING: { description: 'They stay under way.' },
    COMPLETED: { description: 'They complete.' },
    FAILED: { description: "They fail; payouts finally after the channel's delay." },
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
    DOWN: {
      description:
        'It does not answer, or says that it does not work: it gets no payout and no deposit.',
    },
  },
});

/** Where a breaker stands, as GraphQL knows it. */
export const HealthStateEnum = enumOf(HEALTH_STATES);
registerEnumType(HealthStateEnum, {
  name: 'HealthState',
  description: 'Where an account or a channel stands.',
  valuesConfig: {
    HEALTHY: { description: 'It gets orders.' },
    DOWN: { description: 'It is passed over; after a pause one order is tried.' },
    TRIAL: { description: 'It is passed over but for one order that is tried.' },
  },
});

/** What a mock channel does at an opening, as GraphQL knows it. */
export const MockOpeningEnum = enumOf(MOCK_OPENINGS);
registerEnumType(MockOpeningEnum, {
  name: 'MockOpening',
  description: 'What a mock channel does when it is asked to take a deposit.',
  valuesConfig: {
    OPEN: { description: 'It opens it.' },
    REFUSE: { description: 'It refuses: the next channel is asked.' },
    SILENT: { description: 'It does not answer: the merchant gets 503, and it is asked again.' },
  },
});

/** What becomes of deposits of an amount, as GraphQL knows it. */
export const MockDepositOutcomeEnum = enumOf(MOCK_DEPOSIT_OUTCOMES);
registerEnumType(MockDepositOutcomeEnum, {
  name: 'MockDepositOutcome',
  description: 'What becomes of deposits of one amount at a mock channel.',
  valuesConfig: {
    PENDING: { description: 'They stay unpaid until an operator says more, or expire.' },
    MATCHED: { description: 'The channel sees the payment, and does not receive it yet.' },
    COMPLETED: { description: 'They are paid.' },
    FAILED: { description: 'They are opened, and then fail.' },
    REFUSED: { description: 'The channel refuses them at opening.' },
    SILENT: { description: 'The channel does not answer at opening.' },
  },
});

/** What may become of one deposit, as GraphQL knows it. */
export const MockOrderOutcomeEnum = enumOf(MOCK_ORDER_OUTCOMES);
registerEnumType(MockOrderOutcomeEnum, {
  name: 'MockOrderOutcome',
  description: 'What a mock channel reports of one deposit.',
  valuesConfig: {
    MATCHED: { description: 'It sees the payment, and does not receive it yet.' },
    COMPLETED: { description: 'It is paid.' },
    FAILED: { description: 'It has failed.' },
  },
});

/** The kinds of wallets as GraphQL knows them. */
export const WalletKindEnum = enumOf(WALLET_KINDS);
registerEnumType(WalletKindEnum, {
  name: 'WalletKind',
  description: 'A mobile wallet of Bangladesh. There is no third kind (contract, "BDT rules").',
  valuesConfig: {
    BKASH: { description: 'The wallet that is called bKash.' },
    NAGAD: { description: 'The wallet that is called Nagad.' },
  },
});
