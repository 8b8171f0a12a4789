import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import {
  MerchantChoicesDocument,
  type PayerReturnFieldsFragment,
  type PayerReturnFilter,
  type PayerReturnStatus,
  PayerReturnsDocument,
} from '../../generated/operations';
import { ChoiceFilter, Filters, listOf, TextFilter, textsOf } from '../../parts/filters';
import { List, sortOfUrl, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

/** Groups of states, by their name in the URL. */
const ENDS: Readonly<Record<string, { label: string; status: PayerReturnStatus[] | null }>> = {
  open: { label: 'To be sent', status: ['OPEN', 'SENDING'] },
  paid: { label: 'Paid', status: ['COMPLETED'] },
  cancelled: { label: 'Cancelled', status: ['CANCELLED'] },
  all: { label: 'All', status: null },
};

const COLUMNS: readonly Column<PayerReturnFieldsFragment>[] = [
  { key: 'payee', title: 'To', cell: ({ payeeName }) => payeeName },
  { key: 'status', title: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  {
    key: 'of',
    title: 'Of',
    cell: ({ orderNo }) => (orderNo === null ? 'Unmatched money' : <span className="mono">{orderNo}</span>),
  },
  {
    key: 'sender',
    title: 'Sent by',
    cell: ({ sender }) => sender?.login ?? <span className="dim">–</span>,
  },
  {
    key: 'createdAt',
    title: 'Agreed',
    sortable: true,
    cell: ({ createdAt }) => <Time at={createdAt} distance />,
  },
];

/** Returns to payers: waiting money that is sent back, and refunds of deposits. */
export function ReturnsPage(): ReactNode {
  const url = useUrlState();
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const filter: PayerReturnFilter = {
    status: (ENDS[url.get('show') ?? 'open'] ?? { status: null }).status,
    merchantId: textsOf(listOf(url, 'merchant')),
    currencyCode: textsOf(listOf(url, 'currency')),
  };
  const sort = sortOfUrl(url.get('sort') ?? 'createdAt');
  const list = useList(
    PayerReturnsDocument,
    {
      ...pageOf(url),
      filter,
      sort: sort.descending ? ('CREATED_AT_DESC' as const) : ('CREATED_AT_ASC' as const),
    },
    ({ payerReturns }) => payerReturns,
  );
  usePolled(list.look);
  return (
    <Page title="Returns to payers">
      <Filters names={['show', 'merchant', 'currency']}>
        <ChoiceFilter
          name="show"
          label="Show"
          placeholder="To be sent"
          choices={Object.entries(ENDS).map(([value, { label }]) => ({ value, label }))}
        />
        <ChoiceFilter
          name="merchant"
          label="Refunds of"
          choices={(data?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
            value: id,
            label: merchantCode,
          }))}
        />
        <TextFilter name="currency" label="Currency" narrow />
      </Filters>
      <List
        list={list}
        label="Returns to payers"
        columns={COLUMNS}
        linkOf={({ id }) => `/returns/${id}`}
        sort={sort}
        empty={
          <Empty icon="send" title="Nothing to send back">
            Returns of unmatched money and refunds of deposits appear here once they are approved.
          </Empty>
        }
      />
    </Page>
  );
}
