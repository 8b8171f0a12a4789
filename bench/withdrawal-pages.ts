import type { PageKind, Pick } from './list-pages';

const page = (
  name: string,
  operation: string,
  filter: (pick: Pick) => Record<string, unknown> = () => ({}),
  more: { readonly sort?: string; readonly deep?: boolean } = {},
): PageKind => ({
  name,
  operation,
  variables: (pick) => ({ filter: filter(pick), ...(more.sort && { sort: more.sort }) }),
  ...(more.deep && { deep: true }),
});

const DEEP = { deep: true };

/** The lists of the rows that `loadWithdrawals` adds, as people use them. */
export const WITHDRAWAL_PAGES: readonly PageKind[] = [
  page('withdrawals: first page', 'Withdrawals'),
  page('withdrawals: deep page', 'Withdrawals', () => ({}), DEEP),
  page('withdrawals: PENDING', 'Withdrawals', () => ({ status: ['PENDING'] })),
  page('withdrawals: FAILED, of which there is none', 'Withdrawals', () => ({
    status: ['FAILED'],
  })),
  page('withdrawals: that need a person', 'Withdrawals', () => ({ needsManualIntervention: true })),
  page('withdrawals: of a merchant', 'Withdrawals', (pick) => ({ merchantId: [pick.merchant()] })),
  page('withdrawals: of a small merchant, PENDING', 'Withdrawals', (pick) => ({
    merchantId: [pick.smallMerchant()],
    status: ['PENDING'],
  })),
  page('withdrawals: to a beneficiary', 'Withdrawals', (pick) => ({
    beneficiaryAccount: `A${pick.below(20_000)}`,
  })),
  page('withdrawals: a day', 'Withdrawals', (pick) => ({ createdAt: pick.day() })),
  page('withdrawals: completed on a day', 'Withdrawals', (pick) => ({ completedAt: pick.day() })),
  page('withdrawals: settlements, of which there is none', 'Withdrawals', () => ({
    origin: 'SETTLEMENT',
  })),
  page('withdrawals: by amount, deep', 'Withdrawals', () => ({}), { ...DEEP, sort: 'AMOUNT_DESC' }),

  page('sessions: first page', 'CashierSessions'),
  page('sessions: deep page', 'CashierSessions', () => ({}), DEEP),
  page('sessions: PENDING', 'CashierSessions', () => ({ status: ['PENDING'] })),
  page('sessions: of a merchant', 'CashierSessions', (pick) => ({
    merchantId: [pick.merchant()],
  })),
  page('sessions: PENDING of a small merchant', 'CashierSessions', (pick) => ({
    merchantId: [pick.smallMerchant()],
    status: ['PENDING'],
  })),
  page('sessions: of a user', 'CashierSessions', (pick) => ({
    userId: `user-${pick.below(1_000)}`,
  })),

  page('claims: that wait', 'PaymentClaims', () => ({ open: true })),
  page('claims: of a merchant', 'PaymentClaims', (pick) => ({
    open: true,
    merchantId: [pick.smallMerchant()],
  })),
  page('claims: that wait no more', 'PaymentClaims', () => ({ open: false })),

  page('alerts: first page', 'Alerts'),
  page('alerts: that wait', 'Alerts', () => ({ open: true })),
  page('alerts: of a merchant', 'Alerts', (pick) => ({ merchantId: [pick.merchant()] })),
];
