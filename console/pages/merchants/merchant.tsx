import { Button, Tabs } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { decimalsOf, formatMoney, isZero } from '../../format/money';
import { count } from '../../format/words';
import { MerchantDocument, type MerchantQuery, type MerchantSettingsFragment } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Code } from '../../parts/copy';
import { Icon } from '../../parts/icons';
import { Facts, Page, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { Balances } from './balances';
import { CashierSettings } from './cashier';
import { FeeSchedules } from './fees';
import { MerchantCommissions } from '../resellers/rates';
import { SettlementPlans } from '../settlements/plans';
import { Keys } from './keys';
import { EditCurrency, EditSettings } from './settings';

type Merchant = NonNullable<MerchantQuery['merchant']>;
type Currency = MerchantSettingsFragment['currencies'][number];

const yes = (value: boolean): string => (value ? 'Yes' : 'No');

/** "1.5 % + 2.00 THB" */
function feeOf(currencyCode: string, { percent, fixed }: Currency['depositFee']): string {
  const parts = [
    isZero(percent) ? null : `${formatMoney(percent, 0)} %`,
    isZero(fixed) ? null : `${formatMoney(fixed, decimalsOf(currencyCode))} ${currencyCode}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'none' : parts.join(' + ');
}

/** "100.00 – 5,000.00" */
function rangeOf(currencyCode: string, min: string | null, max: string | null): string {
  if (min === null && max === null) return 'any';
  const written = (limit: string | null): string =>
    limit === null ? '…' : formatMoney(limit, decimalsOf(currencyCode));
  return `${written(min)} – ${written(max)}`;
}

const CURRENCIES: readonly Column<Currency>[] = [
  { key: 'code', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
  {
    key: 'enabled',
    title: 'Status',
    cell: ({ enabled }) => <Status value={enabled ? 'ENABLED' : 'DISABLED'} />,
  },
  { key: 'pool', title: 'Pool', cell: ({ pool }) => pool?.name ?? 'Default' },
  {
    key: 'fee',
    title: 'Deposit fee',
    cell: ({ currencyCode, depositFee, prepaid }) => `${feeOf(currencyCode, depositFee)}${prepaid ? ', prepaid' : ''}`,
  },
  {
    key: 'deposits',
    title: 'One deposit',
    cell: ({ currencyCode, depositMin, depositMax }) => rangeOf(currencyCode, depositMin ?? null, depositMax ?? null),
  },
  {
    key: 'withdrawalFee',
    title: 'Withdrawal fee',
    cell: ({ currencyCode, withdrawalFee }) => feeOf(currencyCode, withdrawalFee),
  },
  {
    key: 'withdrawals',
    title: 'One withdrawal',
    cell: ({ currencyCode, withdrawalMin, withdrawalMax }) =>
      rangeOf(currencyCode, withdrawalMin ?? null, withdrawalMax ?? null),
  },
];

function Currencies({ merchant }: { merchant: MerchantSettingsFragment }): ReactNode {
  const { me } = useSession();
  const [editing, setEditing] = useState<{ code: string | null } | null>(null);
  return (
    <Section
      title="Currencies and fees"
      flush
      actions={
        may(me, 'CONFIGURE') && (
          <Button
            variant="default"
            onClick={() => {
              setEditing({ code: null });
            }}
          >
            Add a currency
          </Button>
        )
      }
    >
      <Rows
        label="Currencies"
        columns={CURRENCIES}
        rows={merchant.currencies}
        keyOf={({ currencyCode }) => currencyCode}
        actions={({ currencyCode }) =>
          may(me, 'CONFIGURE') && (
            <Button
              variant="subtle"
              aria-label={`Change ${currencyCode}`}
              onClick={() => {
                setEditing({ code: currencyCode });
              }}
            >
              Change
            </Button>
          )
        }
      />
      {editing && (
        <EditCurrency
          merchant={merchant}
          currencyCode={editing.code}
          onClose={() => {
            setEditing(null);
          }}
        />
      )}
    </Section>
  );
}

function Settings({ merchant }: { merchant: MerchantSettingsFragment }): ReactNode {
  const { me } = useSession();
  const [editing, setEditing] = useState(false);
  return (
    <Section
      title="Settings"
      actions={
        may(me, 'CONFIGURE') && (
          <Button
            variant="default"
            onClick={() => {
              setEditing(true);
            }}
          >
            Change settings
          </Button>
        )
      }
    >
      <div className="two-columns">
        <Facts
          of={[
            ['Creates deposits', yes(merchant.canDeposit)],
            ['Creates withdrawals', yes(merchant.canWithdraw)],
            ['Deposits expire after', `${String(merchant.depositExpireMinutes)} minutes`],
            ['Hold period', merchant.holdDays === 0 ? 'available at once' : count(merchant.holdDays, 'day')],
            ['Time zone', merchant.timeZone],
            ['Maximum open deposits', String(merchant.maxOpenDeposits)],
            ['Maximum per user_id', String(merchant.maxOpenDepositsPerUser)],
            ['Sees costs and profits', yes(!merchant.hideCosts)],
            ['Source addresses', merchant.allowedAddresses?.join(', ') ?? 'any'],
          ]}
        />
        <Facts
          of={[
            ['Default callback URL', merchant.defaultCallbackUrl],
            ['Callback hosts', merchant.callbackHosts?.join(', ') ?? 'any'],
            ['Callback timeout', `${String(merchant.callbackTimeoutSeconds)} seconds`],
            ['Certificates verified', yes(merchant.webhookSslVerify)],
            ['Callback for matched', yes(merchant.notifyDepositMatched)],
            ['Callback for expired', yes(merchant.notifyDepositExpired)],
            ['Callback for cancelled', yes(merchant.notifyDepositCancelled)],
            ['http and loopback', yes(merchant.allowInsecureCallbacks)],
          ]}
        />
      </div>
      {editing && (
        <EditSettings
          merchant={merchant}
          onClose={() => {
            setEditing(false);
          }}
        />
      )}
    </Section>
  );
}

function MerchantView({ merchant }: { merchant: Merchant }): ReactNode {
  const url = useUrlState();
  return (
    <Page
      title={merchant.name}
      back={{ to: '/merchants', words: 'Merchants' }}
      lead={<Status value={merchant.enabled ? 'ENABLED' : 'DISABLED'} />}
      actions={
        <Button
          component={Link}
          to={`/deposits?merchant=${merchant.id}`}
          variant="default"
          leftSection={<Icon name="deposit" />}
        >
          Deposits
        </Button>
      }
    >
      <div className="subline">
        <Code text={merchant.merchantCode} what="merchant code" />
        <span className="dim">
          since <Time at={merchant.createdAt} />
        </span>
      </div>
      {merchant.coolingUntil !== null && (
        <p className="note warn">
          Each withdrawal waits for a person until <Time at={merchant.coolingUntil} distance />: a key, the review
          rules, a list or the callbacks changed lately.
        </p>
      )}
      <Tabs
        value={url.get('tab') ?? 'settings'}
        onChange={(tab) => {
          url.set({ tab: tab === 'settings' ? null : tab });
        }}
        keepMounted={false}
      >
        <Tabs.List>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="cashier">Cashier</Tabs.Tab>
          <Tabs.Tab value="keys">Keys</Tabs.Tab>
          <Tabs.Tab value="balances">Balances</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings" pt="md">
          <div className="stack">
            <Settings merchant={merchant} />
            <Currencies merchant={merchant} />
            <FeeSchedules merchant={merchant} />
            <MerchantCommissions merchantId={merchant.id} />
            <SettlementPlans merchant={merchant} />
          </div>
        </Tabs.Panel>
        <Tabs.Panel value="cashier" pt="md">
          <CashierSettings merchant={merchant} />
        </Tabs.Panel>
        <Tabs.Panel value="keys" pt="md">
          <Keys merchantId={merchant.id} keys={merchant.apiKeys} />
        </Tabs.Panel>
        <Tabs.Panel value="balances" pt="md">
          <Balances merchantId={merchant.id} balances={merchant.balances} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

/** One merchant: its settings, keys and money. */
export function MerchantPage(): ReactNode {
  const { id = '' } = useParams();
  const [asked, ask] = useQuery({ query: MerchantDocument, variables: { id } });
  return (
    <Answer
      asked={asked}
      retry={() => {
        ask({ requestPolicy: 'network-only' });
      }}
    >
      {({ merchant }) =>
        merchant ? (
          <MerchantView merchant={merchant} />
        ) : (
          <Page title="Merchant" back={{ to: '/merchants', words: 'Merchants' }}>
            <Empty icon="search" title="No such merchant">
              It does not exist, or you have no access to it.
            </Empty>
          </Page>
        )
      }
    </Answer>
  );
}
