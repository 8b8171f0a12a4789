import type { MockOutcome } from '../domain/channel';
import type { DepositAnswer, MockDepositOutcome, MockOpening } from '../domain/channel-deposit';
import { formatMoney } from '../domain/money';
import type { PayoutAnswer } from '../domain/payout';
import type { Channel, DepositQuery, PayoutQuery } from './channel';

/** The current settings of a mock channel. */
export interface MockSettings {
  readonly outcome: MockOutcome;
  /** What it does when it is asked to take a deposit. */
  readonly opening: MockOpening;
  /** The outcomes of deposits with certain amounts, with four decimals. */
  readonly amounts: Readonly<Record<string, MockDepositOutcome>> | null;
}

/** The mock's own number of an order. */
const numberOf = ({ reference }: PayoutQuery): string => `mock-${reference}`;

const FAILURE = 'the mock channel is set to FAILED';

function payoutAnswer(outcome: MockOutcome, query: PayoutQuery): PayoutAnswer {
  const channelOrderNo = numberOf(query);
  switch (outcome) {
    case 'PENDING':
      return { kind: 'ACCEPTED', channelOrderNo };
    case 'COMPLETED':
      return { kind: 'COMPLETED', channelOrderNo, bankReference: channelOrderNo, cost: null };
    case 'FAILED':
      return { kind: 'FAILED', reason: FAILURE, channelOrderNo };
  }
}

/** The same bank details for every order. */
const BANK_DETAILS = {
  mock: true,
  bank_code: 'MOCK',
  bank_name: 'Mock Bank',
  bank_branch: 'Sandbox',
  account_no: '0000000000',
  account_holder: 'Mock Channel',
} as const;

const openedAs = (query: DepositQuery): DepositAnswer => ({
  kind: 'OPENED',
  channelOrderNo: numberOf(query),
  paymentUrl: null,
  paymentInfo: BANK_DETAILS,
});

/** The state of a deposit: as set for it, else by its amount, else by the channel's setting. */
function depositAnswer({ outcome, amounts }: MockSettings, query: DepositQuery): DepositAnswer {
  const channelOrderNo = numberOf(query);
  switch (query.mockOutcome ?? amounts?.[formatMoney(query.amount)] ?? outcome) {
    case 'PENDING':
      return openedAs(query);
    case 'MATCHED':
      return { kind: 'MATCHED', channelOrderNo };
    case 'COMPLETED':
      return { kind: 'COMPLETED', channelOrderNo, cost: null };
    case 'FAILED':
      return { kind: 'FAILED', reason: FAILURE };
    case 'REFUSED':
      return { kind: 'REFUSED', reason: 'the mock channel refuses this amount' };
    case 'SILENT':
      return SILENCE;
  }
}

const SILENCE: DepositAnswer = { kind: 'UNKNOWN', reason: 'the mock channel is silent' };

/** The answer to a request for a deposit: by its amount, else by the channel's setting. */
function opening({ opening: set, amounts }: MockSettings, query: DepositQuery): DepositAnswer {
  const byAmount = amounts?.[formatMoney(query.amount)];
  if (byAmount === 'SILENT' || (!byAmount && set === 'SILENT')) return SILENCE;
  if (byAmount === 'REFUSED' || (!byAmount && set === 'REFUSE'))
    return { kind: 'REFUSED', reason: 'the mock channel is set to refuse' };
  return openedAs(query);
}

/**
 * The sandbox's built-in channel (contract, "Environments"): it accepts every payout and deposit, and all open ones
 * have the outcome that is currently set. It stores and sends nothing.
 */
export const mockChannel = (settings: MockSettings): Channel => ({
  sendPayout: (request) => Promise.resolve({ kind: 'ACCEPTED', channelOrderNo: numberOf(request) }),
  queryPayout: (query) => Promise.resolve(payoutAnswer(settings.outcome, query)),
  findPayout: () => Promise.resolve(null),
  listPayouts: () => Promise.resolve(null),
  openDeposit: (request) => Promise.resolve(opening(settings, request)),
  queryDeposit: (query) =>
    Promise.resolve(
      // A deposit that was silent when it was opened stays so until an operator sets its outcome.
      !query.mockOutcome && opening(settings, query).kind === 'UNKNOWN' ? SILENCE : depositAnswer(settings, query),
    ),
  webhookHeaders: [],
  readWebhook: () => ({ kind: 'forged', problem: 'the mock channel sends nothing' }),
  balance: () => Promise.resolve(null),
  health: () => Promise.resolve({ health: 'UP', reason: null }),
});
