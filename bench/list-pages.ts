import type { Loaded, Sample } from './past';

/** A kind of page, such as the first of a list or one far down. */
export interface PageKind {
  readonly name: string;
  readonly operation: string;
  /** Different variables, like those of different people. */
  readonly variables: (pick: Pick) => Record<string, unknown>;
  /** The page is this many pages further down. */
  readonly deep?: boolean;
}

/** Draws from the loaded rows. */
export interface Pick {
  readonly now: Date;
  merchant(): string;
  /** One of the small merchants. */
  smallMerchant(): string;
  account(): string;
  sample(): Sample;
  /** A day within the loaded rows. */
  day(): { from: Date; to: Date };
  below(count: number): number;
}

const DAY_MS = 86_400_000;

/** Draws the same values in every run. @param random 0 up to 1 */
export function pickFrom(loaded: Loaded, now: Date, days: number, random: () => number): Pick {
  const below = (count: number): number => Math.floor(random() * count);
  const of = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const small = loaded.merchantIds.slice(Math.floor(loaded.merchantIds.length / 2));
  return {
    now,
    below,
    merchant: () => of(loaded.merchantIds),
    smallMerchant: () => of(small),
    account: () => of(loaded.accountIds),
    sample: () => of(loaded.samples),
    day: () => {
      const from = new Date(now.getTime() - (1 + below(days - 1)) * DAY_MS);
      return { from, to: new Date(from.getTime() + DAY_MS) };
    },
  };
}

const deposits = (
  what: string,
  filter: (pick: Pick) => Record<string, unknown>,
  more: { readonly sort?: string; readonly deep?: boolean } = {},
): PageKind => ({
  name: `deposits: ${what}`,
  operation: 'Deposits',
  variables: (pick) => ({ filter: filter(pick), ...(more.sort && { sort: more.sort }) }),
  ...(more.deep && { deep: true }),
});

const page = (
  name: string,
  operation: string,
  variables: (pick: Pick) => Record<string, unknown>,
  deep?: boolean,
): PageKind => ({ name, operation, variables, ...(deep && { deep: true }) });

const search = (what: string, text: (sample: Sample, pick: Pick) => string): PageKind =>
  page(`search: ${what}`, 'Search', (pick) => ({ text: text(pick.sample(), pick) }));

