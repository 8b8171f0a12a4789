import { Button, TagsInput, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  CreateMerchantDocument,
  MerchantsDocument,
  type MerchantSettingsFragment,
  type MerchantSort,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Icon } from '../../parts/icons';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters';
import { Page } from '../../parts/page';
import { besides, pageOf } from '../../parts/paging';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Pager, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

const permissions = ({ canDeposit, canWithdraw }: MerchantSettingsFragment): string =>
  [canDeposit && 'deposits', canWithdraw && 'withdrawals'].filter(Boolean).join(', ') || 'nothing';

const COLUMNS: readonly Column<MerchantSettingsFragment>[] = [
  { key: 'name', title: 'Merchant', sortable: true, cell: ({ name }) => name },
  {
    key: 'code',
    title: 'Code',
    sortable: true,
    cell: ({ merchantCode }) => <span className="mono">{merchantCode}</span>,
  },
  {
    key: 'enabled',
    title: 'Status',
    cell: ({ enabled }) => <Status value={enabled ? 'ENABLED' : 'DISABLED'} />,
  },
  { key: 'may', title: 'May create', cell: permissions },
  {
    key: 'currencies',
    title: 'Currencies',
    cell: ({ currencies }) =>
      currencies
        .filter(({ enabled }) => enabled)
        .map(({ currencyCode }) => currencyCode)
        .join(' '),
  },
  {
    key: 'open',
    title: 'Maximum open',
    numeric: true,
    wideOnly: true,
    cell: ({ maxOpenDeposits }) => maxOpenDeposits,
  },
  { key: 'createdAt', title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

function NewMerchant({ onClose }: { onClose: () => void }): ReactNode {
  const create = useAction(CreateMerchantDocument);
  const [merchantCode, setCode] = useState('');
  const [name, setName] = useState('');
  const [currencies, setCurrencies] = useState<string[]>([]);
  return (
    <ProposeDialog
      title="New merchant"
      busy={create.busy}
      failure={create.failure}
      ready={merchantCode !== '' && name.trim() !== '' && currencies.length > 0}
      onPropose={async (why) => {
        const input = {
          merchantCode,
          name: name.trim(),
          currencies: currencies.map((currencyCode) => ({ currencyCode })),
        };
        const done = await create.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.createMerchant.change);
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        value={name}
        onChange={({ currentTarget: { value } }) => {
          setName(value);
        }}
        data-autofocus
        required
      />
      <TextInput
        label="Code"
        description="Letters, digits, - and _. It cannot be changed later."
        value={merchantCode}
        onChange={({ currentTarget: { value } }) => {
          setCode(value.trim());
        }}
        required
      />
      <TagsInput
        label="Currencies"
        description="ISO 4217 codes. Press Enter after each. No fee until you set one."
        value={currencies}
        onChange={(codes) => {
          setCurrencies(codes.map((code) => code.toUpperCase()));
        }}
        required
      />
    </ProposeDialog>
  );
}

const SORTS: Readonly<Record<string, MerchantSort>> = {
  name: 'NAME_ASC',
  '-name': 'NAME_DESC',
  code: 'CODE_ASC',
  '-code': 'CODE_DESC',
};

/** The merchants. */
export function MerchantsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [making, setMaking] = useState(false);
  const way = url.get('sort') ?? 'code';
  const enabled = url.get('enabled');
  const [asked, ask] = useQuery({
    query: MerchantsDocument,
    variables: {
      ...pageOf(url),
      sort: SORTS[way] ?? 'CODE_ASC',
      filter: {
        enabled: enabled === null ? null : enabled === 'yes',
        merchantCodePrefix: url.get('code'),
        namePrefix: url.get('name'),
      },
    },
  });
  return (
    <Page
      title="Merchants"
      actions={
        may(me, 'CONFIGURE') && (
          <Button
            leftSection={<Icon name="plus" />}
            onClick={() => {
              setMaking(true);
            }}
          >
            New merchant
          </Button>
        )
      }
    >
      <Filters names={['name', 'code', 'enabled']}>
        <TextFilter name="name" label="Name begins with" />
        <TextFilter name="code" label="Code begins with" />
        <ChoiceFilter
          name="enabled"
          label="Status"
          choices={[
            { value: 'yes', label: 'Enabled' },
            { value: 'no', label: 'Disabled' },
          ]}
        />
      </Filters>
      <Answer
        asked={asked}
        retry={() => {
          ask({ requestPolicy: 'network-only' });
        }}
      >
        {({ merchants }) => (
          <>
            {merchants.nodes.length === 0 ? (
              <Empty icon="merchant" title="No merchants">
                Nothing matches these filters.
              </Empty>
            ) : (
              <Rows
                label="Merchants"
                columns={COLUMNS}
                rows={merchants.nodes}
                keyOf={({ id }) => id}
                linkOf={({ id }) => `/merchants/${id}`}
                sort={{ by: way.replace(/^-/, ''), descending: way.startsWith('-') }}
                onSort={({ by, descending }) => {
                  url.set({ sort: `${descending ? '-' : ''}${by}` });
                }}
              />
            )}
            <Pager {...besides(url, merchants.pageInfo)} />
          </>
        )}
      </Answer>
      {making && (
        <NewMerchant
          onClose={() => {
            setMaking(false);
          }}
        />
      )}
    </Page>
  );
}
