import { Button, Group, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  AccountChoicesDocument,
  ChannelsDocument,
  CloseDayDocument,
  type CloseRowFragment,
  type DayCloseFilter,
  DayClosesDocument,
  EndCloseItemDocument,
  TakeCloseItemDocument,
} from '../../generated/operations';
import { Dialog } from '../../parts/dialog';
import { ChoiceFilter, Filters, listOf, textsOf } from '../../parts/filters';
import { Form } from '../../parts/form';
import { List, sortOfUrl, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

const nameOf = ({ account, channel }: CloseRowFragment): string => account?.name ?? channel?.channelCode ?? '–';

/** Whether the bank or a channel reports the other figure. */
const SOURCES = { STATEMENT: 'statement', AGENT: 'agent', CHANNEL: 'channel itself' } as const;

/** The state of a day, and who works on its difference. */
function State({ of: { status, item } }: { of: CloseRowFragment }): ReactNode {
  if (status === 'PROPOSED') return <Status value="PROPOSED" words="To be closed" tone="wait" />;
  if (!item) return <Status value="CLOSED" words="Closed" tone="good" />;
  if (item.endedAt !== null)
    return (
      <span className="clip" title={item.note ?? undefined}>
        Explained: {item.note}
      </span>
    );
  return (
    <span>
      <Status value="DIFFERS" words="Differs" tone="bad" />{' '}
      <span className="dim">
        {item.owner?.login ?? 'nobody'}, <Time at={item.openedAt} distance />
      </span>
    </span>
  );
}

const COLUMNS: readonly Column<CloseRowFragment>[] = [
  {
    key: 'day',
    title: 'Day',
    sortable: true,
    cell: ({ day, timeZone }) => (
      <>
        {day} <span className="dim">{timeZone}</span>
      </>
    ),
  },
  { key: 'of', title: 'Of', cell: nameOf },
  ...(['opening', 'credits', 'debits', 'closing'] as const).map((key): Column<CloseRowFragment> => ({
    key,
    title: { opening: 'Opening', credits: 'In', debits: 'Out', closing: 'Our books' }[key],
    numeric: true,
    cell: (row) => <Money amount={row[key]} currency={row.currencyCode} />,
  })),
  {
    key: 'outside',
    title: 'Bank or channel',
    numeric: true,
    cell: ({ outside, currencyCode, outsideAt, outsideSource }) =>
      outside === null ? (
        <span className="dim">unknown</span>
      ) : (
        <>
          <Money amount={outside} currency={currencyCode} />{' '}
          <span className="dim">
            {outsideSource === null ? '' : SOURCES[outsideSource]}
            {outsideAt !== null && (
              <>
                , <Time at={outsideAt} />
              </>
            )}
          </span>
        </>
      ),
  },
  {
    key: 'difference',
    title: 'Difference',
    numeric: true,
    cell: ({ difference, currencyCode, outside }) =>
      outside === null ? '–' : <Money amount={difference} currency={currencyCode} />,
  },
  { key: 'state', title: 'State', cell: (row) => <State of={row} /> },
];

function CloseDay({
  row,
  onDone,
  onClose,
}: {
  row: CloseRowFragment;
  onDone: (row: CloseRowFragment) => void;
  onClose: () => void;
}): ReactNode {
  const close = useAction(CloseDayDocument, 'Day closed.');
  return (
    <ReasonDialog
      title={`Close ${row.day} of ${nameOf(row)}`}
      act="Close the day"
      busy={close.busy}
      failure={close.failure}
      onAct={async (reason) => {
        const done = await close.run({ id: row.id, reason });
        if (!done) return;
        onDone(done.closeDay);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        Nothing more is posted for it: later movements count for the next day. A difference becomes an item that is
        assigned to you.
      </p>
    </ReasonDialog>
  );
}

function Explain({
  row,
  onDone,
  onClose,
}: {
  row: CloseRowFragment;
  onDone: (row: CloseRowFragment) => void;
  onClose: () => void;
}): ReactNode {
  const end = useAction(EndCloseItemDocument, 'Difference explained.');
  const [note, setNote] = useState('');
  return (
    <Dialog title={`Difference of ${row.day}, ${nameOf(row)}`} onClose={onClose}>
      <Form
        act="Save"
        busy={end.busy}
        failure={end.failure}
        ready={note.trim() !== ''}
        onBack={onClose}
        onAct={() => {
          if (!row.item) return;
          void end.run({ id: row.item.id, note }).then((done) => {
            if (!done) return;
            onDone(done.endCloseItem);
            onClose();
          });
        }}
      >
        <p>
          The bank or the channel has <Money amount={row.difference} currency={row.currencyCode} /> more than our books.
          This moves no money: post a correction for a later day.
        </p>
        <Textarea
          label="What it was"
          value={note}
          onChange={({ currentTarget: { value } }) => {
            setNote(value);
          }}
          required
          data-autofocus
        />
      </Form>
    </Dialog>
  );
}

/** Days of accounts and channels: our books beside the bank's or the channel's own figure. */
export function ClosesPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [{ data }] = useQuery({ query: AccountChoicesDocument });
  const [{ data: channels }] = useQuery({ query: ChannelsDocument, variables: { first: 100 } });
  const show = url.get('show');
  const filter: DayCloseFilter = {
    accountId: textsOf(listOf(url, 'account')),
    channelId: textsOf(listOf(url, 'channel')),
    status: show === 'open' ? ['PROPOSED'] : null,
    openItem: show === 'differs' ? true : null,
  };
  const sort = sortOfUrl(url.get('sort') ?? '-day');
  const list = useList(
    DayClosesDocument,
    {
      ...pageOf(url),
      filter,
      sort: sort.descending ? ('DAY_DESC' as const) : ('DAY_ASC' as const),
    },
    ({ dayCloses }) => dayCloses,
  );
  usePolled(list.look);
  const take = useAction(TakeCloseItemDocument, 'Assigned to you.');
  const [closing, setClosing] = useState<CloseRowFragment | null>(null);
  const [explaining, setExplaining] = useState<CloseRowFragment | null>(null);
  const note = (row: CloseRowFragment): void => {
    list.held.note(row, false);
  };
  const isTreasurer = may(me, 'TREASURER');
  return (
    <Page title="Daily close">
      <Filters names={['show', 'account', 'channel']}>
        <ChoiceFilter
          name="show"
          label="Show"
          placeholder="All days"
          choices={[
            { value: 'open', label: 'To be closed' },
            { value: 'differs', label: 'Unexplained differences' },
          ]}
        />
        <ChoiceFilter
          name="account"
          label="Account"
          choices={(data?.bankAccounts.nodes ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
        />
        <ChoiceFilter
          name="channel"
          label="Channel"
          choices={(channels?.channels.nodes ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
        />
      </Filters>
      <List
        list={list}
        label="Days"
        columns={COLUMNS}
        sort={sort}
        empty={
          <Empty icon="check" title="No days">
            A day is proposed once it has ended in the time zone of its account or channel.
          </Empty>
        }
        actions={(row) =>
          isTreasurer && (
            <Group gap="xs" wrap="nowrap">
              {row.status === 'PROPOSED' && (
                <Button
                  variant="subtle"
                  aria-label={`Close ${row.day} of ${nameOf(row)}`}
                  onClick={() => {
                    setClosing(row);
                  }}
                >
                  Close
                </Button>
              )}
              {row.item && row.item.endedAt === null && (
                <>
                  <Button
                    variant="subtle"
                    loading={take.busy}
                    onClick={() => {
                      const { item } = row;
                      if (item)
                        void take.run({ id: item.id }).then((done) => {
                          if (done) note(done.takeCloseItem);
                        });
                    }}
                  >
                    Take
                  </Button>
                  <Button
                    variant="subtle"
                    onClick={() => {
                      setExplaining(row);
                    }}
                  >
                    Explain
                  </Button>
                </>
              )}
            </Group>
          )
        }
      />
      {closing && (
        <CloseDay
          row={closing}
          onDone={note}
          onClose={() => {
            setClosing(null);
          }}
        />
      )}
      {explaining && (
        <Explain
          row={explaining}
          onDone={note}
          onClose={() => {
            setExplaining(null);
          }}
        />
      )}
    </Page>
  );
}
