import { performance } from 'node:perf_hooks';
import postgres from 'postgres';
import { secondsOf } from './cpu';
import { spreadOf } from './harness';

/** Orders of one run, and how often each is inserted. */
const GOES = { rows: 5_000, rounds: 7 };

/** The time that one index adds to the insert of an order, microseconds. */
export interface IndexCost {
  readonly index: string;
  readonly microseconds: number;
  readonly megabytes: number;
}

/** The cost of an order's insert with all indexes, and the share of each. */
export interface IndexCosts {
  readonly row: number;
  readonly indexes: readonly IndexCost[];
}

/**
 * Inserts the same orders with all indexes and without each in turn, in transactions that are rolled back. It measures
 * the CPU time of PostgreSQL's own process, if that runs on this machine, and takes the least, because disturbances
 * only slow it. Foreign keys are switched off: they are another cost.
 */
export async function measureIndexCosts(url: string, { rows, rounds: times } = GOES): Promise<IndexCosts> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    await sql`set session_replication_role = replica`;
    await sql`
      create temp table fresh as
      select * from deposit_orders order by md5(order_no) limit ${rows}`;
    await sql`
      update fresh set id = uuidv7(), order_no = 'X' || substr(order_no, 2), status = 'PENDING',
        expected_remark = reverse(expected_remark) || 'X', created_at = now(), completed_at = null,
        actual_amount = 0, matched_at = null`;
    const indexes = await sql<{ name: string; size: string; constraint: string | null }[]>`
      select i.indexrelid::regclass::text as name, pg_relation_size(i.indexrelid)::text as size,
        (select conname from pg_constraint where conindid = i.indexrelid and contype in ('u', 'p')) as constraint
      from pg_index i where i.indrelid = 'deposit_orders'::regclass and not i.indisprimary order by 1`;
    const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const spent = (): number => secondsOf({ name: 'the backend', pid: backend?.pid ?? 0 }) ?? performance.now() / 1000;
    const go = async (without: (typeof indexes)[number] | undefined): Promise<number> => {
      await sql`begin`;
      if (without)
        await (without.constraint === null
          ? sql`drop index ${sql(without.name)}`
          : sql`alter table deposit_orders drop constraint ${sql(without.constraint)}`);
      const before = spent();
      await sql`insert into deposit_orders select * from fresh`;
      const took = (spent() - before) * 1000;
      await sql`rollback`;
      return (took * 1000) / rows;
    };
    const rounds = new Map<(typeof indexes)[number] | undefined, number[]>();
    for (let round = 0; round < times; round++)
      for (const without of [undefined, ...indexes]) {
        const took = await go(without);
        rounds.set(without, [...(rounds.get(without) ?? []), took]);
      }
    const least = (without: (typeof indexes)[number] | undefined): number => spreadOf(rounds.get(without) ?? []).min;
    const row = least(undefined);
    return {
      row,
      indexes: indexes.map((index) => ({
        index: index.name,
        microseconds: row - least(index),
        megabytes: Number(index.size) / 1024 / 1024,
      })),
    };
  } finally {
    await sql.end();
  }
}
