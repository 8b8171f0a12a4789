import { Button, Group, Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import { type AccountRowFragment, BankAccountsDocument, type BankAccountStatus } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Pane } from '../../parts/dialog';
import { Code } from '../../parts/copy';
import { Icon } from '../../parts/icons';
import { Money } from '../../parts/money';
import { Filters, listOf, someOf, TextFilter, textsOf, WordsFilter } from '../../parts/filters';
import { Facts, Page, Section } from '../../parts/page';
import { besides, pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Pager, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { UsedAmount, UsedCount } from '../../parts/used';
import { AgentKeys } from './agent-keys';
import { Texts } from './texts';
import { AccountCosts } from './costs';
import { SetStatus, statusAct } from './account-status';
import { EditAccount, NewAccount } from './edit';

const STATUSES: readonly BankAccountStatus[] = ['ACTIVE', 'PAUSED', 'DISABLED'];

/** The used part of a limit of an amount, or of a number of bank credits. */
const usedAmount = (account: AccountRowFragment, of: 'day' | 'month' | 'held'): ReactNode => {
  const { use, currencyCode, name } = account;
  const [used, most] = {
    day: [use.todayAmount, account.maxDailyAmount] as const,
    month: [use.monthAmount, account.maxMonthlyAmount] as const,
    held: [use.held, account.maxBalance] as const,
  }[of];
  if (most === null) return null;
  const label = of === 'held' ? `${name}, balance` : `${name}, amount a ${of}`;
  return <UsedAmount used={used} most={most} currency={currencyCode} label={label} />;
};
const usedCount = (account: AccountRowFragment, of: 'day' | 'month'): ReactNode => {
  const { use, name } = account;
  const [used, most] =
    of === 'day' ? [use.todayDeposits, account.maxDailyCount] : [use.monthDeposits, account.maxMonthlyCount];
  if (most === null) return null;
  return <UsedCount used={used} most={most} label={`${name}, bank credits a ${of}`} />;
};

const COLUMNS: readonly Column<AccountRowFragment>[] = [
  { key: 'name', title: 'Account', cell: ({ name }) => name },
  { key: 'status', title: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    key: 'bank',
    title: 'Bank',
    cell: ({ bankCode, accountNo }) => (
      <>
        {bankCode} <span className="mono">{accountNo}</span>
      </>
    ),
  },
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
  { key: 'mode', title: 'Mode', wideOnly: true, cell: ({ mode }) => inWords(mode) },
  {
    key: 'today',
    title: 'Today',
    cell: (account) => usedAmount(account, 'day') ?? <span className="dim">no daily limit</span>,
  },
  {
    key: 'open',
    title: 'Open deposits',
    numeric: true,
    cell: ({ use, maxOpenDeposits }) => (
      <>
        {use.openDeposits} <span className="dim">of {maxOpenDeposits}</span>
      </>
    ),
  },
];

const limit = (amount: string | null, currency: string): ReactNode =>
  amount === null ? null : <Money amount={amount} currency={currency} />;

function AccountDetail({ account }: { account: AccountRowFragment }): ReactNode {
  const { me } = useSession();
  const [editing, setEditing] = useState(false);
  const [status, setStatus] = useState<BankAccountStatus | null>(null);
  const { currencyCode: currency, float, use } = account;
  const statuses = STATUSES.filter((one) => one !== account.status);
  return (
    <div className="stack">
      <Group gap="xs">
        <Status value={account.status} />
        {account.statusReason !== null && <span className="dim">{account.statusReason}</span>}
      </Group>
      {may(me, 'CONFIGURE') && (
        <Group gap="xs">
          <Button
            variant="default"
            onClick={() => {
              setEditing(true);
            }}
          >
            Change
          </Button>
          {statuses.map((one) => (
            <Button
              key={one}
              variant="default"
              onClick={() => {
                setStatus(one);
              }}
            >
              {statusAct(one)}
            </Button>
          ))}
        </Group>
      )}
      <Section title="Balance">
        <Facts
          of={[
            ['Our books', <Money amount={account.bookBalance} currency={currency} />],
            ['The bank', account.bankBalance !== null && <Money amount={account.bankBalance} currency={currency} />],
            ['Days', <Link to={`/closes?account=${account.id}`}>Show</Link>],
          ]}
        />
      </Section>
      <Section title="Today">
        <Facts
          of={[
            ['Received today', <Money amount={use.todayReceived} currency={currency} />],
            ['Open now', `${String(use.openDeposits)} of ${String(account.maxOpenDeposits)}`],
            ['Deposits', <Link to={`/deposits?account=${account.id}`}>Show</Link>],
          ]}
        />
      </Section>
      <Section title="Account">
        <Facts
          of={[
            ['Bank', `${account.bankName} (${account.bankCode})`],
            ['Branch', account.bankBranch],
            ['Number', <Code text={account.accountNo} what="account number" />],
            ['Holder', account.accountHolder],
            ['Time zone', account.timeZone],
            ['Agent silent since', account.silentSince === null ? null : <Time at={account.silentSince} />],
            ['Mode', account.mode === 'REMARK' ? 'Remark in the memo' : 'Unique amount'],
          ]}
        />
      </Section>
      <Section title="Limits">
        <Facts
          of={[
            ['Minimum deposit', limit(account.minAmount, currency)],
            ['Maximum deposit', limit(account.maxAmount, currency)],
            ['Daily limit', usedAmount(account, 'day')],
            ['Monthly limit', usedAmount(account, 'month')],
            ['Balance limit', usedAmount(account, 'held')],
            ['Bank credits a day', usedCount(account, 'day')],
            ['Bank credits a month', usedCount(account, 'month')],
            ['Float', float && `−${float.down} to +${float.up} by ${float.step}`],
            ['Quarantine', float && `${String(float.quarantineMinutes)} minutes after expiry`],
          ]}
        />
      </Section>
      <AccountCosts account={account} />
      {editing && (
        <EditAccount
          account={account}
          onClose={() => {
            setEditing(false);
          }}
        />
      )}
      {status && (
        <SetStatus
          account={account}
          status={status}
          onClose={() => {
            setStatus(null);
          }}
        />
      )}
    </div>
  );
}

function AccountList(): ReactNode {
  const url = useUrlState();
  const [asked, ask] = useQuery({
    query: BankAccountsDocument,
    variables: {
      ...pageOf(url),
      filter: {
        status: someOf(listOf(url, 'status'), STATUSES),
        currencyCode: textsOf(listOf(url, 'currency')),
        accountNoPrefix: url.get('number'),
      },
    },
  });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const open = asked.data?.bankAccounts.nodes.find(({ id }) => id === url.get('open'));
  return (
    <>
      <Filters names={['status', 'currency', 'number']}>
        <WordsFilter name="status" label="Status" words={STATUSES} />
        <TextFilter name="currency" label="Currency" narrow placeholder="THB" />
        <TextFilter name="number" label="Number begins with" />
      </Filters>
      <Answer asked={asked} retry={look}>
        {({ bankAccounts }) => (
          <>
            {bankAccounts.nodes.length === 0 ? (
              <Empty icon="account" title="No accounts">
                Add an account so that payers can transfer to it.
              </Empty>
            ) : (
              <Rows
                label="Accounts"
                columns={COLUMNS}
                rows={bankAccounts.nodes}
                keyOf={({ id }) => id}
                linkOf={({ id }) => url.link({ open: id })}
              />
            )}
            <Pane
              opened={open !== undefined}
              onClose={() => {
                url.set({ open: null }, true);
              }}
              title={open?.name ?? ''}
              size="md"
            >
              {open && <AccountDetail account={open} />}
            </Pane>
            <Pager {...besides(url, bankAccounts.pageInfo)} />
          </>
        )}
      </Answer>
    </>
  );
}

/** The managed accounts with today's use, and their agent keys. */
export function AccountsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const tab = url.get('tab') ?? 'accounts';
  const [making, setMaking] = useState(false);
  return (
    <Page
      title="Accounts"
      actions={
        tab === 'accounts' &&
        may(me, 'CONFIGURE') && (
          <Button
            leftSection={<Icon name="plus" />}
            onClick={() => {
              setMaking(true);
            }}
          >
            New account
          </Button>
        )
      }
    >
      <Tabs
        value={tab}
        onChange={(next) => {
          url.set({ tab: next === 'accounts' ? null : next, open: null });
        }}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="accounts">Bank accounts</Tabs.Tab>
          <Tabs.Tab value="agents">Agent keys</Tabs.Tab>
          <Tabs.Tab value="texts">Messages</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="accounts" pt="md">
          <AccountList />
        </Tabs.Panel>
        <Tabs.Panel value="agents" pt="md">
          <AgentKeys />
        </Tabs.Panel>
        <Tabs.Panel value="texts" pt="md">
          <Texts />
        </Tabs.Panel>
      </Tabs>
      {making && (
        <NewAccount
          onClose={() => {
            setMaking(false);
          }}
        />
      )}
    </Page>
  );
}
