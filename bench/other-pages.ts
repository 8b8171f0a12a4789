import type { PageKind, Pick } from './list-pages';

type Filter = (pick: Pick) => Record<string, unknown>;

const page = (
  name: string,
  operation: string,
  filter: Filter = () => ({}),
  more: { readonly deep?: boolean; readonly sort?: string } = {},
): PageKind => ({
  name,
  operation,
  variables: (pick) => ({ filter: filter(pick), ...(more.sort && { sort: more.sort }) }),
  ...(more.deep && { deep: true }),
});

const DEEP = { deep: true };
const TASKS = { sort: 'CREATED_AT_ASC' };
const thisMerchant: Filter = (pick) => ({ merchantId: [pick.smallMerchant()] });

/** A day of one merchant in the zone of its books. */
const totals: Filter = (pick) => ({ ...pick.day(), merchantId: [pick.merchant()] });

/** A file of few rows. A long one is read like the pages of its list. */
const file = (noun: string, operation: string, sort: string, filter: Filter): PageKind => ({
  name: `exports: ${noun}`,
  operation,
  variables: (pick) => ({ reason: 'bench', sort, filter: filter(pick) }),
});

/** The lists of the rows that `loadOthers` adds, the files, and the work that waits for people. */
export const OTHER_PAGES: readonly PageKind[] = [
  page('changes: first page', 'ChangeRequests'),
  page('changes: deep page', 'ChangeRequests', () => ({}), DEEP),
  page('changes: that wait', 'ChangeRequests', () => ({ status: ['PROPOSED'] })),
  page('changes: of a merchant', 'ChangeRequests', thisMerchant),
  page('recalls: first page', 'ChangeRequests', () => ({ kind: ['RECALL_DEPOSIT'] })),
  page('recalls: deep page', 'ChangeRequests', () => ({ kind: ['RECALL_DEPOSIT'] }), DEEP),
  page('recalls: that wait', 'ChangeRequests', () => ({
    kind: ['RECALL_DEPOSIT'],
    status: ['PROPOSED'],
  })),
  page('recalls: of a merchant', 'ChangeRequests', (pick) => ({
    kind: ['RECALL_DEPOSIT'],
    merchantId: [pick.smallMerchant()],
  })),
  page('returns: first page', 'PayerReturns'),
  page('returns: deep page', 'PayerReturns', () => ({}), DEEP),
  page('returns: OPEN', 'PayerReturns', () => ({ status: ['OPEN'] })),
  page('returns: of a merchant', 'PayerReturns', thisMerchant),
  page('postings: first page', 'OperatorPostings'),
  page('postings: of a kind', 'OperatorPostings', () => ({ kind: ['LATE_CREDIT'] })),
  page('postings: of a merchant', 'OperatorPostings', thisMerchant),
  page('late money: first page', 'LateReceipts'),
  page('late money: that waits', 'LateReceipts', () => ({ waits: true })),
  page('late money: of a merchant', 'LateReceipts', thisMerchant),
  page('commissions: first page', 'Commissions'),
  page('commissions: deep page', 'Commissions', () => ({}), DEEP),
  page('commissions: of a merchant', 'Commissions', thisMerchant),
  page('commissions: taken back', 'Commissions', () => ({ reversed: true })),
  page('log: first page', 'AuditLog'),
  page('log: deep page', 'AuditLog', () => ({}), DEEP),
  page('log: of an action', 'AuditLog', () => ({ action: ['matchTransfer'] })),
  page('log: a day', 'AuditLog', (pick) => ({ at: pick.day() })),
  page('deliveries: first page', 'EventDeliveries'),
  page('deliveries: FAILED', 'EventDeliveries', () => ({ status: ['FAILED'] })),
  page('deliveries: of a merchant', 'EventDeliveries', thisMerchant),
  page('statements: first page', 'BankStatements'),
  page('statements: of an account', 'BankStatements', (pick) => ({ accountId: [pick.account()] })),
  page('days: first page', 'DayCloses'),
  page('runs: first page', 'SettlementRuns'),
  page('runs: of a merchant', 'SettlementRuns', thisMerchant),
  page('settlements: of a merchant', 'Settlements', (pick) => ({
    origin: 'SETTLEMENT',
    merchantId: [pick.smallMerchant()],
  })),

  page('workbench: transfer tasks', 'TransferTasks', () => ({ payoutMethod: ['MANUAL'], status: ['APPROVED'] }), TASKS),
  page('workbench: interventions', 'Interventions', () => ({ needsManualIntervention: true }), TASKS),
  page('workbench: overdue decisions', 'Withdrawals', () => ({ status: ['PENDING'], overdue: true }), TASKS),
  { name: 'workbench: queues', operation: 'Queues', variables: () => ({}) },
  { name: 'workbench: health', operation: 'HealthBoard', variables: () => ({}) },
  page('totals: deposits of a day', 'DepositTotals', totals),
  page('totals: withdrawals of a day', 'WithdrawalTotals', totals),
  page('totals: trial balance', 'TrialBalance'),

  file('deposits', 'ExportDeposits', 'CREATED_AT_DESC', (pick) => ({
    createdAt: pick.day(),
    merchantId: [pick.smallMerchant()],
  })),
  file('withdrawals', 'ExportWithdrawals', 'CREATED_AT_DESC', (pick) => ({
    createdAt: pick.day(),
    merchantId: [pick.smallMerchant()],
  })),
  file('transfers', 'ExportBankTransfers', 'BANK_TIME_DESC', (pick) => ({
    bankTime: pick.day(),
    accountId: [pick.account()],
    unmatched: true,
  })),
  file('ledger', 'ExportLedgerEntries', 'AT_DESC', (pick) => ({
    at: pick.day(),
    merchantId: [pick.smallMerchant()],
  })),
];
