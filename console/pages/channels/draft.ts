import type {
  ChannelFieldsFragment,
  ChannelKind,
  ChannelSettingsInput,
  MockDepositOutcome,
  MockOpening,
  WalletKind,
} from '../../generated/operations';

/** A channel, as its page shows it. */
export type Channel = ChannelFieldsFragment;

const AMOUNT_OUTCOMES: readonly MockDepositOutcome[] = [
  ...(['PENDING', 'MATCHED', 'COMPLETED', 'FAILED', 'REFUSED', 'SILENT'] as const),
];

/** Amounts as typed; "" is no limit. */
export const AMOUNTS = [
  ['minAmount', 'Least payout'],
  ['maxAmount', 'Greatest payout'],
  ['lowBalance', 'Alert below a balance of'],
  ['costPercent', 'Cost of a payout, percent'],
  ['costFixed', 'Cost of a payout, fixed'],
] as const;
/** The amounts of deposits. */
export const DEPOSIT_AMOUNTS = [
  ['depositMin', 'Least deposit'],
  ['depositMax', 'Greatest deposit'],
  ['depositDaily', 'Daily limit of deposits'],
  ['depositMonthly', 'Monthly limit of deposits'],
  ['depositPercent', 'Cost of a deposit, percent'],
  ['depositFixed', 'Cost of a deposit, fixed'],
] as const;
/** Whole numbers, with their minimum. */
export const NUMBERS = [
  ['priority', 'Priority (the lowest first)', 0],
  ['weight', 'Weight among equals', 1],
  ['timeoutSeconds', 'Timeout, seconds', 1],
  ['failureFinalDelaySeconds', 'A failure is final after, seconds', 0],
  ['answerWithinSeconds', 'Waits for an answer, seconds', 1],
] as const;
/** Whole numbers that 0 switches off, or that have a minimum. */
export const BREAKER = [
  ['failuresInRow', 'Failures in a row (0: never)', 0],
  ['successPercent', 'Success below, percent (0: never)', 0],
  ['leastOrders', 'Of at least this many orders', 1],
  ['minutes', 'Within minutes', 1],
  ['pauseSeconds', 'Pause before an order is tried, seconds', 10],
] as const;
/** The most payments of deposits; null is no limit. */
export const DEPOSIT_COUNTS = [
  ['maxDailyCount', 'Payments of deposits a day'],
  ['maxMonthlyCount', 'Payments of deposits a month'],
] as const;
/** Texts; "" is none. */
export const TEXTS = [
  ['contactMobile', 'Contact mobile (BDT)'],
  ['contactEmail', 'Contact e-mail (BDT)'],
  ['accountId', 'Reports on the account (id)'],
] as const;

/** AMOUNTS and DEPOSIT_AMOUNTS. */
export type Amounts = Readonly<Record<(typeof AMOUNTS)[number][0] | (typeof DEPOSIT_AMOUNTS)[number][0], string>>;
type Texts = Readonly<Record<(typeof TEXTS)[number][0], string>>;
type Numbers = Readonly<Record<(typeof NUMBERS)[number][0], number>>;
type Counts = Readonly<Record<(typeof DEPOSIT_COUNTS)[number][0], number | null>>;
type Breaker = Readonly<Record<(typeof BREAKER)[number][0], number>>;

/** A channel, as the form holds it. */
export interface Draft {
  readonly name: string;
  readonly timeZone: string;
  readonly currencies: readonly string[];
  readonly depositCurrencies: readonly string[];
  readonly amounts: Amounts;
  readonly numbers: Numbers;
  readonly breaker: Breaker;
  readonly depositCounts: Counts;
  readonly texts: Texts;
  readonly beforeAccounts: boolean;
  readonly acceptsContact: boolean;
  readonly confirmRefusals: boolean;
  readonly walletKind: WalletKind | null;
  readonly mockOpening: MockOpening | null;
  /** One for each line: "1313.01 COMPLETED". */
  readonly mockAmounts: string;
  /** One for each line: "THB KBANK 004". */
  readonly banks: string;
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
}

/** A new channel. */
export const NEW: Draft = {
  name: '',
  timeZone: 'UTC',
  currencies: [],
  depositCurrencies: [],
  amounts: {
    minAmount: '',
    maxAmount: '',
    lowBalance: '',
    costPercent: '0',
    costFixed: '0',
    depositMin: '',
    depositMax: '',
    depositPercent: '0',
    depositFixed: '0',
    depositDaily: '',
    depositMonthly: '',
  },
  numbers: {
    priority: 100,
    weight: 1,
    timeoutSeconds: 10,
    failureFinalDelaySeconds: 600,
    answerWithinSeconds: 1_800,
  },
  breaker: {
    failuresInRow: 0,
    successPercent: 0,
    leastOrders: 10,
    minutes: 10,
    pauseSeconds: 60,
  },
  depositCounts: { maxDailyCount: null, maxMonthlyCount: null },
  texts: { contactMobile: '', contactEmail: '', accountId: '' },

  beforeAccounts: false,
  acceptsContact: false,
  confirmRefusals: false,
  walletKind: null,
  mockOpening: null,
  mockAmounts: '',
  banks: '',
  baseUrl: '',
  keyId: '',
  secret: '',
};

