import type { Sql } from 'postgres';

/** A statement, as it was sent. */
export interface Sent {
  readonly statement: string;
  readonly parameters: readonly unknown[];
}

/** The used fields of a node of PostgreSQL's plan. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The scans of a statement's plan. */
export interface Plan {
  /** Tables that are read sequentially. */
  readonly sequential: readonly string[];
  readonly indexes: readonly string[];
}

/**
 * The most pages, 8 kB each, of a small table: reading all of it costs no more than using an index, and PostgreSQL does
 * so for merchants, accounts, keys. These do not grow with the orders.
 */
export const SMALL_PAGES = 64;

/** The tables of at most that size. */
export async function smallTables(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ relname: string }[]>`
    select relname from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
      and pg_relation_size(oid) <= ${SMALL_PAGES} * 8192`;
  return new Set(rows.map(({ relname }) => relname));
}

/**
 * Whether a statement belongs to no request: the driver queries the types once per connection, and hints to the relays are
 * sent up to 25 ms after a mutation.
 */
export const isBackground = (statement: string): boolean =>
  statement.includes('pg_catalog.pg_type') || statement.includes('pg_notify');

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** PostgreSQL's plan for a statement with these values, with its own settings and statistics. */
export async function planOf(sql: Sql, { statement, parameters }: Sent): Promise<Plan> {
  const [row] = await sql.unsafe<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }[]>(
    `explain (format json) ${statement}`,
    parameters as never[],
  );
  const plans = Object.values(row ?? {})[0] as readonly { readonly Plan: PlanNode }[] | undefined;
  if (!plans?.[0]) throw new Error('PostgreSQL returned no plan');
  const nodes = nodesOf(plans[0].Plan);
  return {
    sequential: nodes.flatMap((node) => (node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [])),
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
  };
}

/** Whether a statement only reads, so that running it again changes nothing. */
export const onlyReads = ({ statement }: Sent): boolean =>
  /^\s*(select|with)\b/i.test(statement) && !/\b(insert|update|delete)\b/i.test(statement);

/** The blocks of 8 kB that a statement with these values touches, cached or not: the same on a busy machine. */
export async function blocksOf(sql: Sql, { statement, parameters }: Sent): Promise<number> {
  const [row] = await sql.unsafe<Record<string, readonly { readonly Plan: Blocks }[]>[]>(
    `explain (analyze, buffers, timing off, format json) ${statement}`,
    parameters as never[],
  );
  const plan = Object.values(row ?? {})[0]?.[0]?.Plan;
  if (!plan) throw new Error('PostgreSQL returned no plan');
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
}

type Blocks = Readonly<Record<'Shared Hit Blocks' | 'Shared Read Blocks', number>>;
