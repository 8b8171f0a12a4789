import type { ReactNode } from 'react';
import {
  type ChangeKind,
  type ChangeRowFragment,
  ChangeRequestsDocument,
  type ChangeStatus,
} from '../../generated/operations';
import { Filters, listOf, someOf, TimeFilter, WordsFilter } from '../../parts/filters';
import { List, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { usePolled } from '../../client/polled';

const STATUSES: readonly ChangeStatus[] = ['PROPOSED', 'APPLIED', 'REJECTED', 'WITHDRAWN', 'EXPIRED'];
const KINDS: readonly ChangeKind[] = [
  'CREATE_MERCHANT',
  'UPDATE_MERCHANT',
  'ISSUE_API_KEY',
  'ROTATE_API_KEY',
  'REVOKE_API_KEY',
  'CREATE_BANK_ACCOUNT',
  'UPDATE_BANK_ACCOUNT',
  'SET_BANK_ACCOUNT_STATUS',
  'CREATE_AGENT_KEY',
  'REVOKE_AGENT_KEY',
  'TOP_UP_BALANCE',
  'ADJUST_BALANCE',
  'INVITE_OPERATOR',
  'SET_OPERATOR_ACCESS',
  'SET_OPERATOR_DISABLED',
  'CREATE_ROLE',
  'UPDATE_ROLE',
  'DELETE_ROLE',
];
const COLUMNS: readonly Column<ChangeRowFragment>[] = [
  {
    key: 'summary',
    title: 'Change',
    cell: ({ summary }) => <span className="summary">{summary}</span>,
  },
  { key: 'status', title: 'Status', cell: ({ status }) => <Status value={status} /> },
  { key: 'subject', title: 'About', cell: ({ subject }) => subject.name },
  {
    key: 'money',
    title: 'Money',
    numeric: true,
    wideOnly: true,
    cell: ({ money }) =>
      money ? <Money amount={money.amount} currency={money.currencyCode} signed /> : <span className="dim">–</span>,
  },
  { key: 'proposedBy', title: 'Proposed by', cell: ({ proposedBy }) => proposedBy.login },
  { key: 'proposedAt', title: 'Proposed', cell: ({ proposedAt }) => <Time at={proposedAt} /> },
  {
    key: 'decidedBy',
    title: 'Decided by',
    cell: ({ decidedBy, alone }) => (
      <>
        {decidedBy?.login ?? <span className="dim">–</span>}
        {alone && <span className="dim"> · alone</span>}
      </>
    ),
  },
];

/** The change requests with their outcome. */
export function ChangesPage(): ReactNode {
  const url = useUrlState();
  const from = url.get('from');
  const to = url.get('to');
  const variables = {
    ...pageOf(url),
    sort: 'PROPOSED_AT_DESC' as const,
    filter: {
      status: someOf(listOf(url, 'status'), STATUSES),
      kind: someOf(listOf(url, 'kind'), KINDS),
      subjectId: url.get('subject'),
      proposedAt: from === null && to === null ? null : { from, to },
    },
  };
  const list = useList(ChangeRequestsDocument, variables, ({ changeRequests }) => changeRequests);
  usePolled(list.look);
  return (
    <Page title="Change requests">
      <Filters names={['status', 'kind', 'subject', 'from', 'to']}>
        <WordsFilter name="status" label="Status" words={STATUSES} />
        <WordsFilter name="kind" label="Kind" words={KINDS} />
        <TimeFilter name="from" label="Proposed from" />
        <TimeFilter name="to" label="Proposed before" />
      </Filters>
      <List
        list={list}
        label="Change requests"
        columns={COLUMNS}
        linkOf={({ id }) => `/changes/${id}`}
        empty={
          <Empty icon="change" title="No change requests">
            Proposed changes wait here for another operator's decision.
          </Empty>
        }
      />
    </Page>
  );
}
