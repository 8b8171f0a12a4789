import { words } from '../../domain/words';

/**
 * `deposit_completed` and `WAITING_RETRY` as words: "Deposit completed", "Waiting retry"; `available.THB`: "Available
 * THB".
 */
export function inWords(name: string): string {
  const text = words(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What an unset bound means. */
export const NO_LIMIT = 'no limit';

/** What it means where nothing is set, of fields for which "not set" would not tell. */
const WHERE_UNSET: Readonly<Record<string, string>> = {
  accountId: 'all accounts',
  accountIds: 'all accounts',
  allowedAddresses: 'any address',
  allowlistedUpTo: 'as for others',
  approveLimits: NO_LIMIT,
  approvedUpTo: 'never: each waits for an operator',
  autoApproveUpTo: 'never: a person always decides',
  bankCode: 'any bank',
  breaker: 'never passed over',
  callbackHosts: 'any host',
  channelId: 'all channels',
  channelIds: 'no channel',
  depositFee: 'no fee',
  effectiveFrom: 'at once',
  expiresAt: 'never',
  hours: 'at any time',
  keep: 'nothing',
  lowBalance: 'never alerts',
  mails: 'nobody',
  merchantId: 'all merchants',
  merchantIds: 'all merchants',
  mockAmounts: 'any amount',
  payerTiers: 'all payers',
  quietHours: 'none',
  silentMinutes: 'by default',
  tiers: 'none',
  twoPeopleAbove: 'never two people',
  velocity: NO_LIMIT,
  walletKind: 'all kinds',
  walletKinds: 'all kinds',
  withdrawalFee: 'no fee',
};

/** The names in words of fields that bound something. */
const BOUND = /\b(min|max)(imum)?\b|limit|ceiling|(orders|amount|count)$/i;

/**
 * The meaning of an empty field of a change, for the approver: "no limit".
 * @param field may be a path, such as `hours.merchantIds`: its last part that is known counts
 */
export function unsetInWords(field: string): string {
  const parts = field.split('.').reverse();
  const known = parts.find((part) => part in WHERE_UNSET);
  if (known !== undefined) return WHERE_UNSET[known] ?? '';
  return parts.some((part) => BOUND.test(inWords(part))) ? NO_LIMIT : 'not set';
}

/** "1 deposit", "3 deposits". */
export const count = (n: number, one: string, many = `${one}s`): string => `${String(n)} ${n === 1 ? one : many}`;

/** Indents JSON; returns any other text unchanged. */
export function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
