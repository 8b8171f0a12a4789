import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  BookChoicesDocument,
  type LateReceiptFieldsFragment,
  type LateReceiptFilter,
  LateReceiptsDocument,
  MerchantChoicesDocument,
} from '../../generated/operations';
import { ChoiceFilter, Filters, listOf, TextFilter, textsOf, TimeFilter } from '../../parts/filters';
import { List, sortOfUrl, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

/** The filter for waiting money, by its name in the URL. */
const SHOWN: Readonly<Record<string, { label: string; waits: boolean | null }>> = {
  open: { label: 'Waits', waits: true },
  ended: { label: 'Ended', waits: false },
  all: { label: 'All', waits: null },
};

const COLUMNS: readonly Column<LateReceiptFieldsFragment>[] = [
  {
    key: 'order',
    title: 'Deposit',
    cell: ({ orderNo }) => <span className="mono">{orderNo}</span>,
  },
  { key: 'channel', title: 'At', cell: ({ channelName }) => channelName },
  {
    key: 'amount',
    title: 'Received',
    numeric: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  {
    key: 'rest',
    title: 'Still waits',
    numeric: true,
    cell: ({ rest, currencyCode }) => <Money amount={rest} currency={currencyCode} />,
  },
  { key: 'at', title: 'Posted', sortable: true, cell: ({ at }) => <Time at={at} distance /> },
];

/** Money that channels received for deposits that had ended. People decide on it on the deposit's page. */
export function LateMoneyPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [{ data: merchants }] = useQuery({ query: MerchantChoicesDocument });
  const platform = me.merchantIds === null;
  const [{ data: books }] = useQuery({ query: BookChoicesDocument, pause: !platform });
  const [from, to] = [url.get('from'), url.get('to')];
  const filter: LateReceiptFilter = {
    waits: (SHOWN[url.get('show') ?? 'open'] ?? { waits: null }).waits,
    merchantId: textsOf(listOf(url, 'merchant')),
    channelId: textsOf(listOf(url, 'channel')),
    currencyCode: textsOf(listOf(url, 'currency')),
    at: from === null && to === null ? null : { from, to },
  };
  const sort = sortOfUrl(url.get('sort') ?? 'at');
  const list = useList(
    LateReceiptsDocument,
    { ...pageOf(url), filter, sort: sort.descending ? ('AT_DESC' as const) : ('AT_ASC' as const) },
    ({ lateReceipts }) => lateReceipts,
  );
  usePolled(list.look);
  return (
    <Page title="Late money">
      <Filters names={['show', 'merchant', 'channel', 'currency', 'from', 'to']}>
        <ChoiceFilter
          name="show"
          label="Show"
          placeholder="Waits"
          choices={Object.entries(SHOWN).map(([value, { label }]) => ({ value, label }))}
        />
        <ChoiceFilter
          name="merchant"
          label="Merchant"
          choices={(merchants?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
            value: id,
            label: merchantCode,
          }))}
        />
        {platform && (
          <ChoiceFilter
            name="channel"
            label="Channel"
            choices={(books?.channels.nodes ?? []).map(({ id, name }) => ({
              value: id,
              label: name,
            }))}
          />
        )}
        <TextFilter name="currency" label="Currency" narrow />
        <TimeFilter name="from" label="Posted from" />
        <TimeFilter name="to" label="Posted before" />
      </Filters>
      <List
        list={list}
        label="Late money"
        columns={COLUMNS}
        linkOf={({ orderNo }) => `/deposits/${orderNo}`}
        sort={sort}
        empty={
          <Empty icon="clock" title="No late money">
            Money that a channel receives for a deposit that has ended waits here until two people resolve it.
          </Empty>
        }
      />
    </Page>
  );
}
