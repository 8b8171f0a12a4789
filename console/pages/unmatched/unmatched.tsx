import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import {
  AccountChoicesDocument,
  type BankTransferSort,
  UnmatchedTransfersDocument,
  type UnmatchedReason,
  type UnmatchedRowFragment,
} from '../../generated/operations';
import { Pane } from '../../parts/dialog';
import { ChoiceFilter, Filters, listOf, someOf, TextFilter, textsOf } from '../../parts/filters';
import { useKeys } from '../../parts/keys';
import { List, sortOfUrl, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { WHY } from './reasons';
import { TransferPane } from './transfer';

const REASONS = Object.keys(WHY) as UnmatchedReason[];

const columns = (gone: ReadonlySet<string>): readonly Column<UnmatchedRowFragment>[] => [
  {
    key: 'amount',
    title: 'Bank credit',
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  {
    key: 'why',
    title: 'Why unmatched',
    cell: ({ id, unmatchedReason, orderNo }) => {
      if (unmatchedReason === null) return <Status value="MATCHED" words={`Matched to ${orderNo ?? 'an order'}`} />;
      return gone.has(id) ? (
        <Status value="MATCHED" words="Matched" tone="off" />
      ) : (
        <Status value="UNMATCHED" words={WHY[unmatchedReason]} />
      );
    },
  },
  {
    key: 'memo',
    title: 'Memo',
    cell: ({ memo }) => (
      <span className="mono clip wide" title={memo}>
        {memo || '–'}
      </span>
    ),
  },
  {
    key: 'payer',
    title: 'Payer',
    cell: ({ payerName, payerAccount }) => payerName ?? payerAccount ?? <span className="dim">–</span>,
  },
  { key: 'account', title: 'Account', cell: ({ account }) => account.name },
  {
    key: 'bankTime',
    title: 'Booked',
    sortable: true,
    cell: ({ bankTime }) => <Time at={bankTime} />,
  },
  {
    key: 'due',
    title: 'Due',
    cell: ({ dueAt }) => (dueAt === null ? <span className="dim">–</span> : <Time at={dueAt} distance />),
  },
  {
    key: 'owner',
    title: 'Owner',
    wideOnly: true,
    cell: ({ owner }) => owner?.login ?? <span className="dim">–</span>,
  },
  {
    key: 'receivedAt',
    title: 'Reported',
    sortable: true,
    wideOnly: true,
    cell: ({ receivedAt }) => <Time at={receivedAt} />,
  },
];

const SORTS: Readonly<Record<string, BankTransferSort>> = {
  '-receivedAt': 'RECEIVED_AT_DESC',
  receivedAt: 'RECEIVED_AT_ASC',
  '-bankTime': 'BANK_TIME_DESC',
  bankTime: 'BANK_TIME_ASC',
};

function UnmatchedFilters(): ReactNode {
  const [{ data }] = useQuery({ query: AccountChoicesDocument });
  return (
    <Filters names={['account', 'reason', 'min', 'max']}>
      <ChoiceFilter
        name="account"
        label="Account"
        choices={(data?.bankAccounts.nodes ?? []).map(({ id, name }) => ({
          value: id,
          label: name,
        }))}
      />
      <ChoiceFilter
        name="reason"
        label="Why unmatched"
        choices={Object.entries(WHY).map(([value, label]) => ({ value, label }))}
      />
      <TextFilter name="min" label="Amount from" narrow />
      <TextFilter name="max" label="Amount to" narrow />
    </Filters>
  );
}

/** Bank credits without an order. */
export function UnmatchedPage(): ReactNode {
  const url = useUrlState();
  const way = url.get('sort') ?? '-receivedAt';
  const [min, max] = [url.get('min'), url.get('max')];
  const variables = {
    ...pageOf(url),
    sort: SORTS[way] ?? 'RECEIVED_AT_DESC',
    filter: {
      accountId: textsOf(listOf(url, 'account')),
      unmatchedReason: someOf(listOf(url, 'reason'), REASONS),
      amount: min === null && max === null ? null : { min, max },
    },
  };
  const list = useList(UnmatchedTransfersDocument, variables, (data) => data.unmatchedTransfers);
  usePolled(list.look);
  const open = url.get('open');
  const rows = list.held.rows;
  const move = (by: number): void => {
    const next = rows[open === null ? 0 : rows.findIndex(({ id }) => id === open) + by];
    if (next) url.set({ open: next.id }, true);
  };
  useKeys({
    j: () => {
      move(1);
    },
    k: () => {
      move(-1);
    },
  });
  return (
    <Page title="Unmatched money">
      <UnmatchedFilters />
      <p className="dim keys">
        <kbd>j</kbd> <kbd>k</kbd> move; in a credit each ending has its letter.
      </p>
      <List
        list={list}
        label="Unmatched money"
        columns={columns(list.held.gone)}
        linkOf={({ id }) => url.link({ open: id })}
        sort={sortOfUrl(way)}
        current={open ?? undefined}
        empty={<Empty title="Nothing unmatched">Every bank credit is matched to an order. New ones appear here.</Empty>}
      />
      <Pane
        opened={open !== null}
        onClose={() => {
          url.set({ open: null }, true);
        }}
        title="Bank credit"
        size="lg"
      >
        {open !== null && (
          <TransferPane
            id={open}
            onMatched={(row) => {
              list.held.note(row, false);
            }}
          />
        )}
      </Pane>
    </Page>
  );
}
