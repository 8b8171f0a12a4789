import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import { isZero, sumOf } from '../../format/money';
import { inWords } from '../../format/words';
import { TrialBalanceByKindDocument, type TrialBalanceByKindQuery } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';

type KindBalance = TrialBalanceByKindQuery['trialBalanceByKind'][number];

/** Kinds with a single account, whose entries can be linked. */
const SINGLE: readonly string[] = [
  'SUSPENSE',
  'FEE_INCOME',
  'CHANNEL_COST',
  'LOSS',
  'TREASURY',
  'ADJUSTMENT',
  'EQUITY',
  'BANK_COST',
  'IN_TRANSIT',
  'UNCLAIMED',
];

/** A row of the table: one kind of account, or the total. */
type Line = Omit<KindBalance, 'kind'> & { readonly kind: KindBalance['kind'] | 'ALL' };

const amountOf = (name: 'credits' | 'debits' | 'balance', title: string): Column<Line> => ({
  key: name,
  title,
  numeric: true,
  cell: ({ currencyCode, kind, ...line }) => {
    const money = <Money amount={line[name]} currency={currencyCode} />;
    return kind === 'ALL' ? <strong>{money}</strong> : money;
  },
});

const COLUMNS: readonly Column<Line>[] = [
  {
    key: 'kind',
    title: 'Accounts',
    cell: ({ kind, currencyCode }) => {
      if (kind === 'ALL') return <strong>All</strong>;
      if (!SINGLE.includes(kind)) return inWords(kind);
      const account = kind.toLowerCase();
      return <Link to={`/ledger?tab=entries&account=${account}&currency=${currencyCode}`}>{inWords(kind)}</Link>;
    },
  },
  amountOf('credits', 'Credits'),
  amountOf('debits', 'Debits'),
  amountOf('balance', 'Balance'),
];

function OfCurrency({ currencyCode, rows }: { currencyCode: string; rows: readonly KindBalance[] }): ReactNode {
  const all: Line = {
    kind: 'ALL',
    currencyCode,
    credits: sumOf(rows.map(({ credits }) => credits)),
    debits: sumOf(rows.map(({ debits }) => debits)),
    balance: sumOf(rows.map(({ balance }) => balance)),
  };
  return (
    <Section
      title={currencyCode}
      flush
      actions={
        isZero(all.balance) ? (
          <Status value="BALANCED" words="Sums to zero" tone="good" />
        ) : (
          <Status value="UNBALANCED" words="Does not sum to zero" tone="bad" />
        )
      }
    >
      <Rows
        label={`Trial balance in ${currencyCode}`}
        columns={COLUMNS}
        rows={[...rows, all]}
        keyOf={({ kind }) => kind}
      />
    </Section>
  );
}

/** Credits and debits of each kind of account, by currency; they sum to zero. */
export function TrialBalance(): ReactNode {
  const [asked, ask] = useQuery({ query: TrialBalanceByKindDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look, 30_000);
  return (
    <Answer asked={asked} retry={look}>
      {({ trialBalanceByKind: rows }) =>
        rows.length === 0 ? (
          <Empty icon="ledger" title="No postings yet">
            The first ledger transfer appears here.
          </Empty>
        ) : (
          <div className="stack">
            <p className="dim">
              Credits are what we owe, debits what we own: a merchant&apos;s balance is positive, money at a bank
              negative.
            </p>
            {[...new Set(rows.map(({ currencyCode }) => currencyCode))].map((currencyCode) => (
              <OfCurrency
                key={currencyCode}
                currencyCode={currencyCode}
                rows={rows.filter((row) => row.currencyCode === currencyCode)}
              />
            ))}
          </div>
        )
      }
    </Answer>
  );
}
