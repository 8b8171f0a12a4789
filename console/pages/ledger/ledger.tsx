import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../../client/session';
import { Page } from '../../parts/page';
import { useUrlState } from '../../parts/url';
import { MerchantBalances, PlatformAccounts } from './balances';
import { BooksProof } from './books-proof';
import { Entries, ENTRY_FILTERS } from './entries';
import { TrialBalance } from './trial-balance';

const TABS = [
  { value: 'balances', title: 'Merchants', content: <MerchantBalances />, platform: false },
  { value: 'trial', title: 'Trial balance', content: <TrialBalance />, platform: true },
  { value: 'accounts', title: 'Platform', content: <PlatformAccounts />, platform: true },
  { value: 'proof', title: 'Proof', content: <BooksProof />, platform: true },
  { value: 'entries', title: 'Lines', content: <Entries />, platform: false },
] as const;

/** The ledger: balances, trial balance, platform accounts, entries. */
export function LedgerPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  // Operators restricted to merchants do not see the platform's accounts.
  const tabs = TABS.filter(({ platform }) => !platform || me.merchantIds === null);
  return (
    <Page title="Ledger">
      <Tabs
        value={url.get('tab') ?? 'balances'}
        onChange={(tab) => {
          // Each tab has its own filters.
          url.set({
            ...Object.fromEntries(ENTRY_FILTERS.map((name) => [name, null])),
            tab: tab === 'balances' ? null : tab,
          });
        }}
        keepMounted={false}
      >
        <Tabs.List>
          {tabs.map(({ value, title }) => (
            <Tabs.Tab key={value} value={value}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, content }) => (
          <Tabs.Panel key={value} value={value} pt="md" className="ledger">
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
