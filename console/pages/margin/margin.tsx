import { type ReactNode, useMemo } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { sumOf } from '../../format/money';
import {
  ExportMarginDocument,
  MarginReportDocument,
  type MarginFilter,
  type MarginReportQuery,
  MerchantChoicesDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { ExportButton } from '../../parts/export';
import { ChoiceFilter, Filters, listOf, TextFilter, textsOf } from '../../parts/filters';
import { Money } from '../../parts/money';
import { Page, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { type UrlState, useUrlState } from '../../parts/url';
import { type ChartDay, MarginChart } from './margin-chart';

type Row = MarginReportQuery['marginReport'][number];

const DAY_MS = 86_400_000;
const DAYS = ['7', '30', '90'];
const BY = [
  ['MERCHANT', 'Merchant'],
  ['WAY', 'Account or channel'],
  ['KIND', 'Deposits and withdrawals'],
  ['DAY', 'Day'],
] as const;

const AMOUNTS = [
  ['amount', 'Amount'],
  ['fees', 'Fees'],
  ['channelCost', 'Channel costs'],
  ['bankCost', 'Bank costs'],
  ['commission', 'Commissions'],
  ['profit', 'Profit'],
  ['bankCharges', 'Banks took'],
] as const;

/** The subject of a row, by the grouping. */
function nameOf(row: Row, by: string): string {
  switch (by) {
    case 'MERCHANT':
      return row.merchant?.merchantCode ?? 'No merchant';
    case 'WAY':
      return row.account?.name ?? row.channel?.name ?? 'Neither';
    case 'KIND':
      return row.kind == null ? 'Without an order' : `${row.kind.charAt(0)}${row.kind.slice(1).toLowerCase()}s`;
    default:
      return row.day ?? '';
  }
}

const columnsOf = (by: string): readonly Column<Row>[] => [
  { key: 'name', title: BY.find(([one]) => one === by)?.[1] ?? '', cell: (row) => nameOf(row, by) },
  { key: 'orders', title: 'Orders', numeric: true, cell: ({ orders }) => String(orders) },
  ...AMOUNTS.map(([key, title]): Column<Row> => ({
    key,
    title,
    numeric: true,
    cell: (row) => <Money amount={row[key]} currency={row.currencyCode} />,
  })),
];

const NOTHING = { fees: '0', costs: '0', profit: '0' };

/** Every day from the first to the last, including days without money. */
function daysOf(rows: readonly Row[]): readonly ChartDay[] {
  const known = new Map(
    rows.map(({ day, fees, channelCost, bankCost, commission, profit }) => [
      day ?? '',
      { fees, profit, costs: sumOf([channelCost, bankCost, commission]) },
    ]),
  );
  const [first, last] = [[...known.keys()][0], [...known.keys()].at(-1)];
  const days: ChartDay[] = [];
  if (first === undefined || last === undefined) return days;
  for (let at = Date.parse(first); at <= Date.parse(last); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    days.push({ day, ...(known.get(day) ?? NOTHING) });
  }
  return days;
}

/** The report's filter; it includes the present day. */
function filterOf(url: UrlState, by: NonNullable<MarginFilter['by']>): MarginFilter {
  const days = Number(url.get('days') ?? '30');
  const end = Math.ceil(Date.now() / DAY_MS + 1) * DAY_MS;
  return {
    from: new Date(end - (days + 1) * DAY_MS).toISOString(),
    to: new Date(end).toISOString(),
    zone: url.get('zone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    merchantId: textsOf(listOf(url, 'merchant')),
    currencyCode: textsOf(listOf(url, 'currency')),
    by,
  };
}

/** Fees, costs and profit of orders: by day as a chart, and by the chosen grouping as a table. */
export function MarginPage(): ReactNode {
  const url = useUrlState();
  const [{ data: merchants }] = useQuery({ query: MerchantChoicesDocument });
  const by = BY.find(([one]) => one === url.get('by'))?.[0] ?? 'MERCHANT';
  const take = useAction(ExportMarginDocument);
  const asked = [url.get('days'), url.get('zone'), url.get('merchant'), url.get('currency'), by].join();
  // Computed once for the URL, because `to` moves with the clock.
  const [ofDays, ofGroups] = useMemo(
    () => [{ filter: filterOf(url, ['DAY']) }, { filter: filterOf(url, [by]) }],
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [asked],
  );
  const [days] = useQuery({ query: MarginReportDocument, variables: ofDays });
  const [groups, look] = useQuery({ query: MarginReportDocument, variables: ofGroups });
  const byDay = days.data?.marginReport ?? [];
  const currencies = [...new Set(byDay.map(({ currencyCode }) => currencyCode))];
  return (
    <Page
      title="Margin"
      actions={
        <ExportButton
          noun="row"
          busy={take.busy}
          failure={take.failure}
          take={async (reason) =>
            (await take.run({ filter: filterOf(url, ['DAY', 'MERCHANT', 'WAY']), reason }))?.exportMargin
          }
        />
      }
    >
      <Filters names={['days', 'by', 'merchant', 'currency', 'zone']}>
        <ChoiceFilter
          name="days"
          label="Days"
          placeholder="30"
          choices={DAYS.map((value) => ({ value, label: value }))}
        />
        <ChoiceFilter
          name="by"
          label="By"
          placeholder="Merchant"
          choices={BY.map(([value, label]) => ({ value, label }))}
        />
        <ChoiceFilter
          name="merchant"
          label="Merchant"
          choices={(merchants?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
            value: id,
            label: merchantCode,
          }))}
        />
        <TextFilter name="currency" label="Currency" narrow />
        <TextFilter name="zone" label="Time zone" placeholder="of this browser" />
      </Filters>
      <Answer asked={groups} retry={look}>
        {({ marginReport: rows }) =>
          rows.length === 0 ? (
            <Empty icon="ledger" title="Nothing was earned">
              No order was completed in these days, and no fee or cost was posted.
            </Empty>
          ) : (
            <>
              {currencies.map((currency) => (
                <MarginChart
                  key={currency}
                  currency={currency}
                  days={daysOf(byDay.filter(({ currencyCode }) => currencyCode === currency))}
                />
              ))}
              <Section title="Fees, costs and profit" flush>
                <Rows
                  label="Margin"
                  columns={columnsOf(by)}
                  rows={rows}
                  keyOf={(row) => `${nameOf(row, by)} ${row.currencyCode}`}
                />
              </Section>
            </>
          )
        }
      </Answer>
    </Page>
  );
}
