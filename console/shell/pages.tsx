import type { ReactNode } from 'react';
import type { IconName } from '../parts/icons';
import { may } from '../client/permission';
import type { Me } from '../client/session';
import { DepositPage } from '../pages/deposits/deposit';
import { DepositsPage } from '../pages/deposits/deposits';
import { AccountsPage } from '../pages/accounts/accounts';
import { AuditPage } from '../pages/audit/audit';
import { ChangePage } from '../pages/changes/change';
import { ChangesPage } from '../pages/changes/changes';
import { MerchantPage } from '../pages/merchants/merchant';
import { MerchantsPage } from '../pages/merchants/merchants';
import { SecurityPage } from '../pages/security/security';
import { UnmatchedPage } from '../pages/unmatched/unmatched';

/** A place of the console. */
export interface Place {
  readonly path: string;
  /** In the navigation; a place without is reached from others. */
  readonly nav?: { readonly title: string; readonly icon: IconName };
  readonly page: ReactNode;
  /** Whether somebody may be here. */
  readonly open: (me: Me) => boolean;
}

const viewers = (me: Me): boolean => may(me, 'VIEW');

/** Every place, in the order of the navigation. Where a new page goes: its folder below pages/, and a line here. */
export const PLACES: readonly Place[] = [
  {
    path: '/deposits',
    nav: { title: 'Deposits', icon: 'deposit' },
    page: <DepositsPage />,
    open: viewers,
  },
  { path: '/deposits/:orderNo', page: <DepositPage />, open: viewers },
  {
    path: '/unmatched',
    nav: { title: 'Unmatched money', icon: 'unmatched' },
    page: <UnmatchedPage />,
    // What arrives is nobody's until it is matched: not for who is restricted to merchants.
    open: (me) => may(me, 'VIEW') && me.merchantIds === null,
  },
  {
    path: '/changes',
    nav: { title: 'Change requests', icon: 'change' },
    page: <ChangesPage />,
    open: viewers,
  },
  { path: '/changes/:id', page: <ChangePage />, open: viewers },
  {
    path: '/merchants',
    nav: { title: 'Merchants', icon: 'merchant' },
    page: <MerchantsPage />,
    open: viewers,
  },
  { path: '/merchants/:id', page: <MerchantPage />, open: viewers },
  {
    path: '/accounts',
    nav: { title: 'Accounts', icon: 'account' },
    page: <AccountsPage />,
    open: viewers,
  },
  {
    path: '/audit',
    nav: { title: 'Audit log', icon: 'audit' },
    page: <AuditPage />,
    open: (me) => may(me, 'ADMIN'),
  },
  {
    path: '/security',
    nav: { title: 'My security', icon: 'security' },
    page: <SecurityPage />,
    open: () => true,
  },
];
