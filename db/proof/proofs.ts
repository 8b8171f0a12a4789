import { uuidv7 } from 'uuidv7';
import type { Database } from '../client';
import type { RowOf } from '../rows';
import type { bookFindings, bookProofs } from '../schema/books';
import type { Proof } from './prove';
import type { Discrepancy } from './rule';

/** A completed proof. */
export type ProofRow = Omit<RowOf<typeof bookProofs>, 'throughEvent'> & {
  readonly throughEvent: bigint;
};
/** A difference that is still open: no later whole proof was without it. */
export type FindingRow = RowOf<typeof bookFindings>;

type Reader = Pick<Database, 'sql'>;

/** The newest proof of a kind. */
export async function findProof({ sql }: Reader, kind: ProofRow['kind']): Promise<ProofRow | undefined> {
  const [row] = await sql<(Omit<ProofRow, 'throughEvent'> & { throughEvent: string })[]>`
    select * from book_proofs where kind = ${kind} order by finished_at desc limit 1`;
  return row && { ...row, throughEvent: BigInt(row.throughEvent) };
}

/** Differences that are open, the oldest first. */
export const findFindings = async ({ sql }: Reader, limit: number): Promise<FindingRow[]> =>
  await sql<FindingRow[]>`
    select * from book_findings where gone_at is null order by first_seen_at, id limit ${limit}`;

/** How many differences are open. */
export async function countFindings({ sql }: Reader): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from book_findings where gone_at is null`;
  return row?.count ?? 0;
}

/** The number of the newest order event. */
export async function newestEvent({ sql }: Reader): Promise<bigint> {
  const [row] = await sql<{ seq: string }[]>`
    select coalesce(max(seq), 0)::text as seq from order_events`;
  return BigInt(row?.seq ?? 0);
}

/**
 * The rows that may demand a new posting since then: orders with new events and their attempts, bank credits, merchants
 * whose balance moved, decided change requests.
 */
export async function changedRows(
  { sql }: Reader,
  { after, since }: { readonly after: bigint; readonly since: Date },
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with orders as (
      select distinct order_id as id from order_events where seq > ${after.toString()}::bigint
    )
    select id from orders
    union
    select p.id from orders o join payout_attempts p on p.withdrawal_id = o.id
    union
    select p.id from orders o join deposit_attempts p on p.deposit_id = o.id
    union
    select id from bank_transfers where received_at >= ${since}
    union
    select merchant_id from merchant_balances where updated_at >= ${since}
    union
    select id from receivable_covers where at >= ${since}
    union
    select id from operator_postings where at >= ${since} or reversed_at >= ${since}
    union
    select id from payer_returns where created_at >= ${since} or ended_at >= ${since}
    union
    select id from change_requests where status = 'APPLIED' and decided_at >= ${since}`;
  return rows.map(({ id }) => id);
}

/** How long proofs of kind NEW are kept, days. */
const KEPT_DAYS = 30;

/**
 * Stores a proof with its differences. A whole proof closes those that it no longer finds. @returns the differences
 * that are new or open again
 */
export async function noteProof(
  { transaction }: Database,
  proof: Proof & Pick<ProofRow, 'kind' | 'startedAt' | 'finishedAt' | 'throughEvent'>,
): Promise<Discrepancy[]> {
  const { kind, startedAt, finishedAt, discrepancies } = proof;
  const named = [...new Map(discrepancies.map((d) => [`${d.subject}\n${d.problem}`, d])).values()];
  return await transaction(async (tx) => {
    await tx`
      insert into book_proofs (id, kind, started_at, finished_at, postings, rows, found, through_event)
      values (${uuidv7()}, ${kind}, ${startedAt}, ${finishedAt}, ${proof.postings}, ${proof.rows},
        ${discrepancies.length}, ${proof.throughEvent.toString()}::bigint)`;
    await tx`
      delete from book_proofs where kind = 'NEW'
        and finished_at < ${finishedAt}::timestamptz - make_interval(days => ${KEPT_DAYS})`;
    const open = await tx<Discrepancy[]>`
      select subject, problem from book_findings where gone_at is null`;
    const known = new Set(open.map(({ subject, problem }) => `${subject}\n${problem}`));
    await tx`
      insert into book_findings as f (id, subject, problem, first_seen_at, last_seen_at)
      select new_id(${finishedAt}), subject, problem, ${finishedAt}, ${finishedAt}
      from unnest(${named.map((d) => d.subject)}::text[], ${named.map((d) => d.problem)}::text[]) as d(subject, problem)
      on conflict (subject, problem) do update set last_seen_at = excluded.last_seen_at, gone_at = null,
        first_seen_at = case when f.gone_at is null then f.first_seen_at else excluded.first_seen_at end`;
    if (kind === 'WHOLE')
      await tx`update book_findings set gone_at = ${finishedAt} where gone_at is null and last_seen_at < ${finishedAt}`;
    return named.filter(({ subject, problem }) => !known.has(`${subject}\n${problem}`));
  });
}
