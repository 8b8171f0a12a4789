import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { journalCharts } from '../schema/journal-charts';

/** A chart of accounts of the operating company's bookkeeping. */
export type ChartRow = RowOf<typeof journalCharts>;

/** The saved charts, by name. */
export const findCharts = async ({ sql }: Database): Promise<ChartRow[]> =>
  await sql<ChartRow[]>`select * from journal_charts order by name`;

/** One chart. */
export async function findChart({ sql }: Database, id: string): Promise<ChartRow | undefined> {
  const [row] = await sql<ChartRow[]>`select * from journal_charts where id = ${id}`;
  return row;
}

/** Adds or changes a chart. A taken name violates journal_charts_name. */
export async function putChart(tx: Transaction, chart: ChartRow): Promise<void> {
  const { id, name, accounts, updatedBy, createdAt, updatedAt } = chart;
  await tx`
    insert into journal_charts (id, name, accounts, updated_by, created_at, updated_at)
    values (${id}, ${name}, ${tx.json(accounts as never)}, ${updatedBy}, ${createdAt}, ${updatedAt})
    on conflict (id) do update set name = excluded.name, accounts = excluded.accounts,
      updated_by = excluded.updated_by, updated_at = excluded.updated_at`;
}
