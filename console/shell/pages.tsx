import type { ReactNode } from 'react';
import { OIDC_PATH } from '../client/single-sign-on';
import { may } from '../client/permission';
import type { Me } from '../client/session';
import type { QueuesChangedSubscription } from '../generated/operations';
import { AccountsPage } from '../pages/accounts/accounts';
import { AlertsPage } from '../pages/alerts/alerts';
import { AuditPage } from '../pages/audit/audit';
import { BanksPage } from '../pages/banks/banks';
import { BeneficiariesPage } from '../pages/beneficiaries/beneficiaries';
import { BillingStatementPage } from '../pages/billing/statement';
import { BillingPage } from '../pages/billing/statements';
import { ClaimsPage } from '../pages/cashier/claims';
import { CashierSessionPage } from '../pages/cashier/session';
import { CashierSessionsPage } from '../pages/cashier/sessions';
import { ChangePage } from '../pages/changes/change';
import { ChangesPage } from '../pages/changes/changes';
import { ClosesPage } from '../pages/closes/closes';
import { DebitsPage } from '../pages/debits/debits';
import { DepositPage } from '../pages/deposits/deposit';
import { DepositsPage } from '../pages/deposits/deposits';
import { HealthPage } from '../pages/health/health';
import { ForgotPage } from '../pages/public/forgot';
import { InvitationPage } from '../pages/public/invitation';
import { OidcPage } from '../pages/public/oidc';
import { ResetPage } from '../pages/public/reset';
import { InterventionsPage } from '../pages/interventions/interventions';
import { MarginPage } from '../pages/margin/margin';
import { LateMoneyPage } from '../pages/late/late';
import { LedgerPage } from '../pages/ledger/ledger';
import { MappingPage } from '../pages/mappings/mapping';
import { MerchantPage } from '../pages/merchants/merchant';
import { MerchantsPage } from '../pages/merchants/merchants';
import { OperatorPage } from '../pages/operators/operator';
import { OperatorsPage } from '../pages/operators/operators';
import { ChannelPage } from '../pages/channels/channel';
import { ChannelsPage } from '../pages/channels/channels';
import { OutboxPage } from '../pages/outbox/outbox';
import { RoutingPage } from '../pages/routing/routing';
import { CallbacksPage } from '../pages/callbacks/callbacks';
import { EventsPage } from '../pages/events/events';
import { PayerListsPage } from '../pages/payers/lists';
import { PayerRulesPage } from '../pages/payers/rules';
import { PoolsPage } from '../pages/pools/pools';
import { ResellerPage } from '../pages/resellers/reseller';
import { ResellersPage } from '../pages/resellers/resellers';
import { PostingPage } from '../pages/postings/posting';
import { PostingsPage } from '../pages/postings/postings';
import { RecoveryPage } from '../pages/recovery/recovery';
import { ReturnPage } from '../pages/returns/return';
import { ReturnsPage } from '../pages/returns/returns';
import { ReviewPage } from '../pages/review/review';
import { RolesPage } from '../pages/roles/roles';
import { SecurityPage } from '../pages/security/security';
import { SettlementsPage } from '../pages/settlements/settlements';
import { StatementsPage } from '../pages/statements/statements';
import { TasksPage } from '../pages/tasks/tasks';
import { UnmatchedPage } from '../pages/unmatched/unmatched';
import { WithdrawalPage } from '../pages/withdrawals/withdrawal';
import { WithdrawalsPage } from '../pages/withdrawals/withdrawals';
import type { IconName } from '../parts/icons';

/** Counts of waiting work. */
export type Queues = QueuesChangedSubscription['queuesChanged'];

/** The groups of the navigation, in order. */
export const NAV_GROUPS = ['money', 'parties', 'people'] as const;

/** A page of the console. */
export interface Place {
  readonly path: string;
  /** Its entry in the navigation; a page without is reached from others. */
  readonly nav?: {
    readonly group: (typeof NAV_GROUPS)[number];
    readonly title: string;
    readonly icon: IconName;
    /** The count of its badge; null if this operator has none. */
    readonly waiting?: (queues: Queues) => number | null;
  };
  readonly page: ReactNode;
  /** Whether the operator may open it. */
  readonly open: (me: Me) => boolean;
}

const viewers = (me: Me): boolean => may(me, 'VIEW');
/** An unmatched bank credit belongs to no merchant: hidden from operators restricted to merchants. */
const unrestrictedViewers = (me: Me): boolean => may(me, 'VIEW') && me.merchantIds === null;
/** Operators restricted to merchants manage no others. */
const admins = (me: Me): boolean => may(me, 'ADMIN') && me.merchantIds === null;

