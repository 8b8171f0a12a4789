import type {
  WithdrawalFilter,
  WithdrawalRowFragment,
  WithdrawalSort,
  WithdrawalStatus,
} from '../../generated/operations';
import { listOf, textsOf } from '../../parts/filters';
import type { Sort } from '../../parts/table';
import type { UrlState } from '../../parts/url';

/** In the order of an order's life. */
export const WITHDRAWAL_STATUSES: readonly WithdrawalStatus[] = [
  'PENDING',
  'APPROVED',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
];

/** In place of a status: whatever it is. */
export const EVERY_STATUS = 'ALL';

/** The filters by their names in the URL. */
export const WITHDRAWAL_FILTERS = [
  'status',
  'merchant',
  'currency',
  'min',
  'max',
  'beneficiary',
  'only',
] as const;

/** What else may be asked for, one at a time. */
export const ONLY = {
  mine: 'Claimed by me',
  overdue: 'Overdue',
  intervention: 'Needs a person',
} as const;

/** What the URL asks for, as the API takes it: what waits for a decision, unless it says otherwise. */
export function filterOf(url: UrlState): WithdrawalFilter {
  const [min, max] = [url.get('min'), url.get('max')];
  const only = url.get('only');
  // What needs a person is APPROVED, so there the usual status would hide all of it.
  const status = url.get('status') ?? (only === 'intervention' ? EVERY_STATUS : 'PENDING');
  return {
    status: WITHDRAWAL_STATUSES.filter((one) => one === status || status === EVERY_STATUS),
    merchantId: textsOf(listOf(url, 'merchant')),
    currencyCode: textsOf(listOf(url, 'currency')),
    amount: min === null && max === null ? null : { min, max },
    beneficiaryAccount: url.get('beneficiary'),
    mine: only === 'mine' ? true : null,
    overdue: only === 'overdue' ? true : null,
    needsManualIntervention: only === 'intervention' ? true : null,
  };
}

/** Whether a row of just now would be in the list, as far as the row tells; the rest is left to the platform. */
export const fits = (row: WithdrawalRowFragment, filter: WithdrawalFilter): boolean =>
  (filter.status?.includes(row.status) ?? true) &&
  (filter.merchantId?.includes(row.merchant.id) ?? true) &&
  (filter.currencyCode?.includes(row.currencyCode) ?? true) &&
  (filter.needsManualIntervention == null || row.needsManualIntervention);

/** How the list is sorted: what has waited longest first, unless the URL says otherwise. */
export function sortOf(url: UrlState): Sort {
  const text = url.get('sort') ?? 'createdAt';
  return {
    by: text.endsWith('amount') ? 'amount' : 'createdAt',
    descending: text.startsWith('-'),
  };
}

/** The same as the API calls it. */
export const sortName = ({ by, descending }: Sort): WithdrawalSort =>
  `${by === 'amount' ? 'AMOUNT' : 'CREATED_AT'}_${descending ? 'DESC' : 'ASC'}`;
