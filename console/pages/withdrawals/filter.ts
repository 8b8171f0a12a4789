import type {
  WithdrawalFilter,
  WithdrawalRowFragment,
  WithdrawalSort,
  WithdrawalStatus,
} from '../../generated/operations';
import { listOf, textsOf } from '../../parts/filters';
import type { Sort } from '../../parts/table';
import type { UrlState } from '../../parts/url';

/** In the order of the life cycle. */
export const WITHDRAWAL_STATUSES: readonly WithdrawalStatus[] = [
  'PENDING',
  'APPROVED',
  'COMPLETED',
  'REJECTED',
  'FAILED',
  'CANCELLED',
];

/** Stands for every status. */
export const EVERY_STATUS = 'ALL';

/** The filters by their names in the URL. */
export const WITHDRAWAL_FILTERS = ['status', 'merchant', 'currency', 'min', 'max', 'beneficiary', 'only'] as const;

/** Further filters, one at a time. */
export const ONLY = {
  mine: 'Claimed by me',
  overdue: 'Overdue',
  intervention: 'Needs a person',
} as const;

/** The URL's filter as the API takes it; by default what waits for a decision. */
export function filterOf(url: UrlState): WithdrawalFilter {
  const [min, max] = [url.get('min'), url.get('max')];
  const only = url.get('only');
  // Withdrawals that need a person are APPROVED, which the default status would hide.
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

/** Whether a changed row matches the filters that can be checked here. */
export const fits = (row: WithdrawalRowFragment, filter: WithdrawalFilter): boolean =>
  (filter.status?.includes(row.status) ?? true) &&
  (filter.merchantId?.includes(row.merchant.id) ?? true) &&
  (filter.currencyCode?.includes(row.currencyCode) ?? true) &&
  (filter.needsManualIntervention == null || row.needsManualIntervention);

/** The list's sort; by default the longest waiting first. */
export function sortOf(url: UrlState): Sort {
  const text = url.get('sort') ?? 'createdAt';
  return {
    by: text.endsWith('amount') ? 'amount' : 'createdAt',
    descending: text.startsWith('-'),
  };
}

/** The API's name of it. */
export const sortName = ({ by, descending }: Sort): WithdrawalSort =>
  `${by === 'amount' ? 'AMOUNT' : 'CREATED_AT'}_${descending ? 'DESC' : 'ASC'}`;
