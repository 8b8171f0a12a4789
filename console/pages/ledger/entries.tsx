import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { usePolled } from '../../client/polled';
import { inWords } from '../../format/words';
import {
  ExportLedgerEntriesDocument,
  LedgerEntriesDocument,
  type LedgerEntryFilter,
  type LedgerRowFragment,
  MerchantChoicesDocument,
  type LedgerTransferType,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
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
import { ExportButton } from '../../parts/export';
import { Money } from '../../parts/money';
import { besides, pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { type Column, Pager, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { type UrlState, useUrlState } from '../../parts/url';
import { useAccountName } from './names';

/** The types of ledger transfers. */
const TYPES = [
  'BANK_CREDIT',
  'DEPOSIT_CREDIT',
  'CREDIT_HELD',
  'HOLD_RELEASED',
  'DEPOSIT_RECALLED',
  'RECEIVABLE_COVERED',
  'WITHDRAWAL_FREEZE',
  'WITHDRAWAL_RELEASE',
  'WITHDRAWAL_PAID',
  'WITHDRAWAL_LATE_PAID',
  'WITHDRAWAL_RETURNED',
  'CHANNEL_COST',
  'CHANNEL_CLAIMED',
  'LATE_RECEIVED',
  'FEE_HELD',
  'FEE_RELEASED',
  'FEE_CAPTURED',
  'LATE_RETURNED',
  'BALANCE_TOP_UP',
  'BALANCE_ADJUSTMENT',
  'LATE_CREDIT',
  'TOP_UP_RECEIVED',
  'PAYOUT_RETURNED',
  'MONEY_UNCLAIMED',
  'MONEY_RETURNED',
  'REFUND_FROZEN',
  'REFUND_RELEASED',
  'REFUND_PAID',
  'BOOK_OPENED',
  'INTEREST_RECEIVED',
  'BANK_CHARGED',
  'PROFIT_TAKEN',
  'COMMISSION_EARNED',
  'COMMISSION_REVERSED',
  'COMMISSION_PAID',
  'OWN_TRANSFER_OUT',
  'OWN_TRANSFER_IN',
  'ACCOUNT_OPENED',
  'ACCOUNT_CORRECTED',
  'CHANNEL_CHARGED',
  'CLAIM_SETTLED',
  'CLAIM_WRITTEN_OFF',
  'POSTING_REVERSED',
] as const satisfies readonly LedgerTransferType[];

/** The filters by their names in the URL. */
export const ENTRY_FILTERS = ['order', 'merchant', 'account', 'currency', 'type', 'from', 'to'] as const;

function filterOf(url: UrlState): LedgerEntryFilter {
  const [from, to] = [url.get('from'), url.get('to')];
  return {
    orderNo: url.get('order'),
    merchantId: textsOf(listOf(url, 'merchant')),
    account: textsOf(listOf(url, 'account')),
    currencyCode: textsOf(listOf(url, 'currency')),
    type: someOf(listOf(url, 'type'), TYPES),
    at: from === null && to === null ? null : { from, to },
  };
}

const orderPage = (orderNo: string): string => `/${orderNo.startsWith('W') ? 'withdrawals' : 'deposits'}/${orderNo}`;

/** The ledger's entries, filtered by order, merchant, account, type and time. */
export function Entries(): ReactNode {
  const url = useUrlState();
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const [asked, ask] = useQuery({
    query: LedgerEntriesDocument,
    variables: { ...pageOf(url), filter: filterOf(url), sort: 'AT_DESC' as const },
  });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const take = useAction(ExportLedgerEntriesDocument);
  const nameOf = useAccountName();
  const columns: readonly Column<LedgerRowFragment>[] = [
    { key: 'at', title: 'Posted', cell: ({ at }) => <Time at={at} /> },
    { key: 'type', title: 'What', cell: ({ type }) => inWords(type) },
    {
      key: 'account',
      title: 'Account',
      cell: ({ account }) => <Link to={url.link({ account })}>{nameOf(account)}</Link>,
    },
    {
      key: 'amount',
      title: 'Amount',
      numeric: true,
      cell: ({ amount, currencyCode }) => <Money amount={amount} currency={currencyCode} signed />,
    },
    {
      key: 'after',
      title: 'Balance after',
      numeric: true,
      cell: ({ balanceAfter, currencyCode }) =>
        balanceAfter === null ? (
          <span className="dim">–</span>
        ) : (
          <Money amount={balanceAfter} currency={currencyCode} />
        ),
    },
    {
      key: 'order',
      title: 'Order',
      cell: ({ orderNo }) =>
        orderNo === null ? (
          <span className="dim">–</span>
        ) : (
          <Link to={orderPage(orderNo)} className="mono">
            {orderNo}
          </Link>
        ),
    },
  ];
  return (
    <>
      <Group justify="flex-end">
        <ExportButton
          noun="line"
          busy={take.busy}
          failure={take.failure}
          take={async (reason, after) =>
            (await take.run({ filter: filterOf(url), sort: 'AT_DESC', reason, after }))?.exportLedgerEntries
          }
        />
      </Group>
      <Filters names={ENTRY_FILTERS}>
        <TextFilter name="order" label="Order" />
        <ChoiceFilter
          name="merchant"
          label="Merchant"
          choices={(data?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
            value: id,
            label: merchantCode,
          }))}
        />
        <TextFilter name="account" label="Account" placeholder="suspense" />
        <TextFilter name="currency" label="Currency" narrow />
        <WordsFilter name="type" label="What" words={TYPES} />
        <TimeFilter name="from" label="Posted from" />
        <TimeFilter name="to" label="Posted before" />
      </Filters>
      <Answer asked={asked} retry={look}>
        {({ ledgerEntries: { nodes, pageInfo } }) => (
          <>
            {nodes.length === 0 ? (
              <Empty icon="ledger" title="No entries">
                No entry matches these filters.
              </Empty>
            ) : (
              <Rows
                label="Ledger entries"
                columns={columns}
                rows={nodes}
                keyOf={({ transferId, line }) => `${transferId} ${String(line)}`}
              />
            )}
            <Pager {...besides(url, pageInfo)} />
          </>
        )}
      </Answer>
    </>
  );
}
