import type { Money } from '../../domain/money';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, columnsOf, type Raw, type RowOf, rowReader } from '../rows';
import { accountCosts } from '../schema/account-costs';

/** A version of the charges that an account's bank is expected to make. */
export type AccountCostsRow = RowOf<typeof accountCosts>;
const rowOf = rowReader<AccountCostsRow>(amountFieldsOf(accountCosts));

/** All versions of several accounts, the newest first. */
export async function findAccountCosts({ sql }: Database, accountIds: readonly string[]): Promise<AccountCostsRow[]> {
  const rows = await sql<Raw<AccountCostsRow>[]>`
    select * from account_costs where account_id = any(${accountIds as string[]}) order by version desc`;
  return rows.map(rowOf);
}

/** Adds the next version of an account's costs, in force from then on. */
export async function addAccountCosts(
  tx: Transaction,
  costs: Omit<AccountCostsRow, 'version'>,
): Promise<AccountCostsRow> {
  // Locked, so that no other version is added at the same time.
  await tx`select from bank_accounts where id = ${costs.accountId} for no key update`;
  const [newest] = await tx<{ version: number }[]>`
    select version from account_costs where account_id = ${costs.accountId} order by version desc limit 1`;
  const row = { ...costs, version: (newest?.version ?? 0) + 1 };
  await tx`
    insert into account_costs
    select * from jsonb_populate_record(null::account_costs, ${tx.json(columnsOf(row))}::jsonb)`;
  return row;
}

/** What an order costs us; null if no costs are set. */
export interface OrderCostsRow {
  readonly id: string;
  readonly channelCost: Money | null;
  readonly bankCost: Money | null;
  /** The reseller's share of its fee; null without one. */
  readonly commission: Money | null;
}
const costsOf = rowReader<OrderCostsRow>({ channelCost: true, bankCost: true, commission: true });

/** What several orders cost us; only open and completed ones. */
export async function findOrderCosts({ sql }: Database, ids: readonly string[]): Promise<OrderCostsRow[]> {
  const rows = await sql<Raw<OrderCostsRow>[]>`
    select id, channel_cost::numeric(20, 4), bank_cost::numeric(20, 4), commission::numeric(20, 4)
    from order_costs(${ids as string[]}::uuid[]) left join order_commissions(${ids as string[]}::uuid[]) using (id)`;
  return rows.map(costsOf);
}
