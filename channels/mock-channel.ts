import type { MockOutcome } from '../domain/channel';
import type { PayoutAnswer } from '../domain/payout';
import type { Channel, PayoutQuery } from './channel';

/** The mock's own number of a payout. */
const numberOf = ({ reference }: PayoutQuery): string => `mock-${reference}`;

function answerOf(outcome: MockOutcome, query: PayoutQuery): PayoutAnswer {
  const channelOrderNo = numberOf(query);
  switch (outcome) {
    case 'PENDING':
      return { kind: 'ACCEPTED', channelOrderNo };
    case 'COMPLETED':
      return { kind: 'COMPLETED', channelOrderNo, bankReference: channelOrderNo, cost: null };
    case 'FAILED':
      return { kind: 'FAILED', reason: 'the mock channel is set to FAILED', channelOrderNo };
  }
}

/**
 * The sandbox's built-in channel (contract, "Environments"): it takes every payout, and all open payouts have the
 * outcome that is set at that moment. It stores and sends nothing.
 */
export const mockChannel = (outcome: MockOutcome): Channel => ({
  sendPayout: (request) => Promise.resolve({ kind: 'ACCEPTED', channelOrderNo: numberOf(request) }),
  queryPayout: (query) => Promise.resolve(answerOf(outcome, query)),
  findPayout: () => Promise.resolve(null),
  listPayouts: () => Promise.resolve(null),
  readWebhook: () => ({ kind: 'forged', problem: 'the mock channel sends nothing' }),
  balance: () => Promise.resolve(null),
  health: () => Promise.resolve({ health: 'UP', reason: null }),
});
