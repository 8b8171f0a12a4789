import type { Sql } from 'postgres';

/** A statement as it was sent. */
export interface Sent {
  readonly statement: string;
  readonly parameters: readonly unknown[];
}

/** A node of a plan as PostgreSQL tells it, as far as it is looked at. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** What a statement goes along. */
export interface Plan {
  /** Tables that are read from end to end. */
  readonly sequential: readonly string[];
  readonly indexes: readonly string[];
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The plan that PostgreSQL makes for a statement with these values, with its own settings and statistics. */
export async function planOf(sql: Sql, { statement, parameters }: Sent): Promise<Plan> {
  const [row] = await sql.unsafe<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }[]>(
    `explain (format json) ${statement}`,
    parameters as never[],
  );
  const told = Object.values(row ?? {})[0] as readonly { readonly Plan: PlanNode }[] | undefined;
  if (!told?.[0]) throw new Error('PostgreSQL explains nothing');
  const nodes = nodesOf(told[0].Plan);
  return {
    sequential: nodes.flatMap((node) =>
      node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : [],
    ),
    indexes: nodes.flatMap((node) => node['Index Name'] ?? []),
  };
}
