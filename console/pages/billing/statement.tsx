import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { useQuery } from 'urql';
import { BillingStatementDocument, type BillingStatementQuery } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { saveFile } from '../../parts/file';
import { Icon } from '../../parts/icons';
import { Money } from '../../parts/money';
import { Facts, Page, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { balanceOf, changeOf } from './balance';

type Statement = NonNullable<BillingStatementQuery['billingStatement']>;

/** A row of the table: a line of the statement, or its opening or closing balance. */
interface Row {
  readonly key: string;
  readonly title: string;
  readonly postings: number | null;
  readonly amount: string | null;
  readonly fee: string | null;
  readonly change: string;
}

const rowsOf = (of: Statement): readonly Row[] => {
  const end = (which: 'opening' | 'closing', title: string): Row => ({
    key: which,
    title,
    postings: null,
    amount: null,
    fee: null,
    change: balanceOf(of, which),
  });
  return [
    end('opening', 'Opening balance'),
    ...of.lines.map((line) => ({ ...line, key: line.type, change: changeOf(line) })),
    end('closing', 'Closing balance'),
  ];
};

const columnsOf = (currency: string): readonly Column<Row>[] => [
  { key: 'title', title: 'Movement', cell: ({ title }) => title },
  { key: 'postings', title: 'Postings', numeric: true, cell: ({ postings }) => postings },
  ...(['amount', 'fee', 'change'] as const).map((key): Column<Row> => ({
    key,
    title: { amount: 'Amount', fee: 'Fee', change: 'Balance' }[key],
    numeric: true,
    cell: (row) => row[key] !== null && <Money amount={row[key]} currency={currency} />,
  })),
];

/** The first and the last day, in the merchant's zone, because readers of a print are in any zone. */
function periodOf({ beginsAt, endsAt, timeZone }: Statement): string {
  const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone });
  const last = new Date(Date.parse(endsAt) - 1);
  return `${days.formatRange(new Date(beginsAt), last)} (${timeZone})`;
}

function Parts({ of, end }: { of: Statement; end: 'opening' | 'closing' }): ReactNode {
  const parts =
    end === 'opening'
      ? [of.openingAvailable, of.openingFrozen, of.openingReceivable]
      : [of.closingAvailable, of.closingFrozen, of.closingReceivable];
  const [available = '0', frozen = '0', receivable = '0'] = parts;
  const money = (amount: string): ReactNode => <Money amount={amount} currency={of.currencyCode} />;
  return (
    <Section title={end === 'opening' ? 'Opening' : 'Closing'}>
      <Facts
        of={[
          ['Available', money(available)],
          ['Frozen', money(frozen)],
          ['Owed to us', money(receivable)],
          ['Balance', <strong>{money(balanceOf(of, end))}</strong>],
        ]}
      />
    </Section>
  );
}

function StatementView({ of }: { of: Statement }): ReactNode {
  return (
    <Page
      title={`Statement ${of.statementNo}`}
      back={{ to: '/billing', words: 'Billing statements' }}
      actions={
        <>
          <Button
            variant="default"
            onClick={() => {
              window.print();
            }}
          >
            Print
          </Button>
          <Button
            variant="default"
            leftSection={<Icon name="down" />}
            onClick={() => {
              saveFile(`${of.statementNo}.csv`, of.csv, 'text/csv;charset=utf-8');
            }}
          >
            CSV
          </Button>
        </>
      }
    >
      <Section title="Statement">
        <Facts
          brief
          of={[
            ['Merchant', of.merchant && `${of.merchant.name} (${of.merchant.merchantCode})`],
            ['Month', of.month],
            ['Period', periodOf(of)],
            ['Postings', of.postings],
            ['Issued', <Time at={of.issuedAt} />],
          ]}
        />
      </Section>
      <Section title="Movements" flush>
        <Rows label="Movements" columns={columnsOf(of.currencyCode)} rows={rowsOf(of)} keyOf={({ key }) => key} />
      </Section>
      <div className="split">
        <Parts of={of} end="opening" />
        <Parts of={of} end="closing" />
      </div>
      <p className="dim">It never changes: what is corrected later is a movement of a later month.</p>
    </Page>
  );
}

/** One statement; it can be printed. */
export function BillingStatementPage(): ReactNode {
  const { id = '' } = useParams();
  const [asked, ask] = useQuery({ query: BillingStatementDocument, variables: { id } });
  return (
    <Answer
      asked={asked}
      retry={() => {
        ask({ requestPolicy: 'network-only' });
      }}
    >
      {({ billingStatement }) =>
        billingStatement ? (
          <StatementView of={billingStatement} />
        ) : (
          <Empty icon="ledger" title="No such statement">
            It may belong to a merchant to which you have no access.
          </Empty>
        )
      }
    </Answer>
  );
}
