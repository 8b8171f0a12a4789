import { Button, Select, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  CreateSettlementAccountDocument,
  DisableSettlementAccountDocument,
  MerchantChoicesDocument,
  type SettlementAccountRowFragment,
  SettlementAccountsDocument,
} from '../../generated/operations';
import { List, useList } from '../../parts/list';
import { pageOf } from '../../parts/paging';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time, useNow } from '../../parts/time';
import { useUrlState } from '../../parts/url';

type Account = SettlementAccountRowFragment;

function Standing({ of: { disabledAt, usableAt } }: { of: Account }): ReactNode {
  const now = useNow();
  if (disabledAt !== null) return <Status value="DISABLED" />;
  if (Date.parse(usableAt) <= now.getTime()) return <Status value="ACTIVE" />;
  return (
    <>
      <Status value="COOLING" words="From" tone="wait" /> <Time at={usableAt} distance />
    </>
  );
}

const COLUMNS: readonly Column<Account>[] = [
  { key: 'merchant', title: 'Merchant', cell: ({ merchant }) => merchant.merchantCode },
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
  { key: 'bank', title: 'Bank', cell: ({ bankCode }) => bankCode },
  {
    key: 'accountNo',
    title: 'Account',
    cell: ({ accountNo }) => <span className="mono">{accountNo}</span>,
  },
  { key: 'holder', title: 'Holder', cell: ({ accountHolder }) => accountHolder },
  { key: 'status', title: 'Status', cell: (account) => <Standing of={account} /> },
];

const TEXTS = [
  ['bankCode', 'Bank code', 'The code in the bank directory'],
  ['accountNo', 'Account number', 'At this bank'],
  ['accountHolder', 'Holder', "The merchant's name at the bank"],
  ['bankBranch', 'Branch', 'Optional'],
] as const;

/** Proposes a merchant's settlement account. It cannot be changed later, only replaced. */
export function NewSettlementAccount({ onClose }: { onClose: () => void }): ReactNode {
  const create = useAction(CreateSettlementAccountDocument);
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const merchants = data?.merchants.nodes ?? [];
  const [merchantId, setMerchant] = useState<string | null>(null);
  const [currencyCode, setCurrency] = useState<string | null>(null);
  const [texts, setTexts] = useState<Readonly<Record<(typeof TEXTS)[number][0], string>>>({
    bankCode: '',
    accountNo: '',
    accountHolder: '',
    bankBranch: '',
  });
  const theirs = merchants.find(({ id }) => id === merchantId)?.currencies ?? [];
  const { bankBranch, ...needed } = texts;
  return (
    <ProposeDialog
      title="Register a settlement account"
      wide
      busy={create.busy}
      failure={create.failure}
      ready={merchantId !== null && currencyCode !== null && Object.values(needed).every((text) => text.trim() !== '')}
      onPropose={async (why) => {
        if (merchantId === null || currencyCode === null) return;
        const input = {
          merchantId,
          currencyCode,
          ...needed,
          bankBranch: bankBranch.trim() || null,
        };
        const done = await create.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.createSettlementAccount.change);
        onClose();
      }}
      onClose={onClose}
    >
      <p>After its approval the account cannot be used until the cooling period is over.</p>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label="Merchant"
          data={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
          value={merchantId}
          onChange={setMerchant}
          allowDeselect={false}
          required
        />
        <Select
          label="Currency"
          data={theirs.map((one) => one.currencyCode)}
          value={currencyCode}
          onChange={setCurrency}
          allowDeselect={false}
          required
        />
        {TEXTS.map(([name, label, description]) => (
          <TextInput
            key={name}
            label={label}
            description={description}
            value={texts[name]}
            onChange={({ currentTarget: { value } }) => {
              setTexts((now) => ({ ...now, [name]: value }));
            }}
            required={name !== 'bankBranch'}
          />
        ))}
      </SimpleGrid>
    </ProposeDialog>
  );
}

function Disable({
  account,
  onDone,
  onClose,
}: {
  account: Account;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const disable = useAction(DisableSettlementAccountDocument, 'Settlement account disabled.');
  return (
    <ReasonDialog
      title={`Disable ${account.bankCode} ${account.accountNo}`}
      act="Disable"
      danger
      busy={disable.busy}
      failure={disable.failure}
      onAct={async (reason) => {
        if (!(await disable.run({ id: account.id, reason }))) return;
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      Disables the account at once and permanently. Approved settlements are still paid; reject those that wait.
    </ReasonDialog>
  );
}

/** Merchants' settlement accounts and whether they can be paid. */
export function SettlementAccounts(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const list = useList(SettlementAccountsDocument, pageOf(url), ({ settlementAccounts }) => settlementAccounts);
  usePolled(list.look);
  const [chosen, setChosen] = useState<Account | null>(null);
  return (
    <>
      <List
        list={list}
        label="Settlement accounts"
        columns={COLUMNS}
        empty={
          <Empty icon="account" title="No settlement accounts">
            Merchants are paid to their own accounts, which two people register.
          </Empty>
        }
        actions={(account) =>
          account.disabledAt === null &&
          may(me, 'CONFIGURE') && (
            <Button
              variant="subtle"
              aria-label={`Disable ${account.accountNo}`}
              onClick={() => {
                setChosen(account);
              }}
            >
              Disable
            </Button>
          )
        }
      />
      {chosen && (
        <Disable
          account={chosen}
          onDone={() => {
            list.held.adopt();
            list.look();
          }}
          onClose={() => {
            setChosen(null);
          }}
        />
      )}
    </>
  );
}