/** Every list, as people use it. */
export const PAGES: readonly PageKind[] = [
  deposits('first page', () => ({})),
  deposits('deep page', () => ({}), { deep: true }),
  deposits('PENDING', () => ({ status: ['PENDING'] })),
  deposits('MATCHED', () => ({ status: ['MATCHED'] })),
  deposits('COMPLETED', () => ({ status: ['COMPLETED'] })),
  deposits('FAILED', () => ({ status: ['FAILED'] })),
  deposits('CANCELLED or FAILED, deep', () => ({ status: ['CANCELLED', 'FAILED'] }), {
    deep: true,
  }),
  deposits('of a merchant', (pick) => ({ merchantId: pick.merchant() })),
  deposits('of a merchant, deep', (pick) => ({ merchantId: pick.merchant() }), { deep: true }),
  deposits('of two small merchants', (pick) => ({
    merchantId: [pick.smallMerchant(), pick.smallMerchant()],
  })),
  deposits('of a merchant, CANCELLED', (pick) => ({
    merchantId: pick.merchant(),
    status: ['CANCELLED'],
  })),
  deposits('of a merchant on an account', (pick) => ({
    merchantId: pick.merchant(),
    accountId: pick.account(),
  })),
  deposits('on an account', (pick) => ({ accountId: pick.account() })),
  deposits('on an account, a day', (pick) => ({
    accountId: pick.account(),
    createdAt: pick.day(),
  })),
  deposits('in another currency', () => ({ currencyCode: ['INR'] })),
  deposits('in no currency that is there', () => ({ currencyCode: ['USD'] })),
  deposits('a day', (pick) => ({ createdAt: pick.day() })),
  deposits('completed on a day', (pick) => ({ completedAt: pick.day() })),
  deposits('expiring on a day', (pick) => ({ expireAt: pick.day(), status: ['EXPIRED'] })),
  deposits('of an amount', (pick) => {
    const { amount } = pick.sample();
    return { amount: { min: amount, max: amount } };
  }),
  deposits('of large amounts', () => ({ amount: { min: '45000' } })),
  deposits('of an amount on a day', (pick) => ({
    amount: { min: '990', max: '1010' },
    createdAt: pick.day(),
  })),
  deposits('of a user', (pick) => ({ userId: pick.sample().userId ?? 'user-1' })),
  deposits('of nobody', () => ({ userId: 'nobody' })),
  deposits('by last four', (pick) => ({ payerAccountLast4: pick.sample().last4 ?? '0000' })),
  deposits('callback FAILED', () => ({ callbackStatus: ['FAILED'] })),
  deposits('callback waiting', () => ({ callbackStatus: ['WAITING_RETRY', 'SENDING'] })),
  deposits('callback FAILED of a merchant', (pick) => ({
    callbackStatus: ['FAILED'],
    merchantId: pick.merchant(),
  })),
  deposits('by amount', () => ({}), { sort: 'AMOUNT_DESC' }),
  deposits('by amount, deep', () => ({}), { sort: 'AMOUNT_ASC', deep: true }),
  deposits('by completion, deep', () => ({}), { sort: 'COMPLETED_AT_DESC', deep: true }),
  deposits('by expiry', () => ({}), { sort: 'EXPIRE_AT_ASC' }),
  page('deposits: count, a status', 'CountDeposits', () => ({ filter: { status: ['CANCELLED'] } })),
  page('deposits: last page', 'Deposits', () => ({ last: 50 })),

  page('transfers: first page', 'BankTransfers', () => ({})),
  page('transfers: deep page', 'BankTransfers', () => ({}), true),
  page('transfers: on an account', 'BankTransfers', (pick) => ({
    filter: { accountId: pick.account() },
    sort: 'BANK_TIME_DESC',
  })),
  page('transfers: on an account, a day', 'BankTransfers', (pick) => ({
    filter: { accountId: pick.account(), bankTime: pick.day() },
  })),
  page('transfers: of an amount', 'BankTransfers', (pick) => {
    const { amount } = pick.sample();
    return { filter: { amount: { min: amount, max: amount } } };
  }),
  page('transfers: of a source', 'BankTransfers', (pick) => ({
    filter: { source: `agent:${pick.account()}` },
  })),
  page('transfers: unmatched', 'UnmatchedTransfers', () => ({})),
  page('transfers: unmatched, deep', 'UnmatchedTransfers', () => ({}), true),
  page('transfers: unmatched on an account', 'UnmatchedTransfers', (pick) => ({
    filter: { accountId: pick.account() },
  })),

  page('debits: first page', 'BankDebits', () => ({})),
  page('debits: deep page', 'BankDebits', () => ({}), true),
  page('debits: on an account', 'BankDebits', (pick) => ({
    filter: { accountId: pick.account() },
  })),
  page('debits: that wait, a day', 'BankDebits', (pick) => ({
    filter: { explained: false, receivedAt: pick.day() },
  })),
  page('debits: that wait', 'BankDebits', () => ({ filter: { explained: false } })),

  page('callbacks: first page', 'Callbacks', () => ({})),
  page('callbacks: deep page', 'Callbacks', () => ({}), true),
  page('callbacks: FAILED', 'Callbacks', () => ({ filter: { status: ['FAILED'] } })),
  page('callbacks: FAILED of a merchant', 'Callbacks', (pick) => ({
    filter: { status: ['FAILED'], merchantId: pick.merchant() },
  })),
  page('callbacks: of two merchants', 'Callbacks', (pick) => ({
    filter: { merchantId: [pick.merchant(), pick.smallMerchant()] },
  })),
  page('callbacks: a day', 'Callbacks', (pick) => ({ filter: { createdAt: pick.day() } })),
  page('callbacks: of a type', 'Callbacks', () => ({
    filter: { notificationType: ['deposit_completed'] },
  })),

  page('ledger: first page', 'LedgerEntries', () => ({})),
  page('ledger: deep page', 'LedgerEntries', () => ({}), true),
  page('ledger: of a merchant', 'LedgerEntries', (pick) => ({
    filter: { merchantId: pick.merchant() },
  })),
  page('ledger: of a merchant, a day, a currency', 'LedgerEntries', (pick) => ({
    filter: { merchantId: pick.merchant(), currencyCode: ['THB'], at: pick.day() },
  })),
  page('ledger: suspense, credits', 'LedgerEntries', () => ({
    filter: { account: ['suspense'], type: ['DEPOSIT_CREDIT'] },
  })),

  page('merchants: first page', 'Merchants', () => ({})),
  page('merchants: disabled, by name', 'Merchants', () => ({
    filter: { enabled: false },
    sort: 'NAME_ASC',
  })),
  page('merchants: by how the code begins', 'Merchants', (pick) => ({
    filter: { merchantCodePrefix: `MERCHANT-0${pick.below(5)}` },
  })),
  page('accounts: with today’s use', 'BankAccounts', () => ({})),
  page('agent keys', 'AgentKeys', () => ({})),
  page('parked outbox rows', 'ParkedOutboxRows', () => ({})),

  search('gateway number', ({ orderNo }) => orderNo),
  search('beginning of a gateway number', ({ orderNo }) => orderNo.slice(0, 12)),
  search('merchant number', ({ merchantOrderNo }) => merchantOrderNo),
  search('beginning of a merchant number', ({ merchantOrderNo }) => merchantOrderNo.slice(0, 8)),
  search('remark', ({ remark }) => remark.toLowerCase()),
  search('bank reference', (_sample, pick) => `FT${(2_000_000_000 + pick.below(10_000) * 104_729).toString(36)}`),
  search('user', ({ userId }) => userId ?? 'user-7'),
  search('last four', ({ last4 }) => last4 ?? '1234'),
  search('amount', ({ amount }) => amount),
  search('merchant', () => 'MERCHANT-0007'),
  search('merchant’s name', () => 'orchid'),
  search('nothing', (_sample, pick) => `nothing-${pick.below(1_000)}`),
];