/** Every page, in the order of the navigation. A new page needs a folder below pages/ and a line here. */
export const PLACES: readonly Place[] = [
  {
    path: '/deposits',
    nav: { group: 'money', title: 'Deposits', icon: 'deposit' },
    page: <DepositsPage />,
    open: viewers,
  },
  { path: '/deposits/:orderNo', page: <DepositPage />, open: viewers },
  {
    path: '/withdrawals',
    nav: {
      group: 'money',
      title: 'Withdrawals',
      icon: 'withdrawal',
      waiting: ({ pendingWithdrawals }) => pendingWithdrawals,
    },
    page: <WithdrawalsPage />,
    open: viewers,
  },
  { path: '/withdrawals/:orderNo', page: <WithdrawalPage />, open: viewers },
  {
    path: '/tasks',
    nav: {
      group: 'money',
      title: 'Manual payouts',
      icon: 'send',
      waiting: ({ manualTasks }) => manualTasks,
    },
    page: <TasksPage />,
    open: viewers,
  },
  {
    path: '/interventions',
    nav: {
      group: 'money',
      title: 'Interventions',
      icon: 'alert',
      waiting: ({ interventions }) => interventions,
    },
    page: <InterventionsPage />,
    open: viewers,
  },
  {
    path: '/recovery',
    nav: { group: 'money', title: 'Recovery', icon: 'refresh' },
    page: <RecoveryPage />,
    open: unrestrictedViewers,
  },
  {
    path: '/settlements',
    nav: { group: 'money', title: 'Settlements', icon: 'settlement' },
    page: <SettlementsPage />,
    open: viewers,
  },
  {
    path: '/billing',
    nav: { group: 'money', title: 'Billing statements', icon: 'ledger' },
    page: <BillingPage />,
    open: viewers,
  },
  { path: '/billing/:id', page: <BillingStatementPage />, open: viewers },
  {
    path: '/cashier',
    nav: { group: 'money', title: 'Cashier sessions', icon: 'cashier' },
    page: <CashierSessionsPage />,
    open: viewers,
  },
  { path: '/cashier/:id', page: <CashierSessionPage />, open: viewers },
  {
    path: '/claims',
    nav: { group: 'money', title: 'Payment claims', icon: 'clock' },
    page: <ClaimsPage />,
    open: viewers,
  },
  {
    path: '/parked',
    nav: {
      group: 'money',
      title: 'Parked work',
      icon: 'refresh',
      waiting: ({ parkedOutboxRows }) => parkedOutboxRows,
    },
    page: <OutboxPage />,
    open: unrestrictedViewers,
  },
  {
    path: '/callbacks',
    nav: { group: 'money', title: 'Callbacks', icon: 'send' },
    page: <CallbacksPage />,
    open: viewers,
  },
  {
    path: '/events',
    nav: { group: 'money', title: 'Platform events', icon: 'send' },
    page: <EventsPage />,
    open: viewers,
  },
  {
    path: '/unmatched',
    nav: {
      group: 'money',
      title: 'Unmatched money',
      icon: 'unmatched',
      waiting: ({ unmatchedTransfers }) => unmatchedTransfers,
    },
    page: <UnmatchedPage />,
    open: unrestrictedViewers,
  },
  {
    path: '/late',
    nav: {
      group: 'money',
      title: 'Late money',
      icon: 'clock',
      waiting: ({ lateReceipts }) => lateReceipts,
    },
    page: <LateMoneyPage />,
    open: viewers,
  },
  {
    path: '/statements',
    nav: { group: 'money', title: 'Statements', icon: 'account' },
    page: <StatementsPage />,
    open: unrestrictedViewers,
  },
  {
    path: '/closes',
    nav: { group: 'money', title: 'Daily close', icon: 'check' },
    page: <ClosesPage />,
    open: unrestrictedViewers,
  },
  {
    path: '/returns',
    nav: {
      group: 'money',
      title: 'Returns to payers',
      icon: 'send',
      waiting: ({ openReturns }) => openReturns,
    },
    page: <ReturnsPage />,
    open: viewers,
  },
  { path: '/returns/:id', page: <ReturnPage />, open: viewers },
  {
    path: '/postings',
    nav: { group: 'money', title: 'Postings', icon: 'ledger' },
    page: <PostingsPage />,
    open: unrestrictedViewers,
  },
  { path: '/postings/:id', page: <PostingPage />, open: viewers },
  {
    path: '/debits',
    nav: { group: 'money', title: 'Debits', icon: 'debit' },
    page: <DebitsPage />,
    open: unrestrictedViewers,
  },
  {
    path: '/ledger',
    nav: { group: 'money', title: 'Ledger', icon: 'ledger' },
    page: <LedgerPage />,
    open: viewers,
  },
  {
    path: '/margin',
    nav: { group: 'money', title: 'Margin', icon: 'ledger' },
    page: <MarginPage />,
    open: viewers,
  },
  {
    path: '/changes',
    nav: {
      group: 'money',
      title: 'Change requests',
      icon: 'change',
      waiting: ({ openChanges }) => openChanges,
    },
    page: <ChangesPage />,
    open: viewers,
  },
  { path: '/changes/:id', page: <ChangePage />, open: viewers },
  {
    path: '/alerts',
    nav: {
      group: 'money',
      title: 'Alerts',
      icon: 'bell',
      waiting: ({ openAlerts }) => openAlerts,
    },
    page: <AlertsPage />,
    open: viewers,
  },
  {
    path: '/merchants',
    nav: { group: 'parties', title: 'Merchants', icon: 'merchant' },
    page: <MerchantsPage />,
    open: viewers,
  },
  { path: '/merchants/:id', page: <MerchantPage />, open: viewers },
  {
    path: '/resellers',
    nav: { group: 'parties', title: 'Resellers', icon: 'merchant' },
    page: <ResellersPage />,
    open: unrestrictedViewers,
  },
  { path: '/resellers/:id', page: <ResellerPage />, open: unrestrictedViewers },
  {
    path: '/accounts',
    nav: { group: 'parties', title: 'Accounts', icon: 'account' },
    page: <AccountsPage />,
    open: viewers,
  },
  {
    path: '/channels',
    nav: { group: 'parties', title: 'Channels', icon: 'send' },
    page: <ChannelsPage />,
    open: unrestrictedViewers,
  },
  { path: '/channels/:id', page: <ChannelPage />, open: unrestrictedViewers },
  { path: '/channels/:id/mapping', page: <MappingPage />, open: unrestrictedViewers },
  {
    path: '/health',
    nav: { group: 'parties', title: 'Health', icon: 'check' },
    page: <HealthPage />,
    open: unrestrictedViewers,
  },
  {
    path: '/routing',
    nav: { group: 'parties', title: 'Routing', icon: 'workflow' },
    page: <RoutingPage />,
    open: unrestrictedViewers,
  },
  {
    path: '/pools',
    nav: { group: 'parties', title: 'Pools', icon: 'key' },
    page: <PoolsPage />,
    open: unrestrictedViewers,
  },
  {
    path: '/banks',
    nav: { group: 'parties', title: 'Bank directory', icon: 'banks' },
    page: <BanksPage />,
    open: viewers,
  },
  {
    path: '/review',
    nav: { group: 'parties', title: 'Review rules', icon: 'rules' },
    page: <ReviewPage />,
    open: viewers,
  },
  {
    path: '/beneficiaries',
    nav: { group: 'parties', title: 'Beneficiary lists', icon: 'user' },
    page: <BeneficiariesPage />,
    open: viewers,
  },
  {
    path: '/payers',
    nav: { group: 'parties', title: 'Payer lists', icon: 'user' },
    page: <PayerListsPage />,
    open: viewers,
  },
  {
    path: '/payer-rules',
    nav: { group: 'parties', title: 'Payer rules', icon: 'rules' },
    page: <PayerRulesPage />,
    open: viewers,
  },
  {
    path: '/operators',
    nav: { group: 'people', title: 'Operators', icon: 'operators' },
    page: <OperatorsPage />,
    open: admins,
  },
  { path: '/operators/:id', page: <OperatorPage />, open: admins },
  {
    path: '/roles',
    nav: { group: 'people', title: 'Roles', icon: 'key' },
    page: <RolesPage />,
    open: admins,
  },
  {
    path: '/audit',
    nav: { group: 'people', title: 'Audit log', icon: 'audit' },
    page: <AuditPage />,
    open: admins,
  },
  {
    path: '/security',
    nav: { group: 'people', title: 'My security', icon: 'security' },
    page: <SecurityPage />,
    open: () => true,
  },
];

/** Pages that need no login, such as those that mailed links open. */
export const PUBLIC_PAGES: readonly Pick<Place, 'path' | 'page'>[] = [
  { path: '/invite', page: <InvitationPage /> },
  { path: '/forgot', page: <ForgotPage /> },
  { path: '/reset', page: <ResetPage /> },
  { path: OIDC_PATH, page: <OidcPage /> },
];
