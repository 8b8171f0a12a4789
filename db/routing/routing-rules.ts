import {
  NEW_PAYER,
  type PayerPast,
  readRule,
  type RoutedKind,
  type RuleSet,
  tierOf,
  TRUSTED_FROM,
} from '../../domain/routing-rules';
import type { Database, Transaction } from '../client';
import { columnsOf, type RowOf } from '../rows';
import type { SoughtAccount } from '../withdrawals/sought-account';
import type { routingRules } from '../schema/routing-rules';

/** A version of the routing rules of a currency and kind of order, as stored. */
export type RoutingRulesRow = RowOf<typeof routingRules>;

/** The rules of a stored version. */
export const ruleSetOf = ({ id, version, rules }: RoutingRulesRow): RuleSet & { id: string } => ({
  id,
  version,
  rules: rules.map(readRule),
});

/** Versions, the newest of each currency and kind first. @param currencyCode null: all, as for the kind */
export const findRoutingRules = async (
  sql: Database['sql'] | Transaction,
  currencyCode: string | null,
  kind: RoutedKind | null,
  newest: boolean,
): Promise<RoutingRulesRow[]> =>
  await sql<RoutingRulesRow[]>`
    select * from routing_rules r
    where (${currencyCode}::text is null or currency_code = ${currencyCode}::char(3))
      and (${kind}::text is null or order_kind = ${kind})
      and (not ${newest} or not exists (
        select from routing_rules n
        where n.currency_code = r.currency_code and n.order_kind = r.order_kind and n.version > r.version))
    order by currency_code, order_kind, version desc`;

/** The id of the newest version; null where there never were rules. */
export async function findRulesInForce(
  { sql }: Database,
  currencyCode: string,
  kind: RoutedKind,
): Promise<string | null> {
  const [row] = await sql<{ id: string | null }[]>`
    select routing_rules_in_force(${currencyCode}, ${kind}) as id`;
  return row?.id ?? null;
}

/** Several versions by their ids. */
export const findRoutingRulesById = async (
  { sql }: Pick<Database, 'sql'>,
  ids: readonly string[],
): Promise<RoutingRulesRow[]> =>
  await sql<RoutingRulesRow[]>`select * from routing_rules where id = any(${ids as string[]})`;

/** The newest version of a currency and kind, locked: no other is added until the transaction ends. */
export async function lockNewestRules(
  tx: Transaction,
  currencyCode: string,
  kind: RoutedKind,
): Promise<RoutingRulesRow | undefined> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`routing_rules ${currencyCode} ${kind}`}, 0))`;
  const [row] = await findRoutingRules(tx, currencyCode, kind, true);
  return row;
}

/** Adds a version, under the lock of its currency and kind. */
export async function insertRoutingRules(tx: Transaction, row: RoutingRulesRow): Promise<void> {
  await tx`
    insert into routing_rules
    select * from jsonb_populate_record(null::routing_rules, ${tx.json(columnsOf(row))}::jsonb)`;
}

/** The most versions that are cached: more than a platform has in force. */
const KEPT = 200;

/** A cache of versions, which never change. */
export class RuleSets {
  private readonly known = new Map<string, Promise<RuleSet | null>>();

  constructor(private readonly database: Pick<Database, 'sql'>) {}

  /** A version by its id; null if it ends the rules. @param id null: there are no rules */
  async of(id: string | null): Promise<RuleSet | null> {
    if (id === null) return null;
    const known = this.known.get(id) ?? this.read(id);
    return await known;
  }

  private async read(id: string): Promise<RuleSet | null> {
    const reading = findRoutingRulesById(this.database, [id]).then(([row]) => {
      if (!row) throw new Error(`there are no routing rules ${id}`);
      return row.rules.length === 0 ? null : ruleSetOf(row);
    });
    this.known.set(id, reading);
    const [oldest] = this.known.keys();
    if (this.known.size > KEPT && oldest !== undefined) this.known.delete(oldest);
    try {
      return await reading;
    } catch (error) {
      this.known.delete(id);
      throw error;
    }
  }
}

/** A payer as its merchant names it. */
export interface PayerKey {
  readonly merchantId: string;
  readonly userId: string;
  readonly currencyCode: string;
}

/** The most orders of a beneficiary that are read. */
const LATEST_ORDERS = 200;

interface RawPast {
  readonly place: number;
  readonly completed: number;
  readonly ways: readonly string[];
}

const pastOf = ({ completed, ways }: Omit<RawPast, 'place'>): PayerPast => ({
  tier: tierOf(completed),
  ways: [...new Set(ways)],
});

/** Payers' earlier completed orders, in the order of the keys. */
export async function findPayerPasts({ sql }: Database, keys: readonly PayerKey[]): Promise<PayerPast[]> {
  const rows = await sql<RawPast[]>`
    select k.place::int, count(p.way)::int as completed,
      coalesce(array_agg(p.way::text order by p.completed_at desc, p.id desc)
        filter (where p.way is not null and p.currency_code = k.currency_code), '{}') as ways
    from unnest(${keys.map((key) => key.merchantId)}::uuid[], ${keys.map((key) => key.userId)}::text[],
      ${keys.map((key) => key.currencyCode)}::text[]) with ordinality k(merchant_id, user_id, currency_code, place)
    left join lateral (
      select coalesce(d.account_id, d.channel_id) as way, d.completed_at, d.id, d.currency_code
      from deposit_orders d
      where d.user_id = k.user_id and d.merchant_id = k.merchant_id and d.status = 'COMPLETED'
      order by d.completed_at desc, d.id desc limit ${TRUSTED_FROM}
    ) p on true
    group by k.place order by k.place`;
  return rows.map(pastOf);
}

/** The results of a merchant's earlier payouts to a beneficiary, from its newest withdrawals. */
export async function findBeneficiaryPast(
  { sql }: Database,
  order: SoughtAccount & {
    readonly merchantId: string;
    readonly beneficiaryBankCode: string;
    readonly currencyCode: string;
  },
): Promise<PayerPast> {
  const [row] = await sql<Omit<RawPast, 'place'>[]>`
    select count(*)::int as completed, coalesce(array_agg(p.channel_id::text order by p.completed_at desc, p.id desc)
        filter (where p.channel_id is not null and p.currency_code = ${order.currencyCode}::char(3)), '{}') as ways
    from (
      select o.* from (
        (select w.* from unnest(${order.indexes as string[]}::text[]) x(index)
          cross join lateral (
            select * from withdrawal_orders
            where beneficiary_account_index = x.index and beneficiary_bank_code = ${order.beneficiaryBankCode}
              and merchant_id = ${order.merchantId}
            order by created_at desc, id desc limit ${LATEST_ORDERS}) w)
        union all
        (select * from withdrawal_orders
          where beneficiary_account = ${order.account} and beneficiary_account_index is null
            and beneficiary_bank_code = ${order.beneficiaryBankCode} and merchant_id = ${order.merchantId}
          order by created_at desc, id desc limit ${LATEST_ORDERS})
        order by created_at desc, id desc limit ${LATEST_ORDERS}
      ) o
      where o.status = 'COMPLETED' order by o.completed_at desc, o.id desc limit ${TRUSTED_FROM}
    ) p`;
  return row ? pastOf(row) : NEW_PAYER;
}
