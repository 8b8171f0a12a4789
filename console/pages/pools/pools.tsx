import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { PoolsDocument, type PoolRowFragment } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Page } from '../../parts/page';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { EditPool } from './edit';

const COLUMNS: readonly Column<PoolRowFragment>[] = [
  { key: 'name', title: 'Name', cell: ({ name }) => name },
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
  {
    key: 'accounts',
    title: 'Accounts',
    cell: ({ accounts }) => accounts.map(({ name }) => name).join(', ') || '–',
  },
  {
    key: 'channels',
    title: 'Channels',
    cell: ({ channels }) => channels.map(({ channelCode }) => channelCode).join(', ') || '–',
  },
  {
    key: 'merchants',
    title: 'Merchants',
    cell: ({ merchants }) =>
      merchants.length === 0
        ? '–'
        : merchants.map(({ id, merchantCode }) => (
            <span key={id}>
              <Link to={`/merchants/${id}`}>{merchantCode}</Link>{' '}
            </span>
          )),
  },
  {
    key: 'updatedAt',
    title: 'Changed',
    wideOnly: true,
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
];

/** The pools: which merchants use which accounts and channels. */
export function PoolsPage(): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({ query: PoolsDocument, variables: {} });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [editing, setEditing] = useState<{ pool: PoolRowFragment | null } | null>(null);
  const configures = may(me, 'CONFIGURE');
  return (
    <Page
      title="Pools"
      actions={
        configures && (
          <Button
            onClick={() => {
              setEditing({ pool: null });
            }}
          >
            Add a pool
          </Button>
        )
      }
    >
      <Answer asked={asked} retry={look}>
        {({ pools }) =>
          pools.length === 0 ? (
            <Empty icon="account" title="No pools">
              Every merchant uses all accounts and channels of its currencies.
            </Empty>
          ) : (
            <Rows
              label="Pools"
              columns={COLUMNS}
              rows={pools}
              keyOf={({ id }) => id}
              actions={(pool) =>
                configures && (
                  <Button
                    variant="subtle"
                    aria-label={`Change ${pool.name} in ${pool.currencyCode}`}
                    onClick={() => {
                      setEditing({ pool });
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
        <EditPool
          pool={editing.pool}
          onClose={() => {
            setEditing(null);
          }}
        />
      )}
    </Page>
  );
}
