import type { ReactNode } from 'react';
import { usePolled } from '../../client/polled';
import { inWords } from '../../format/words';
import { AuditLogDocument, type AuditOutcome, type AuditRowFragment } from '../../generated/operations';
import { Pane } from '../../parts/dialog';
import { Code } from '../../parts/copy';
import { Diff } from '../../parts/diff';
import { Filters, listOf, someOf, TextFilter, textsOf, TimeFilter, WordsFilter } from '../../parts/filters';
import { List, useList } from '../../parts/list';
import { Facts, Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

/** The outcomes of an operator's action. */
const OUTCOMES: readonly AuditOutcome[] = [
  ...(['OK', 'UNAUTHENTICATED', 'CODE_REQUIRED', 'FACTOR_REQUIRED', 'AUTHORIZATION_ERROR', 'NOT_FOUND'] as const),
  ...(['INVALID_FIELD', 'BUSINESS_ERROR', 'INSUFFICIENT_MERCHANT_BALANCE', 'CONFLICT'] as const),
  ...(['RATE_LIMITED', 'OPTIMISTIC_LOCK_ERROR', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'] as const),
];

function Outcome({ outcome }: { outcome: string }): ReactNode {
  return outcome === 'OK' ? <Status value="OK" words="Done" tone="good" /> : <Status value={outcome} tone="bad" />;
}

const COLUMNS: readonly Column<AuditRowFragment>[] = [
  { key: 'action', title: 'Action', cell: ({ action }) => inWords(action) },
  { key: 'outcome', title: 'Outcome', cell: ({ outcome }) => <Outcome outcome={outcome} /> },
  {
    key: 'login',
    title: 'Who',
    cell: ({ login }) => login ?? <span className="dim">unknown</span>,
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

/** The audit log: everything that operators and their tools did or tried. */
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
      outcome: someOf(listOf(url, 'outcome'), OUTCOMES),
      at: from === null && to === null ? null : { from, to },
    },
  };
  const list = useList(AuditLogDocument, variables, ({ auditLog }) => auditLog);
  usePolled(list.look);
  const open = list.held.rows.find(({ id }) => id === url.get('open'));
  return (
    <Page title="Audit log">
      <Filters names={['action', 'outcome', 'subject', 'from', 'to']}>
        <TextFilter name="action" label="Action" placeholder="approveChange" />
        <WordsFilter name="outcome" label="Outcome" words={OUTCOMES} />
        <TextFilter name="subject" label="About" placeholder="merchant:…" />
        <TimeFilter name="from" label="From" />
        <TimeFilter name="to" label="Before" />
      </Filters>
      <List
        list={list}
        label="Audit log"
        columns={COLUMNS}
        linkOf={({ id }) => url.link({ open: id })}
        empty={
          <Empty icon="audit" title="No entries">
            No entry matches these filters.
          </Empty>
        }
      />
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
