import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import {
  type BillingRowFragment,
  BillingStatementsDocument,
  MerchantChoicesDocument,
} from '../../generated/operations';
import { ChoiceFilter, Filters, listOf, textsOf } from '../../parts/filters';
import { List, sortOfUrl, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { balanceOf } from './balance';
import { DayFile } from './day-file';

const COLUMNS: readonly Column<BillingRowFragment>[] = [
  { key: 'month', title: 'Month', sortable: true, cell: ({ month }) => month },
  { key: 'no', title: 'Number', cell: ({ statementNo }) => statementNo },
  { key: 'merchant', title: 'Merchant', cell: ({ merchant }) => merchant?.name },
  ...(['opening', 'closing'] as const).map((which): Column<BillingRowFragment> => ({
    key: which,
    title: which === 'opening' ? 'Opening' : 'Closing',
    numeric: true,
    cell: (row) => <Money amount={balanceOf(row, which)} currency={row.currencyCode} />,
  })),
  { key: 'postings', title: 'Postings', numeric: true, cell: ({ postings }) => postings },
  { key: 'issued', title: 'Issued', cell: ({ issuedAt }) => <Time at={issuedAt} /> },
];

/** Merchants' statements of each month, and the files of single days. */
export function BillingPage(): ReactNode {
  const url = useUrlState();
  const [{ data }] = useQuery({ query: MerchantChoicesDocument });
  const sort = sortOfUrl(url.get('sort') ?? '-month');
  const list = useList(
    BillingStatementsDocument,
    {
      ...pageOf(url),
      filter: { merchantId: textsOf(listOf(url, 'merchant')) },
      sort: sort.descending ? ('MONTH_DESC' as const) : ('MONTH_ASC' as const),
    },
    ({ billingStatements }) => billingStatements,
  );
  usePolled(list.look);
  const merchants = data?.merchants.nodes ?? [];
  return (
    <Page title="Billing statements" actions={<DayFile merchants={merchants} />}>
      <Filters names={['merchant']}>
        <ChoiceFilter
          name="merchant"
          label="Merchant"
          choices={merchants.map(({ id, merchantCode }) => ({ value: id, label: merchantCode }))}
        />
      </Filters>
      <List
        list={list}
        label="Billing statements"
        columns={COLUMNS}
        linkOf={({ id }) => `/billing/${id}`}
        sort={sort}
        empty={
          <Empty icon="ledger" title="No billing statements">
            A statement is issued an hour after each month, in the time zone of its merchant.
          </Empty>
        }
      />
    </Page>
  );
}