/** A channel's settings, as the form holds them. */
export const draftOf = (channel: Channel): Draft => {
  const { deposits } = channel;
  return {
    name: channel.name,
    timeZone: channel.timeZone,
    currencies: channel.currencies,
    depositCurrencies: deposits.currencies,
    amounts: {
      minAmount: channel.minAmount ?? '',
      maxAmount: channel.maxAmount ?? '',
      lowBalance: channel.lowBalance ?? '',
      costPercent: channel.cost.percent,
      costFixed: channel.cost.fixed,
      depositMin: deposits.minAmount ?? '',
      depositMax: deposits.maxAmount ?? '',
      depositDaily: deposits.maxDailyAmount ?? '',
      depositMonthly: deposits.maxMonthlyAmount ?? '',
      depositPercent: deposits.cost.percent,
      depositFixed: deposits.cost.fixed,
    },
    numbers: channel,
    breaker: {
      failuresInRow: channel.breaker.failuresInRow ?? 0,
      successPercent: channel.breaker.successPercent ?? 0,
      leastOrders: channel.breaker.leastOrders,
      minutes: channel.breaker.minutes,
      pauseSeconds: channel.breaker.pauseSeconds,
    },
    depositCounts: deposits,
    texts: {
      contactMobile: deposits.contactMobile ?? '',
      contactEmail: deposits.contactEmail ?? '',
      accountId: deposits.accountId ?? '',
    },
    beforeAccounts: deposits.beforeAccounts,
    acceptsContact: deposits.acceptsContact,
    confirmRefusals: channel.confirmRefusals,
    walletKind: deposits.walletKind ?? null,
    mockOpening: deposits.mockOpening ?? null,
    mockAmounts: deposits.mockAmounts.map(({ amount, outcome }) => `${amount} ${outcome}`).join('\n'),
    banks: channel.banks.map((bank) => `${bank.currencyCode} ${bank.bankCode} ${bank.channelBankCode}`).join('\n'),
    baseUrl: channel.baseUrl ?? '',
    keyId: channel.keyId ?? '',
    secret: '',
  };
};

const linesOf = (text: string): readonly string[][] =>
  text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([first]) => first !== '');

/** The invalid lines. */
export function problemOf({ mockAmounts, banks }: Draft): string | null {
  const amount = linesOf(mockAmounts).find(
    ([, outcome, ...more]) => more.length > 0 || !AMOUNT_OUTCOMES.some((one) => one === outcome),
  );
  if (amount) return `“${amount.join(' ')}” is not an amount and an outcome`;
  const bank = linesOf(banks).find((words) => words.length !== 3);
  return bank ? `“${bank.join(' ')}” is not a currency, our code and its code` : null;
}

/** The complete input of the form: 0 clears a limit, "" a text. */
export function settingsOf(draft: Draft, kind: ChannelKind): ChannelSettingsInput {
  const { amounts, numbers, texts } = draft;
  const limit = (text: string): string => (text === '' ? '0' : text);
  const mock = kind === 'MOCK';
  return {
    name: draft.name.trim(),
    timeZone: draft.timeZone.trim(),
    currencies: [...draft.currencies],
    minAmount: limit(amounts.minAmount),
    maxAmount: limit(amounts.maxAmount),
    lowBalance: limit(amounts.lowBalance),
    priority: numbers.priority,
    weight: numbers.weight,
    timeoutSeconds: numbers.timeoutSeconds,
    failureFinalDelaySeconds: numbers.failureFinalDelaySeconds,
    answerWithinSeconds: numbers.answerWithinSeconds,
    confirmRefusals: draft.confirmRefusals,
    breaker: draft.breaker,
    cost: { percent: amounts.costPercent, fixed: amounts.costFixed },
    banks: linesOf(draft.banks).map(([currencyCode = '', bankCode = '', channelBankCode = '']) => ({
      currencyCode,
      bankCode,
      channelBankCode,
    })),
    ...(draft.secret !== '' && {
      address: { baseUrl: draft.baseUrl, keyId: draft.keyId, secret: draft.secret },
    }),
    deposits: {
      currencies: [...draft.depositCurrencies],
      minAmount: limit(amounts.depositMin),
      maxAmount: limit(amounts.depositMax),
      maxDailyAmount: limit(amounts.depositDaily),
      maxMonthlyAmount: limit(amounts.depositMonthly),
      maxDailyCount: draft.depositCounts.maxDailyCount ?? 0,
      maxMonthlyCount: draft.depositCounts.maxMonthlyCount ?? 0,
      beforeAccounts: draft.beforeAccounts,
      cost: { percent: amounts.depositPercent, fixed: amounts.depositFixed },
      acceptsContact: draft.acceptsContact,
      ...texts,
      ...(draft.walletKind && { walletKind: draft.walletKind }),
      ...(mock && {
        ...(draft.mockOpening && { mockOpening: draft.mockOpening }),
        mockAmounts: linesOf(draft.mockAmounts).map(([amount = '', outcome = '']) => ({
          amount,
          outcome: outcome as MockDepositOutcome,
        })),
      }),
    },
  };
}
