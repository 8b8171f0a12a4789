import type { Database } from '../db/client';

/** The relay's polls, which it sends whether or not there is anything to do. */
const LOOKS = ['%update outbox set due_at%', '%number_events%'];

interface Counted {
  readonly steps: number;
  readonly looks: number;
}

/**
 * Starts counting the statements that PostgreSQL runs in this database, from any client.
 * @returns a function that gets the number of completed orders and returns the statements per order; nothing if the
 * server does not count
 */
export async function countStatements(
  database: Database,
): Promise<(done: number) => Promise<Readonly<Record<string, number>>>> {
  const before = await statementsSoFar(database);
  return async (done) => {
    const after = await statementsSoFar(database);
    if (before === undefined || after === undefined || done === 0) return {};
    return {
      'SQL statements each': (after.steps - before.steps) / done,
      "relay's looks each": (after.looks - before.looks) / done,
    };
  };
}

async function statementsSoFar({ sql }: Database): Promise<Counted | undefined> {
  const [counted] = await sql<{ there: boolean }[]>`
    select to_regclass('pg_stat_statements') is not null as there`;
  if (counted?.there !== true) return undefined;
  const [row] = await sql<{ steps: string; looks: string }[]>`
    select coalesce(sum(calls) filter (where not query like any(${LOOKS})), 0)::text as steps,
      coalesce(sum(calls) filter (where query like any(${LOOKS})), 0)::text as looks
    from pg_stat_statements
    where toplevel and dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'`;
  return { steps: Number(row?.steps), looks: Number(row?.looks) };
}
