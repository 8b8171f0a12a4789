import type {
  DepositFilter,
  DepositRowFragment,
  DepositSort,
  DepositStatus,
  CallbackStatus,
} from '../../generated/operations';
import { listOf, someOf, textsOf } from '../../parts/filters';
import type { Sort } from '../../parts/table';
import type { UrlState } from '../../parts/url';

/** In the order of the life cycle. */
export const DEPOSIT_STATUSES: readonly DepositStatus[] = [
  'PENDING',
  'MATCHED',
  'COMPLETED',
  'EXPIRED',
  'CANCELLED',
  'FAILED',
];

export const CALLBACK_STATUSES: readonly CallbackStatus[] = ['WAITING_RETRY', 'SENDING', 'SUCCESS', 'FAILED'];

/** The filters by their names in the URL. */
export const DEPOSIT_FILTERS = [
  'status',
  'merchant',
  'account',
  'currency',
  'callback',
  'min',
  'max',
  'from',
  'to',
  'user',
  'last4',
] as const;

const range = <Name extends string>(url: UrlState, low: Name, high: Name): [string | null, string | null] | null => {
  const ends: [string | null, string | null] = [url.get(low), url.get(high)];
  return ends.every((end) => end === null) ? null : ends;
};

/** The URL's filter as the API takes it. */
export function filterOf(url: UrlState): DepositFilter {
  const amount = range(url, 'min', 'max');
  const created = range(url, 'from', 'to');
  return {
    status: someOf(listOf(url, 'status'), DEPOSIT_STATUSES),
    merchantId: textsOf(listOf(url, 'merchant')),
    accountId: textsOf(listOf(url, 'account')),
    currencyCode: textsOf(listOf(url, 'currency')),
    callbackStatus: someOf(listOf(url, 'callback'), CALLBACK_STATUSES),
    amount: amount && { min: amount[0], max: amount[1] },
    createdAt: created && { from: created[0], to: created[1] },
    userId: url.get('user'),
    payerAccountLast4: url.get('last4'),
  };
}

/** Whether a changed row matches the filters that can be checked here; amounts are not checked. */
export function fits(row: DepositRowFragment, filter: DepositFilter): boolean {
  const among = (some: readonly string[] | null | undefined, value: string | null): boolean =>
    some == null || (value !== null && some.includes(value));
  const created = Date.parse(row.createdAt);
  const { from, to } = filter.createdAt ?? {};
  return (
    among(filter.status, row.status) &&
    among(filter.merchantId, row.merchant.id) &&
    among(filter.accountId, row.account?.id ?? null) &&
    among(filter.currencyCode, row.currencyCode) &&
    among(filter.callbackStatus, row.callbackStatus) &&
    (filter.userId == null || filter.userId === row.userId) &&
    (filter.payerAccountLast4 == null || filter.payerAccountLast4 === row.payerAccountLast4) &&
    (from == null || created >= Date.parse(from)) &&
    (to == null || created < Date.parse(to))
  );
}

const SORTS: Readonly<Record<string, string>> = {
  createdAt: 'CREATED_AT',
  amount: 'AMOUNT',
  completedAt: 'COMPLETED_AT',
  expireAt: 'EXPIRE_AT',
};

/** The list's sort: the URL's column, with a minus for descending. */
export function sortOf(url: UrlState): Sort {
  const text = url.get('sort') ?? '-createdAt';
  const by = text.replace(/^-/, '');
  return by in SORTS ? { by, descending: text.startsWith('-') } : { by: 'createdAt', descending: true };
}

/** The API's name of it. */
export const sortName = ({ by, descending }: Sort): DepositSort =>
  `${SORTS[by] ?? 'CREATED_AT'}_${descending ? 'DESC' : 'ASC'}` as DepositSort;
