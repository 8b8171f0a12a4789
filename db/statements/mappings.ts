import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { statementMappings } from '../schema/statements';

/** A description of a bank's CSV files. */
export type MappingRow = RowOf<typeof statementMappings>;

/** The mappings, by name; with an account, those that apply to it first. */
export const findMappings = async ({ sql }: Database): Promise<MappingRow[]> =>
  await sql<MappingRow[]>`select * from statement_mappings order by name`;

/** One mapping. */
export async function findMapping({ sql }: Database, id: string): Promise<MappingRow | undefined> {
  const [row] = await sql<MappingRow[]>`select * from statement_mappings where id = ${id}`;
  return row;
}

/** Adds or changes a mapping. A taken name violates statement_mappings_name. */
export async function putMapping(tx: Transaction, mapping: MappingRow): Promise<void> {
  const { id, name, bankCode, accountId, updatedBy, createdAt, updatedAt } = mapping;
  await tx`
    insert into statement_mappings (id, name, bank_code, account_id, mapping, updated_by, created_at, updated_at)
    values (${id}, ${name}, ${bankCode}, ${accountId}, ${tx.json(mapping.mapping as never)}, ${updatedBy},
      ${createdAt}, ${updatedAt})
    on conflict (id) do update set name = excluded.name, bank_code = excluded.bank_code,
      account_id = excluded.account_id, mapping = excluded.mapping, updated_by = excluded.updated_by,
      updated_at = excluded.updated_at`;
}
