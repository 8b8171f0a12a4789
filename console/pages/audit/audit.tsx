import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import { inWords } from '../../format/words';
import { AuditDocument, type AuditRowFragment } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Pane } from '../../parts/dialog';
import { Code } from '../../parts/copy';
import { Diff } from '../../parts/diff';
import { Filters, listOf, TextFilter, textsOf, TimeFilter } from '../../parts/filters';
import { useHeldRows } from '../../parts/held';
import { News } from '../../parts/news';
import { Facts, Page } from '../../parts/page';
import { besides, pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Pager, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

function Outcome({ outcome }: { outcome: string }): ReactNode {
  return outcome === 'OK' ? (
    <Status value="OK" words="Done" tone="good" />
  ) : (
    <Status value={outcome} tone="bad" />
  );
}

const COLUMNS: readonly Column<AuditRowFragment>[] = [
  { key: 'action', title: 'Action', cell: ({ action }) => inWords(action) },
  { key: 'outcome', title: 'Outcome', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  {
    key: 'login',
    title: 'Who',
    cell: ({ login }) => login ?? <span className="dim">nobody known</span>,
  },
  {
    key: 'subject',
    title: 'About',
    cell: ({ subject }) => (
      <span className="mono clip wide" title={subject ?? undefined}>
        {subject ?? '–'}
      </span>
    ),
  },
  {
    key: 'reason',
    title: 'Reason',
    wideOnly: true,
    cell: ({ reason }) => (
      <span className="clip wide" title={reason ?? undefined}>
        {reason ?? '–'}
      </span>
    ),
  },
  { key: 'address', title: 'From', wideOnly: true, cell: ({ address }) => address ?? '–' },
  { key: 'at', title: 'When', cell: ({ at }) => <Time at={at} /> },
];

function Entry({ entry }: { entry: AuditRowFragment }): ReactNode {
  return (
    <div className="stack">
      <Facts
        of={[
          ['Outcome', <Outcome outcome={entry.outcome} />],
          ['Who', entry.login],
          ['By', entry.via && `${inWords(entry.via)} ${entry.credential ?? ''}`],
          ['When', <Time at={entry.at} />],
          ['About', entry.subject && <Code text={entry.subject} what="subject" />],
          ['Reason', entry.reason],
          ['From', entry.address],
          ['Browser', entry.userAgent],
          ['Trace', <Code text={entry.traceId} what="trace id" />],
          ['Row', entry.seq],
          ['Hash', <Code text={entry.hash} what="hash" />],
        ]}
      />
      <Diff before={entry.before} after={entry.after} />
    </div>
  );
}

/** Everything that operators and their tools did, or tried. */
export function AuditPage(): ReactNode {
  const url = useUrlState();
  const from = url.get('from');
  const to = url.get('to');
  const variables = {
    ...pageOf(url),
    sort: 'AT_DESC' as const,
    filter: {
      action: textsOf(listOf(url, 'action')),
      subject: url.get('subject'),
      outcome: textsOf(listOf(url, 'outcome')),
      at: from === null && to === null ? null : { from, to },
    },
  };
  const [asked, ask] = useQuery({ query: AuditDocument, variables });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const held = useHeldRows(
    JSON.stringify(variables),
    asked.data?.auditLog.nodes,
    !asked.stale && !asked.fetching,
  );
  const open = held.rows.find(({ id }) => id === url.get('open'));
  return (
    <Page title="Audit log">
      <Filters names={['action', 'outcome', 'subject', 'from', 'to']}>
        <TextFilter name="action" label="Action" placeholder="approveChange" />
        <TextFilter name="outcome" label="Outcome" placeholder="OK" />
        <TextFilter name="subject" label="About" placeholder="merchant:…" />
        <TimeFilter name="from" label="From" />
        <TimeFilter name="to" label="Before" />
      </Filters>
      <Answer asked={asked} retry={look}>
        {({ auditLog: { pageInfo } }) => (
          <>
            <News
              count={held.news}
              onShow={() => {
                held.adopt();
                look();
              }}
            />
            {held.rows.length === 0 ? (
              <Empty icon="audit" title="Nothing here">
                Nothing in the log fits these filters.
              </Empty>
            ) : (
              <Rows
                label="Audit log"
                columns={COLUMNS}
                rows={held.rows}
                keyOf={({ id }) => id}
                linkOf={({ id }) => url.link({ open: id })}
              />
            )}
            <Pager {...besides(url, pageInfo)} />
          </>
        )}
      </Answer>
      <Pane
        opened={open !== undefined}
        onClose={() => {
          url.set({ open: null }, true);
        }}
        title={open ? inWords(open.action) : ''}
        size="lg"
      >
        {open && <Entry entry={open} />}
      </Pane>
    </Page>
  );
}
