import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import {
  MerchantChoicesDocument,
  type SettlementRunRowFragment,
  SettlementRunsDocument,
  type SettlementSkip,
} from '../../generated/operations';
import { ChoiceFilter, Filters, listOf, someOf, textsOf } from '../../parts/filters';
import { List, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

const SKIP_WORDS: Readonly<Record<SettlementSkip, string>> = {
  NO_BALANCE: 'Nothing available',
  BELOW_MINIMUM: 'Less than the minimum',
  OWES_US: 'The merchant owes us',
  MERCHANT_DISABLED: 'Merchant disabled',
  ACCOUNT_DISABLED: 'Account disabled',
  ACCOUNT_COOLING: 'Account in its cooling period',
  BANK_UNKNOWN: 'Bank not in the directory',
};
const SKIPS = Object.keys(SKIP_WORDS) as readonly SettlementSkip[];

const COLUMNS: readonly Column<SettlementRunRowFragment>[] = [
  { key: 'merchant', title: 'Merchant', cell: ({ merchant }) => merchant.merchantCode },
  {
    key: 'dueOn',
    title: 'Date',
    cell: ({ dueOn, missed }) => (
      <>
        {dueOn}
        {missed > 0 && <span className="dim"> and {missed} missed before</span>}
      </>
    ),
  },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ skipped, withdrawal }) =>
      withdrawal ? (
        <Link to={`/withdrawals/${withdrawal.orderNo}`}>
          <Status value={withdrawal.status} />
        </Link>
      ) : (
        skipped && <Status value="SKIPPED" words={SKIP_WORDS[skipped]} />
      ),
  },
  {
    key: 'settled',
    title: 'Settled',
    numeric: true,
    cell: ({ withdrawal, currencyCode }) => withdrawal && <Money amount={withdrawal.amount} currency={currencyCode} />,
  },
  {
    key: 'available',
    title: 'Available',
    numeric: true,
    cell: ({ available, currencyCode }) => <Money amount={available} currency={currencyCode} />,
  },
  { key: 'plan', title: 'Version', numeric: true, cell: ({ plan }) => String(plan.version) },
  { key: 'ranAt', title: 'Ran', cell: ({ ranAt }) => <Time at={ranAt} /> },
];

/** The runs of settlement plans: a settlement, or the reason for none. */
export function SettlementRuns(): ReactNode {
  const url = useUrlState();
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const list = useList(
    SettlementRunsDocument,
    {
      ...pageOf(url),
      filter: {
        merchantId: textsOf(listOf(url, 'merchant')),
        skipped: someOf(listOf(url, 'skipped'), SKIPS),
      },
    },
    ({ settlementRuns }) => settlementRuns,
  );
  usePolled(list.look);
  return (
    <>
      <Filters names={['merchant', 'skipped']}>
        <ChoiceFilter
          name="merchant"
          label="Merchant"
          choices={(data?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
            value: id,
            label: merchantCode,
          }))}
        />
        <ChoiceFilter
          name="skipped"
          label="Skipped"
          choices={SKIPS.map((value) => ({ value, label: SKIP_WORDS[value] }))}
        />
      </Filters>
      <List
        list={list}
        label="Runs of settlement plans"
        columns={COLUMNS}
        empty={
          <Empty icon="settlement" title="No runs">
            A merchant’s settlement plan is proposed on the merchant’s page.
          </Empty>
        }
      />
    </>
  );
}
