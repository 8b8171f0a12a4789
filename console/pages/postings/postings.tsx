import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { POSTING_KINDS } from '../../../domain/operator-posting';
import { usePolled } from '../../client/polled';
import { inWords } from '../../format/words';
import {
  BookChoicesDocument,
  type OperatorPostingFilter,
  OperatorPostingsDocument,
  type PostingFieldsFragment,
} from '../../generated/operations';
import {
  ChoiceFilter,
  Filters,
  listOf,
  someOf,
  TextFilter,
  textsOf,
  TimeFilter,
  WordsFilter,
} from '../../parts/filters';
import { List, sortOfUrl, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import type { ActName } from './acts';
import { PostDialog, PostMenu } from './post';

const COLUMNS: readonly Column<PostingFieldsFragment>[] = [
  { key: 'kind', title: 'Posting', cell: ({ kind }) => inWords(kind) },
  { key: 'at', title: 'Posted', sortable: true, cell: ({ at }) => <Time at={at} /> },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  {
    key: 'order',
    title: 'Order',
    cell: ({ orderNo }) => orderNo ?? <span className="dim">–</span>,
  },
  {
    key: 'reason',
    title: 'Why',
    cell: ({ reason }) => (
      <span className="clip" title={reason}>
        {reason}
      </span>
    ),
  },
  {
    key: 'standing',
    title: 'Standing',
    cell: ({ reversedAt }) =>
      reversedAt === null ? (
        <Status value="POSTED" words="Holds" tone="good" />
      ) : (
        <Status value="REVERSED" words="Taken back" />
      ),
  },
];

/** The postings of operators. */
export function PostingsPage(): ReactNode {
  const url = useUrlState();
  const [{ data: books }] = useQuery({ query: BookChoicesDocument });
  const [acting, setActing] = useState<ActName | null>(null);
  const [from, to] = [url.get('from'), url.get('to')];
  const filter: OperatorPostingFilter = {
    kind: someOf(listOf(url, 'kind'), POSTING_KINDS),
    accountId: textsOf(listOf(url, 'account')),
    channelId: textsOf(listOf(url, 'channel')),
    currencyCode: textsOf(listOf(url, 'currency')),
    at: from === null && to === null ? null : { from, to },
  };
  const sort = sortOfUrl(url.get('sort') ?? '-at');
  const list = useList(
    OperatorPostingsDocument,
    { ...pageOf(url), filter, sort: sort.descending ? ('AT_DESC' as const) : ('AT_ASC' as const) },
    ({ operatorPostings }) => operatorPostings,
  );
  usePolled(list.look);
  return (
    <Page title="Postings" actions={<PostMenu onChoose={setActing} />}>
      <Filters names={['kind', 'account', 'channel', 'currency', 'from', 'to']}>
        <WordsFilter name="kind" label="Posting" words={POSTING_KINDS} />
        <ChoiceFilter
          name="account"
          label="Account"
          choices={(books?.bankAccounts.nodes ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
        />
        <ChoiceFilter
          name="channel"
          label="Channel"
          choices={(books?.channels.nodes ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
        />
        <TextFilter name="currency" label="Currency" narrow />
        <TimeFilter name="from" label="Posted from" />
        <TimeFilter name="to" label="Posted before" />
      </Filters>
      <List
        list={list}
        label="Postings"
        columns={COLUMNS}
        linkOf={({ id }) => `/postings/${id}`}
        sort={sort}
        empty={
          <Empty icon="ledger" title="No postings">
            Charges, own transfers, late credits and corrections by operators appear here.
          </Empty>
        }
      />
      {acting && (
        <PostDialog
          name={acting}
          onDone={list.look}
          onClose={() => {
            setActing(null);
          }}
        />
      )}
    </Page>
  );
}
