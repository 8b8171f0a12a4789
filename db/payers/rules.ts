import { money } from '../../domain/money';
import {
  type KeptPayerRules,
  type PayerCount,
  type PayerRules,
  readPayerRules,
  type VelocityRule,
  type VelocityTrait,
} from '../../domain/payer-rules';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { payerRules } from '../schema/payers';

/** Rules of a merchant in a currency, or for all merchants. */
export interface PayerRulesRow extends Omit<RowOf<typeof payerRules>, 'rules'> {
  readonly rules: PayerRules;
}

type Stored = RowOf<typeof payerRules>;
const rulesOf = (row: Stored): PayerRulesRow => ({ ...row, rules: readPayerRules(row.rules) });

/** As payer_rules_json writes them. */
export type PayerRulesJson = KeptPayerRules & {
  readonly version: number;
  /** The approved change request. */
  readonly changeId: string;
};

/** The rules in force: the newest version of each merchant and currency. */
export async function findCurrentPayerRules({ sql }: Database): Promise<PayerRulesRow[]> {
  const rows = await sql<Stored[]>`
    select distinct on (merchant_id, currency_code) * from payer_rules
    order by merchant_id, currency_code, version desc`;
  return rows.map(rulesOf);
}

/** The merchant and currency of rules. */
export type PayerRulesOf = Pick<Stored, 'merchantId' | 'currencyCode'>;

/** The rules of exactly these, not those that apply in their absence. */
export async function findPayerRules(
  sql: Transaction | Database['sql'],
  { merchantId, currencyCode }: PayerRulesOf,
): Promise<PayerRulesRow | undefined> {
  const [row] = await sql<Stored[]>`
    select * from payer_rules
    where merchant_id is not distinct from ${merchantId} and currency_code = ${currencyCode}
    order by version desc limit 1`;
  return row && rulesOf(row);
}

/** The rules in force for orders of a merchant; null if there are none. */
export async function findPayerRulesFor(
  { sql }: Pick<Database, 'sql'>,
  merchantId: string,
  currencyCode: string,
): Promise<PayerRulesJson | null> {
  const [row] = await sql<{ rules: PayerRulesJson | null }[]>`
    select payer_rules_json(${merchantId}, ${currencyCode}) as rules`;
  return row?.rules ?? null;
}

/** Adds a version. Concurrent ones violate payer_rules_version. */
export async function insertPayerRules(tx: Transaction, rules: Omit<Stored, 'version'>): Promise<void> {
  const { id, merchantId, currencyCode, changeId, createdAt } = rules;
  await tx`
    insert into payer_rules (id, merchant_id, currency_code, version, rules, change_id, created_at)
    select ${id}::uuid, ${merchantId}::uuid, ${currencyCode},
      coalesce((select max(version) from payer_rules
        where merchant_id is not distinct from ${merchantId} and currency_code = ${currencyCode}), 0) + 1,
      ${tx.json(rules.rules as never)}::jsonb, ${changeId}::uuid, ${createdAt}::timestamptz`;
}

/** The payer whose orders are counted: a key for each trait that the order has. */
export interface CountedPayer {
  readonly merchantId: string;
  readonly currencyCode: string;
  readonly keys: Readonly<Partial<Record<VelocityTrait, string>>>;
  /** The blind indexes of these, under each key of the ring; of a user, who is in clear, none. */
  readonly indexes: Readonly<Partial<Record<VelocityTrait, readonly string[]>>>;
}

/**
 * Counts the orders of a payer for each rule, in their order; null where the payer has no key for it. Each trait has an
 * index of its own.
 */
export async function countPayerOrders(
  { sql }: Database,
  { merchantId, currencyCode, keys, indexes }: CountedPayer,
  rules: readonly VelocityRule[],
  now: Date,
): Promise<(PayerCount | null)[]> {
  const asked = rules.flatMap(({ by, minutes }, place) => {
    const key = keys[by];
    return key === undefined ? [] : [{ place, by, minutes, key, indexes: indexes[by] ?? [] }];
  });
  if (asked.length === 0) return rules.map(() => null);
  const order = sql`select d.requested_amount, d.status from deposit_orders d`;
  const ofPayer = sql`d.created_at > s.since and d.merchant_id = ${merchantId} and d.currency_code = ${currencyCode}`;
  const rows = await sql<{ place: number; orders: number; amount: string; failed: number }[]>`
    select r.place, c.orders, c.amount, c.failed
    from jsonb_to_recordset(${sql.json(asked)}::jsonb)
      as r(place int, by text, minutes int, key text, indexes text[])
    cross join lateral (select ${now}::timestamptz - make_interval(mins => r.minutes) as since) s
    cross join lateral (
      select count(*)::int as orders, coalesce(sum(o.requested_amount), 0)::text as amount,
        (count(*) filter (where o.status in ('EXPIRED', 'CANCELLED', 'FAILED')))::int as failed
      from (
        ${order} where r.by = 'USER' and d.user_id = r.key and ${ofPayer}
        union all
        ${order} where r.by = 'EMAIL' and d.payer_email_index = any(r.indexes) and ${ofPayer}
        union all
        ${order} where r.by = 'MOBILE' and d.payer_mobile_index = any(r.indexes) and ${ofPayer}
        union all
        ${order} where r.by = 'ACCOUNT' and d.payer_account_index = any(r.indexes) and ${ofPayer}
      ) o
    ) c`;
  const counted = new Map(rows.map((row) => [row.place, row]));
  return rules.map((_rule, place) => {
    const row = counted.get(place);
    return row ? { orders: row.orders, amount: money(row.amount), failed: row.failed } : null;
  });
}
