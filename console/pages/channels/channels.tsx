import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import {
  type ChannelFieldsFragment,
  type ChannelHealth,
  type ChannelKind,
  ChannelsDocument,
} from '../../generated/operations';
import { Filters, listOf, someOf, TextFilter, WordsFilter } from '../../parts/filters';
import { List, useList } from '../../parts/list';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { useUrlState } from '../../parts/url';
import { NewChannel } from './edit';
import { Health } from './health';

const KINDS: readonly ChannelKind[] = ['MOCK', 'HTTP'];
const HEALTHS: readonly ChannelHealth[] = ['UP', 'DOWN', 'UNKNOWN'];

const listed = (currencies: readonly string[]): string => currencies.join(', ') || '–';

const COLUMNS: readonly Column<ChannelFieldsFragment>[] = [
  { key: 'name', title: 'Channel', cell: ({ name }) => name },
  {
    key: 'status',
    title: 'Status',
    cell: ({ enabled }) => <Status value={enabled ? 'ENABLED' : 'DISABLED'} />,
  },
  { key: 'health', title: 'Health', cell: (channel) => <Health of={channel} /> },
  {
    key: 'code',
    title: 'Code',
    cell: ({ channelCode }) => <span className="mono">{channelCode}</span>,
  },
  { key: 'kind', title: 'Kind', wideOnly: true, cell: ({ kind }) => inWords(kind) },
  { key: 'payouts', title: 'Pays out', cell: ({ currencies }) => listed(currencies) },
  {
    key: 'deposits',
    title: 'Takes deposits',
    cell: ({ deposits }) => listed(deposits.currencies),
  },
  { key: 'priority', title: 'Priority', wideOnly: true, cell: ({ priority }) => String(priority) },
];

/** The channels: ways to pay out and to take deposits besides the managed accounts. */
export function ChannelsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const filter = {
    kind: someOf(listOf(url, 'kind'), KINDS),
    health: someOf(listOf(url, 'health'), HEALTHS),
    currencyCode: url.get('currency'),
  };
  const list = useList(
    ChannelsDocument,
    { ...pageOf(url), filter, sort: 'NAME_ASC' as const },
    ({ channels }) => channels,
  );
  usePolled(list.look);
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Channels"
      actions={
        may(me, 'CONFIGURE') && (
          <Button
            onClick={() => {
              setAdding(true);
            }}
          >
            Add a channel
          </Button>
        )
      }
    >
      <Filters names={['kind', 'health', 'currency']}>
        <WordsFilter name="kind" label="Kind" words={KINDS} />
        <WordsFilter name="health" label="Health" words={HEALTHS} />
        <TextFilter name="currency" label="Pays out in" narrow />
      </Filters>
      <List
        list={list}
        label="Channels"
        columns={COLUMNS}
        linkOf={({ id }) => `/channels/${id}`}
        empty={
          <Empty icon="send" title="No channels">
            {Object.values(filter).some(Boolean)
              ? 'Nothing matches these filters.'
              : 'All money moves through the managed accounts.'}
          </Empty>
        }
      />
      {adding && (
        <NewChannel
          onClose={() => {
            setAdding(false);
            list.held.adopt();
            list.look();
          }}
        />
      )}
    </Page>
  );
}
