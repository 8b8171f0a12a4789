import { Button, Group, Tabs } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { MerchantChoicesDocument, SettlementsDocument, type SettlementRowFragment } from '../../generated/operations';
import { ChoiceFilter, Filters, listOf, someOf, textsOf, WordsFilter } from '../../parts/filters';
import { List, sortOfUrl, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { WITHDRAWAL_STATUSES } from '../withdrawals/filter';
import { Calendars } from './calendars';
import { SettlementRuns } from './runs';
import { NewSettlementAccount, SettlementAccounts } from './accounts';
import { ProposeFile, ProposeOne } from './propose';

const COLUMNS: readonly Column<SettlementRowFragment>[] = [
  { key: 'reference', title: 'Reference', cell: ({ settlement }) => settlement?.reference },
  { key: 'status', title: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    sortable: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  { key: 'merchant', title: 'Merchant', cell: ({ merchant }) => merchant.merchantCode },
  {
    key: 'account',
    title: 'To',
    cell: ({ settlement }) => settlement && `${settlement.account.bankCode} ${settlement.account.accountNo}`,
  },
  { key: 'by', title: 'Proposed by', cell: ({ settlement }) => settlement?.proposedBy.login },
  {
    key: 'createdAt',
    title: 'Proposed',
    sortable: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

function Settlements({ revision }: { revision: number }): ReactNode {
  const url = useUrlState();
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const sort = sortOfUrl(url.get('sort') ?? '-createdAt');
  const by = sort.by === 'amount' ? 'AMOUNT' : 'CREATED_AT';
  const list = useList(
    SettlementsDocument,
    {
      ...pageOf(url),
      filter: {
        origin: ['SETTLEMENT'] as const,
        status: someOf(listOf(url, 'status'), WITHDRAWAL_STATUSES),
        merchantId: textsOf(listOf(url, 'merchant')),
      },
      sort: `${by}_${sort.descending ? 'DESC' : 'ASC'}` as const,
    },
    ({ withdrawals }) => withdrawals,
  );
  usePolled(list.look);
  // The operator's own proposals appear at once, without the bar for new rows.
  const latest = useRef(list);
  useEffect(() => {
    latest.current = list;
  });
  useEffect(() => {
    if (revision === 0) return;
    latest.current.held.adopt();
    latest.current.look();
  }, [revision]);
  return (
    <>
      <Filters names={['status', 'merchant']}>
        <WordsFilter name="status" label="Status" words={WITHDRAWAL_STATUSES} />
        <ChoiceFilter
          name="merchant"
          label="Merchant"
          choices={(data?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
            value: id,
            label: merchantCode,
          }))}
        />
      </Filters>
      <List
        list={list}
        label="Settlements"
        columns={COLUMNS}
        linkOf={({ orderNo }) => `/withdrawals/${orderNo}`}
        sort={sort}
        empty={
          <Empty icon="withdrawal" title="No settlements">
            A treasurer proposes to pay a merchant its balance, and another operator approves it.
          </Empty>
        }
      />
    </>
  );
}

const DIALOGS = { one: ProposeOne, file: ProposeFile, account: NewSettlementAccount } as const;

/** Settlements and the accounts that they are paid to. */
export function SettlementsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const tab = url.get('tab') ?? 'settlements';
  const [open, setOpen] = useState<keyof typeof DIALOGS | null>(null);
  const [adding, setAdding] = useState(false);
  const [revision, setRevision] = useState(0);
  const opener = (which: keyof typeof DIALOGS, words: string, first: boolean): ReactNode => (
    <Button
      variant={first ? 'filled' : 'default'}
      onClick={() => {
        setOpen(which);
      }}
    >
      {words}
    </Button>
  );
  const Opened = open && DIALOGS[open];
  return (
    <Page
      title="Settlements"
      actions={
        <Group gap="xs">
          {tab === 'accounts' && may(me, 'CONFIGURE') && opener('account', 'Register', true)}
          {tab === 'calendars' && may(me, 'CONFIGURE') && (
            <Button
              onClick={() => {
                setAdding(true);
              }}
            >
              New calendar
            </Button>
          )}
          {tab === 'settlements' && may(me, 'TREASURER') && (
            <>
              {opener('file', 'Propose a file', false)}
              {opener('one', 'Propose', true)}
            </>
          )}
        </Group>
      }
    >
      <Tabs
        value={tab}
        onChange={(next) => {
          const tabOf = next === 'settlements' ? null : next;
          url.set({ tab: tabOf, status: null, merchant: null, skipped: null });
        }}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="settlements">Settlements</Tabs.Tab>
          <Tabs.Tab value="runs">Runs of plans</Tabs.Tab>
          <Tabs.Tab value="accounts">Accounts</Tabs.Tab>
          <Tabs.Tab value="calendars">Calendars</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settlements" pt="md">
          <Settlements revision={revision} />
        </Tabs.Panel>
        <Tabs.Panel value="runs" pt="md">
          <SettlementRuns />
        </Tabs.Panel>
        <Tabs.Panel value="accounts" pt="md">
          <SettlementAccounts />
        </Tabs.Panel>
        <Tabs.Panel value="calendars" pt="md">
          <Calendars
            adding={adding}
            onClose={() => {
              setAdding(false);
            }}
          />
        </Tabs.Panel>
      </Tabs>
      {Opened && (
        <Opened
          onDone={() => {
            setRevision((now) => now + 1);
          }}
          onClose={() => {
            setOpen(null);
          }}
        />
      )}
    </Page>
  );
}
