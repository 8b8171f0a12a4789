import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { type Me, useSession } from '../../client/session';
import { count } from '../../format/words';
import {
  HealthBoardDocument,
  type HealthBoardQuery,
  type OutageFieldsFragment,
  OutagesDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { Page, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { EndOutage, EnterOutage, MoveWaiting, outageOf, type Subject } from './dialogs';
import {
  type BoardAccount,
  type BoardChannel,
  hasMovable,
  type Standing,
  standingOfAccount,
  standingOfChannel,
  worstFirst,
} from './standing';

const WAITING = {
  PAYOUT_UNSENT: ['unsent payout', 'unsent payouts'],
  PAYOUT_SENT: ['payout under way', 'payouts under way'],
  DEPOSIT_UNSENT: ['deposit not asked for', 'deposits not asked for'],
  DEPOSIT_SENT: ['deposit not opened', 'deposits not opened'],
} as const;

/** The columns of a row's health. */
const standingColumns = <Row,>(of: (row: Row) => Standing): Column<Row>[] => [
  {
    key: 'state',
    title: 'State',
    cell: (row) => {
      const { value, words, tone } = of(row);
      return <Status value={value} words={words} tone={tone} />;
    },
  },
  {
    key: 'since',
    title: 'Since',
    cell: (row) => {
      const { since } = of(row);
      return since === null ? '–' : <Time at={since} distance />;
    },
  },
  { key: 'reason', title: 'Reason', cell: (row) => of(row).reason ?? '–' },
];

function Success({ of: { orders, breaker } }: { of: BoardChannel }): ReactNode {
  const { succeeded, failed, successPercent } = orders;
  if (successPercent === null) return <span className="dim">no orders</span>;
  return (
    <>
      {successPercent} %{' '}
      <span className="dim">
        of {succeeded + failed} in {breaker.minutes} min
      </span>
    </>
  );
}

function Waiting({ of: { waiting } }: { of: BoardChannel }): ReactNode {
  if (waiting.length === 0) return '–';
  return (
    <>
      {waiting.map(({ kind, currencyCode, count: orders, amount, oldestAt }) => (
        <div key={`${kind} ${currencyCode}`}>
          {count(orders, WAITING[kind][0], WAITING[kind][1])}, <Money amount={amount} currency={currencyCode} />,{' '}
          <span className="dim">
            oldest <Time at={oldestAt} />
          </span>
        </div>
      ))}
    </>
  );
}

const CHANNELS: readonly Column<BoardChannel>[] = [
  { key: 'name', title: 'Channel', cell: ({ name }) => name },
  ...standingColumns(standingOfChannel),
  { key: 'success', title: 'Succeeded', cell: (channel) => <Success of={channel} /> },
  { key: 'waiting', title: 'Waits there', cell: (channel) => <Waiting of={channel} /> },
];

const ACCOUNTS: readonly Column<BoardAccount>[] = [
  { key: 'name', title: 'Account', cell: ({ name }) => name },
  ...standingColumns(standingOfAccount),
  { key: 'bank', title: 'Bank', cell: ({ bankCode }) => bankCode },
  { key: 'currency', title: 'Currency', cell: ({ currencyCode }) => currencyCode },
];

const OUTAGES: readonly Column<OutageFieldsFragment>[] = [
  { key: 'of', title: 'Of', cell: outageOf },
  {
    key: 'state',
    title: 'State',
    cell: ({ inForce }) =>
      inForce ? (
        <Status value="OUTAGE" words="In force" tone="bad" />
      ) : (
        <Status value="PLANNED" words="To come" tone="wait" />
      ),
  },
  { key: 'from', title: 'From', cell: ({ beginsAt }) => <Time at={beginsAt} /> },
  {
    key: 'to',
    title: 'To',
    cell: ({ endsAt }) => (endsAt == null ? 'until it is ended' : <Time at={endsAt} />),
  },
  { key: 'reason', title: 'Reason', cell: ({ reason }) => reason },
  {
    key: 'by',
    title: 'Entered by',
    wideOnly: true,
    cell: ({ enteredBy }) => enteredBy.label ?? '–',
  },
];

/** Banks and channels for which an outage may be entered. */
function subjectsOf({ channels, bankAccounts }: HealthBoardQuery): Subject[] {
  const banks = [...new Set(bankAccounts.nodes.map(({ bankCode }) => bankCode))].sort();
  return [
    ...banks.map((code) => ({ value: `bank:${code}`, label: `Bank ${code}` })),
    ...channels.nodes.map(({ id, name }) => ({ value: `channel:${id}`, label: `Channel ${name}` })),
  ];
}

const mayEnter = (me: Me): boolean => may(me, 'CONFIGURE') || may(me, 'TREASURER');

type Act =
  | { readonly kind: 'ENTER'; readonly subject: string | null }
  | { readonly kind: 'END'; readonly outage: OutageFieldsFragment }
  | { readonly kind: 'MOVE'; readonly channel: BoardChannel };

/** The health of channels and accounts, what waits there, and entered outages. */
export function HealthPage(): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({ query: HealthBoardDocument });
  const open = { first: 100, filter: { open: true }, sort: 'BEGINS_AT_DESC' as const };
  const [outages, askOutages] = useQuery({ query: OutagesDocument, variables: open });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
    askOutages({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [act, setAct] = useState<Act | null>(null);
  const close = (): void => {
    setAct(null);
    look();
  };
  const button = (to: Act, label: string, name: string): ReactNode => (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${label}: ${name}`}
      onClick={() => {
        setAct(to);
      }}
    >
      {label}
    </Button>
  );
  return (
    <Page
      title="Health"
      actions={
        mayEnter(me) && (
          <Button
            onClick={() => {
              setAct({ kind: 'ENTER', subject: null });
            }}
          >
            Enter an outage
          </Button>
        )
      }
    >
      <Section title="Outages" flush>
        <Answer asked={outages} retry={look}>
          {({ outages: { nodes } }) =>
            nodes.length === 0 ? (
              <Empty icon="check" title="No outages">
                No outages.
              </Empty>
            ) : (
              <Rows
                label="Outages"
                columns={OUTAGES}
                rows={nodes}
                keyOf={({ id }) => id}
                {...(mayEnter(me) && {
                  actions: (outage: OutageFieldsFragment) => button({ kind: 'END', outage }, 'End', outageOf(outage)),
                })}
              />
            )
          }
        </Answer>
      </Section>
      <Answer asked={asked} retry={look}>
        {({ channels, bankAccounts }) => (
          <>
            <Section title="Channels" flush>
              {channels.nodes.length === 0 ? (
                <Empty icon="send" title="No channels">
                  All money moves through the managed accounts.
                </Empty>
              ) : (
                <Rows
                  label="Channels"
                  columns={CHANNELS}
                  rows={worstFirst(channels.nodes, standingOfChannel)}
                  keyOf={({ id }) => id}
                  linkOf={({ id }) => `/channels/${id}`}
                  {...(may(me, 'TREASURER') && {
                    actions: (channel: BoardChannel) =>
                      hasMovable(channel) && standingOfChannel(channel).value !== 'HEALTHY'
                        ? button({ kind: 'MOVE', channel }, 'Move orders', channel.name)
                        : null,
                  })}
                />
              )}
            </Section>
            <Section title="Accounts" flush>
              {bankAccounts.nodes.length === 0 ? (
                <Empty icon="account" title="No accounts">
                  No accounts are registered.
                </Empty>
              ) : (
                <Rows
                  label="Accounts"
                  columns={ACCOUNTS}
                  rows={worstFirst(bankAccounts.nodes, standingOfAccount)}
                  keyOf={({ id }) => id}
                  linkOf={({ id }) => `/accounts?open=${id}`}
                />
              )}
            </Section>
          </>
        )}
      </Answer>
      {act?.kind === 'ENTER' && asked.data && (
        <EnterOutage subjects={subjectsOf(asked.data)} chosen={act.subject} onClose={close} />
      )}
      {act?.kind === 'END' && <EndOutage outage={act.outage} onClose={close} />}
      {act?.kind === 'MOVE' && <MoveWaiting channel={act.channel} onClose={close} />}
    </Page>
  );
}
