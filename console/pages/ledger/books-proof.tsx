import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import { BooksProofDocument, type BooksProofQuery } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Section } from '../../parts/page';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';

type Proof = NonNullable<BooksProofQuery['booksProof']>;
type Run = NonNullable<Proof['newest']> & { readonly what: string };
type Finding = Proof['findings'][number];

const RUNS: readonly Column<Run>[] = [
  { key: 'what', title: 'Proof', cell: ({ what }) => what },
  {
    key: 'startedAt',
    title: 'Of what was there at',
    cell: ({ startedAt }) => <Time at={startedAt} />,
  },
  { key: 'finishedAt', title: 'Ended', cell: ({ finishedAt }) => <Time at={finishedAt} /> },
  { key: 'postings', title: 'Postings', numeric: true, cell: ({ postings }) => postings },
  { key: 'rows', title: 'Rows', numeric: true, cell: ({ rows }) => rows },
  { key: 'found', title: 'Differences', numeric: true, cell: ({ found }) => found },
];

const FINDINGS: readonly Column<Finding>[] = [
  { key: 'subject', title: 'What', cell: ({ subject }) => subject },
  { key: 'problem', title: 'Difference', cell: ({ problem }) => problem },
  { key: 'firstSeenAt', title: 'Since', cell: ({ firstSeenAt }) => <Time at={firstSeenAt} /> },
  { key: 'lastSeenAt', title: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
];

const runsOf = ({ newest, whole }: Proof): Run[] => [
  ...(newest ? [{ ...newest, what: 'New, each minute' }] : []),
  ...(whole ? [{ ...whole, what: 'Everything, each night' }] : []),
];

/** Whether the books add up, when that was last proven, how many postings were proven, and how far they are sealed. */
export function BooksProof(): ReactNode {
  const [asked, ask] = useQuery({ query: BooksProofDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look, 30_000);
  return (
    <Answer asked={asked} retry={look}>
      {({ booksProof: proof }) =>
        proof && (
          <div className="stack">
            <Section
              title="Last proven"
              flush
              actions={
                proof.openFindings === 0 ? (
                  <Status value="PROVEN" words="The books add up" tone="good" />
                ) : (
                  <Status value="DIFFERS" words={`${proof.openFindings} differences`} tone="bad" />
                )
              }
            >
              <Rows label="Proofs of the books" columns={RUNS} rows={runsOf(proof)} keyOf={({ what }) => what} />
            </Section>
            <Section title="Sealed">
              {proof.seal ? (
                <p>
                  {proof.seal.seq} postings, all that were posted before <Time at={proof.seal.sealedAt} />. Head of the
                  chain: <code>{proof.seal.hash}</code>
                </p>
              ) : (
                <p className="dim">Nothing is posted yet.</p>
              )}
            </Section>
            {proof.book && (
              <Section title={`Book ${proof.book.number}`}>
                <p>
                  This sandbox is purged: {proof.book.orders} orders with postings were deleted so far, and their
                  balances carried forward. This book was opened at <Time at={proof.book.openedAt} />; orders to which
                  something happened since <Time at={proof.book.purgedBefore} /> were kept.
                </p>
              </Section>
            )}
            {proof.findings.length > 0 && (
              <Section title="Open differences" flush>
                <Rows
                  label="Open differences"
                  columns={FINDINGS}
                  rows={proof.findings}
                  keyOf={({ subject, problem }) => `${subject} ${problem}`}
                />
              </Section>
            )}
          </div>
        )
      }
    </Answer>
  );
}
