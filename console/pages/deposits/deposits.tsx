import type { ReactNode } from 'react';
import { useQuery, useSubscription } from 'urql';
import { useAction } from '../../client/action';
import {
  DepositsChangedDocument,
  DepositsDocument,
  type DepositRowFragment,
  ExportDepositsDocument,
  MerchantChoicesDocument,
} from '../../generated/operations';
import { ExportButton } from '../../parts/export';
import { ChoiceFilter, Filters, TextFilter, TimeFilter, WordsFilter } from '../../parts/filters';
import { List, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { isFirstPage, pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { CALLBACK_STATUSES, DEPOSIT_FILTERS, DEPOSIT_STATUSES, filterOf, fits, sortName, sortOf } from './filter';

const COLUMNS: readonly Column<DepositRowFragment>[] = [
  {
    key: 'orderNo',
    title: 'Order',
    cell: ({ orderNo }) => <span className="mono">{orderNo}</span>,
  },
  { key: 'status', title: 'Status', cell: ({ status }) => <Status value={status} /> },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    sortable: true,
    cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} />,
  },
  { key: 'merchant', title: 'Merchant', cell: ({ merchant }) => merchant.merchantCode },
  {
    key: 'merchantOrderNo',
    title: 'Merchant number',
    cell: ({ merchantOrderNo }) => (
      <span className="mono clip" title={merchantOrderNo}>
        {merchantOrderNo}
      </span>
    ),
  },
  { key: 'account', title: 'Account', wideOnly: true, cell: ({ account }) => account?.name ?? '–' },
  {
    key: 'remark',
    title: 'Remark',
    wideOnly: true,
    cell: ({ expectedRemark }) => <span className="mono">{expectedRemark ?? '–'}</span>,
  },
  {
    key: 'callback',
    title: 'Callback',
    cell: ({ callbackStatus }) =>
      callbackStatus === null ? <span className="dim">–</span> : <Status value={callbackStatus} />,
  },
  {
    key: 'createdAt',
    title: 'Created',
    sortable: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

function DepositFilters(): ReactNode {
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const merchants = data?.merchants.nodes ?? [];
  const currencies = new Set(
    merchants.flatMap((merchant) => merchant.currencies.map(({ currencyCode }) => currencyCode)),
  );
  return (
    <Filters names={DEPOSIT_FILTERS}>
      <WordsFilter name="status" label="Status" words={DEPOSIT_STATUSES} />
      <ChoiceFilter
        name="merchant"
        label="Merchant"
        choices={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
      />
      <ChoiceFilter
        name="currency"
        label="Currency"
        choices={[...currencies].sort().map((code) => ({ value: code, label: code }))}
      />
      <WordsFilter name="callback" label="Callback" words={CALLBACK_STATUSES} />
      <TextFilter name="min" label="Amount from" narrow />
      <TextFilter name="max" label="Amount to" narrow />
      <TimeFilter name="from" label="Created from" />
      <TimeFilter name="to" label="Created before" />
      <TextFilter name="user" label="Payer (user_id)" narrow />
      <TextFilter name="last4" label="Payer's last 4" narrow />
    </Filters>
  );
}

/** The deposits, live. */
export function DepositsPage(): ReactNode {
  const url = useUrlState();
  const filter = filterOf(url);
  const sort = sortOf(url);
  const list = useList(DepositsDocument, { ...pageOf(url), filter, sort: sortName(sort) }, ({ deposits }) => deposits);
  const take = useAction(ExportDepositsDocument);
  const afterSeq = list.asked.data?.lastEventSeq ?? null;
  useSubscription(
    {
      query: DepositsChangedDocument,
      variables: { filter: { kind: ['DEPOSIT'], merchantId: filter.merchantId }, afterSeq },
      pause: afterSeq === null,
    },
    (_, event) => {
      const { deposit } = event.ordersChanged;
      if (deposit) list.held.note(deposit, isFirstPage(url) && fits(deposit, filter));
      return event;
    },
  );
  return (
    <Page
      title="Deposits"
      actions={
        <ExportButton
          noun="deposit"
          busy={take.busy}
          failure={take.failure}
          take={async (reason, after) =>
            (await take.run({ filter, sort: sortName(sort), reason, after }))?.exportDeposits
          }
        />
      }
    >
      <DepositFilters />
      <List
        list={list}
        label="Deposits"
        columns={COLUMNS}
        linkOf={({ orderNo }) => `/deposits/${orderNo}`}
        sort={sort}
        empty={
          <Empty icon="deposit" title="No deposits">
            No deposit matches these filters. New ones appear here as they arrive.
          </Empty>
        }
      />
    </Page>
  );
}
