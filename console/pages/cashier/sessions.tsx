import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import {
  type CashierRowFragment,
  CashierSessionsDocument,
  type CashierStatus,
  MerchantChoicesDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { ChoiceFilter, Filters, listOf, someOf, TextFilter, textsOf, WordsFilter } from '../../parts/filters';
import { useHeldRows } from '../../parts/held';
import { Money } from '../../parts/money';
import { News } from '../../parts/news';
import { Page } from '../../parts/page';
import { besides, pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Pager, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

const STATUSES: readonly CashierStatus[] = ['PENDING', 'SUBMITTED', 'EXPIRED'];

/** A session's status; one that an operator ended is marked. */
export function SessionStatus({
  session: { status, revokedAt },
}: {
  session: Pick<CashierRowFragment, 'status' | 'revokedAt'>;
}): ReactNode {
  return revokedAt === null ? <Status value={status} /> : <Status value="REVOKED" />;
}

const COLUMNS: readonly Column<CashierRowFragment>[] = [
  {
    key: 'number',
    title: 'Merchant number',
    cell: ({ merchantOrderNo }) => (
      <span className="mono clip" title={merchantOrderNo}>
        {merchantOrderNo}
      </span>
    ),
  },
  { key: 'status', title: 'Status', cell: (session) => <SessionStatus session={session} /> },
  { key: 'merchant', title: 'Merchant', cell: ({ merchant }) => merchant.merchantCode },
  {
    key: 'amount',
    title: 'Amount',
    numeric: true,
    cell: ({ deposit, currencyCode }) =>
      deposit ? <Money amount={deposit.amount} currency={currencyCode} /> : <span className="dim">{currencyCode}</span>,
  },
  {
    key: 'order',
    title: 'Order',
    cell: ({ deposit }) => <span className="mono">{deposit?.orderNo ?? '–'}</span>,
  },
  {
    key: 'user',
    title: 'User',
    wideOnly: true,
    cell: ({ userId }) => userId ?? <span className="dim">–</span>,
  },
  { key: 'createdAt', title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    key: 'expireAt',
    title: 'Expires',
    wideOnly: true,
    cell: ({ expireAt, status }) => <Time at={expireAt} distance={status === 'PENDING'} />,
  },
];

function SessionFilters(): ReactNode {
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  return (
    <Filters names={['status', 'merchant', 'number', 'user']}>
      <WordsFilter name="status" label="Status" words={STATUSES} />
      <ChoiceFilter
        name="merchant"
        label="Merchant"
        choices={(data?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
          value: id,
          label: merchantCode,
        }))}
      />
      <TextFilter name="number" label="Merchant number" />
      <TextFilter name="user" label="User" />
    </Filters>
  );
}

/** The cashier sessions. */
export function CashierSessionsPage(): ReactNode {
  const url = useUrlState();
  const variables = {
    ...pageOf(url),
    sort: 'CREATED_AT_DESC' as const,
    filter: {
      status: someOf(listOf(url, 'status'), STATUSES),
      merchantId: textsOf(listOf(url, 'merchant')),
      merchantOrderNo: url.get('number'),
      userId: url.get('user'),
    },
  };
  const [asked, ask] = useQuery({ query: CashierSessionsDocument, variables });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const held = useHeldRows(
    JSON.stringify(variables),
    asked.data?.cashierSessions.nodes,
    !asked.stale && !asked.fetching,
  );
  return (
    <Page title="Cashier sessions">
      <SessionFilters />
      <Answer asked={asked} retry={look}>
        {({ cashierSessions: { pageInfo } }) => (
          <>
            <News
              count={held.news}
              onShow={() => {
                held.adopt();
                look();
              }}
            />
            {held.rows.length === 0 ? (
              <Empty icon="cashier" title="No cashier sessions">
                Sessions that merchants open for their payers appear here.
              </Empty>
            ) : (
              <Rows
                label="Cashier sessions"
                columns={COLUMNS}
                rows={held.rows}
                keyOf={({ id }) => id}
                linkOf={({ id }) => `/cashier/${id}`}
                changed={held.changed}
              />
            )}
            <Pager {...besides(url, pageInfo)} />
          </>
        )}
      </Answer>
    </Page>
  );
}
