import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { BanksDocument, type BankRowFragment } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { ChoiceFilter, Filters, TextFilter } from '../../parts/filters';
import { Page } from '../../parts/page';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { AddBanks, EditBank } from './edit';

const COLUMNS: readonly Column<BankRowFragment>[] = [
  { key: 'code', title: 'Code', cell: ({ bankCode }) => <span className="mono">{bankCode}</span> },
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  {
    key: 'status',
    title: 'Status',
    cell: ({ enabled }) => <Status value={enabled ? 'ENABLED' : 'DISABLED'} />,
  },
  {
    key: 'updatedAt',
    title: 'Changed',
    wideOnly: true,
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
];

const keyOf = ({ bankCode, currencyCode }: BankRowFragment): string => `${currencyCode} ${bankCode}`;

/** The bank directory: the banks that withdrawals can go to. */
export function BanksPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [asked, ask] = useQuery({ query: BanksDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [editing, setEditing] = useState<BankRowFragment | null>(null);
  const [adding, setAdding] = useState(false);
  const banks = asked.data?.banks ?? [];
  const currency = url.get('currency');
  const text = (url.get('text') ?? '').toLowerCase();
  const shown = (all: readonly BankRowFragment[]): readonly BankRowFragment[] =>
    all.filter(
      (bank) =>
        (currency === null || bank.currencyCode === currency) &&
        `${bank.bankCode} ${bank.name}`.toLowerCase().includes(text),
    );
  const configures = may(me, 'CONFIGURE');
  return (
    <Page
      title="Bank directory"
      actions={
        configures && (
          <Button
            onClick={() => {
              setAdding(true);
            }}
          >
            Add banks
          </Button>
        )
      }
    >
      <Filters names={['currency', 'text']}>
        <ChoiceFilter
          name="currency"
          label="Currency"
          choices={[...new Set(banks.map(({ currencyCode }) => currencyCode))].map((value) => ({
            value,
            label: value,
          }))}
        />
        <TextFilter name="text" label="Code or name" />
      </Filters>
      <Answer asked={asked} retry={look}>
        {({ banks: all }) =>
          shown(all).length === 0 ? (
            <Empty icon="account" title="No banks">
              {all.length === 0 ? 'Withdrawals can only go to banks listed here.' : 'Nothing matches these filters.'}
            </Empty>
          ) : (
            <Rows
              label="Banks"
              columns={COLUMNS}
              rows={shown(all)}
              keyOf={keyOf}
              actions={(bank) =>
                configures && (
                  <Button
                    variant="subtle"
                    aria-label={`Change ${bank.bankCode} in ${bank.currencyCode}`}
                    onClick={() => {
                      setEditing(bank);
                    }}
                  >
                    Change
                  </Button>
                )
              }
            />
          )
        }
      </Answer>
      {editing && (
        <EditBank
          bank={editing}
          onClose={() => {
            setEditing(null);
          }}
        />
      )}
      {adding && (
        <AddBanks
          currency={currency ?? ''}
          taken={new Set(banks.map(keyOf))}
          onClose={() => {
            setAdding(false);
          }}
        />
      )}
    </Page>
  );
}
