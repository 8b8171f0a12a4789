import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import { isZero } from '../../format/money';
import {
  type AccountKind,
  LedgerAccountsDocument,
  type LedgerAccountsQuery,
  MerchantBalancesDocument,
  type MerchantBalancesQuery,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { besides, pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { type Column, Pager, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { useAccountName } from './names';

type Merchant = MerchantBalancesQuery['merchants']['nodes'][number];
type Balance = Merchant['balances'][number] & { readonly merchant: Merchant };

const MERCHANTS: readonly Column<Balance>[] = [
  { key: 'merchant', title: 'Merchant', cell: ({ merchant }) => merchant.merchantCode },
  {
    key: 'available',
    title: 'Available',
    numeric: true,
    cell: ({ available, currencyCode }) => <Money amount={available} currency={currencyCode} />,
  },
  {
    key: 'frozen',
    title: 'Frozen',
    numeric: true,
    cell: ({ frozen, currencyCode }) => <Money amount={frozen} currency={currencyCode} />,
  },
  {
    key: 'total',
    title: 'Total',
    numeric: true,
    cell: ({ total, currencyCode }) => <Money amount={total} currency={currencyCode} />,
  },
  {
    key: 'receivable',
    title: 'Owed to us',
    numeric: true,
    cell: ({ receivable, currencyCode }) =>
      isZero(receivable) ? <span className="dim">–</span> : <Money amount={receivable} currency={currencyCode} />,
  },
  { key: 'updatedAt', title: 'Last posting', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

/** Merchants' balances by currency; a row links to its entries. */
export function MerchantBalances(): ReactNode {
  const url = useUrlState();
  const [asked, ask] = useQuery({ query: MerchantBalancesDocument, variables: pageOf(url) });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  return (
    <Answer asked={asked} retry={look}>
      {({ merchants: { nodes, pageInfo } }) => {
        const rows = nodes.flatMap((merchant) =>
          merchant.balances.map((balance): Balance => ({ ...balance, merchant })),
        );
        return (
          <>
            {rows.length === 0 ? (
              <Empty icon="ledger" title="No balances">
                A merchant has one balance per currency.
              </Empty>
            ) : (
              <Rows
                label="Merchant balances"
                columns={MERCHANTS}
                rows={rows}
                keyOf={({ id }) => id}
                linkOf={({ merchant, currencyCode }) =>
                  `/ledger?tab=entries&merchant=${merchant.id}&currency=${currencyCode}`
                }
              />
            )}
            <Pager {...besides(url, pageInfo)} />
          </>
        );
      }}
    </Answer>
  );
}

type Account = LedgerAccountsQuery['trialBalance']['nodes'][number];

/** Merchants' balances have a page of their own. */
const OF_PLATFORM: readonly AccountKind[] = [
  ...(['ADJUSTMENT', 'BANK', 'BANK_COST', 'CHANNEL', 'CHANNEL_CLAIM', 'CHANNEL_COST'] as const),
  ...(['EQUITY', 'FEE_INCOME', 'IN_TRANSIT', 'LOSS', 'MERCHANT_RECEIVABLE'] as const),
  ...(['SUSPENSE', 'TREASURY', 'UNCLAIMED'] as const),
];

/** Balances of the platform's accounts; a row links to its entries. */
export function PlatformAccounts(): ReactNode {
  const url = useUrlState();
  const variables = { ...pageOf(url), filter: { kind: OF_PLATFORM } };
  const [asked, ask] = useQuery({ query: LedgerAccountsDocument, variables });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look, 30_000);
  const nameOf = useAccountName();
  const columns: readonly Column<Account>[] = [
    { key: 'account', title: 'Account', cell: ({ account }) => nameOf(account) },
    {
      key: 'balance',
      title: 'Holds',
      numeric: true,
      cell: ({ balance, currencyCode }) => <Money amount={balance} currency={currencyCode} />,
    },
  ];
  return (
    <Answer asked={asked} retry={look}>
      {({ trialBalance: { nodes, pageInfo } }) => (
        <>
          {nodes.length === 0 ? (
            <Empty icon="ledger" title="No postings yet" />
          ) : (
            <Rows
              label="Platform accounts"
              columns={columns}
              rows={nodes}
              keyOf={({ account, currencyCode }) => `${account} ${currencyCode}`}
              linkOf={({ account, currencyCode }) =>
                `/ledger?tab=entries&account=${encodeURIComponent(account)}&currency=${currencyCode}`
              }
            />
          )}
          <Pager {...besides(url, pageInfo)} />
        </>
      )}
    </Answer>
  );
}
