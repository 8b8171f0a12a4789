import { accountNumberKey } from '../../domain/account-number';
import { money } from '../../domain/money';
import { type DayCount, type KeptRules, readRules, type ReviewRules } from '../../domain/review';
import type { Database, Transaction } from '../client';
import type { SoughtAccount } from '../withdrawals/sought-account';
import type { RowOf } from '../rows';
import type { listedBeneficiaries, reviewRules } from '../schema/review-rules';

/** The facts of the review of a new withdrawal. */
export interface WithdrawalFacts {
  /** The bank's name in the directory; null if the bank is missing or disabled. */
  readonly bankName: string | null;
  /** The review rules; null if none are set. */
  readonly rules: { readonly version: number; readonly rules: ReviewRules } | null;
  /** The merchant's time zone, which divides its days. */
  readonly zone: string;
  readonly merchantDay: DayCount;
  readonly beneficiaryDay: DayCount;
  readonly listed: 'ALLOW' | 'DENY' | null;
  /** The merchant has paid the beneficiary before. */
  readonly known: boolean;
}

/** A beneficiary of a merchant. */
export interface Payee {
  readonly merchantId: string;
  readonly currencyCode: string;
  readonly bankCode: string;
  readonly account: string;
  /** Everything under which what it was asked to be paid on a day may be counted. */
  readonly countedAs: readonly string[];
  /** What finds the withdrawals to it. */
  readonly sought: SoughtAccount;
  /** What it is found by on the lists. */
  readonly listedAs: readonly string[];
  /** Opens the number of a beneficiary on a list. */
  readonly open: (listed: Pick<ListedRow, 'id' | 'accountNo'>) => string;
}

interface Raw {
  readonly bankName: string | null;
  readonly version: number | null;
  readonly rules: KeptRules | null;
  readonly zone: string;
  readonly merchantOrders: number;
  readonly merchantAmount: string;
  readonly beneficiaryOrders: number;
  readonly beneficiaryAmount: string;
  readonly listed: readonly Pick<ListedRow, 'id' | 'accountNo' | 'list'>[];
  readonly known: boolean;
}

/**
 * The facts of the review of a new withdrawal, in one statement. A merchant's own rules replace those for all
 * merchants. The denylist compares normalised account numbers; the allowlist and known beneficiaries compare them
 * exactly as written.
 */
export async function findWithdrawalFacts(
  { sql }: Database,
  { merchantId, currencyCode, bankCode, account, countedAs, sought, listedAs, open }: Payee,
  now: Date,
): Promise<WithdrawalFacts> {
  const [row] = await sql<Raw[]>`
    select b.name as bank_name, r.version, r.rules, z.zone,
      coalesce(m.orders, 0) as merchant_orders, coalesce(m.amount, 0)::text as merchant_amount,
      coalesce(p.orders, 0) as beneficiary_orders, coalesce(p.amount, 0)::text as beneficiary_amount,
      (select coalesce(json_agg(json_build_object('id', id, 'list', list, 'accountNo', account_no)), '[]') from (
          select * from listed_beneficiaries
          where account_key = any(${listedAs as string[]}::text[]) and bank_code = ${bankCode} and removed_at is null) all_merchants
        where merchant_id is null or merchant_id = ${merchantId}) as listed,
      exists (select from withdrawal_orders
        where beneficiary_account_index = any(${sought.indexes as string[]}::text[]) and beneficiary_bank_code = ${bankCode}
          and merchant_id = ${merchantId} and status = 'COMPLETED' and origin = 'MERCHANT') as known
    from (values (0)) one
    cross join lateral (
      select zone, local_day(${now}::timestamptz, zone) as day
      from (select coalesce((select time_zone from merchants where id = ${merchantId}), 'UTC') as zone) known
    ) z
    left join banks b on b.currency_code = ${currencyCode} and b.bank_code = ${bankCode} and b.enabled
    left join lateral (
      select version, rules from review_rules
      where currency_code = ${currencyCode} and (merchant_id = ${merchantId} or merchant_id is null)
      order by merchant_id nulls last, version desc limit 1
    ) r on true
    left join withdrawal_days m on m.merchant_id = ${merchantId} and m.currency_code = ${currencyCode}
      and m.day = z.day and m.beneficiary = ''
    cross join lateral (
      select sum(orders)::int as orders, sum(amount) as amount from withdrawal_days
      where merchant_id = ${merchantId} and currency_code = ${currencyCode} and day = z.day
        and beneficiary = any(${countedAs as string[]}::text[])
    ) p`;
  if (!row) throw new Error('one row has none');
  const { version, rules } = row;
  return {
    bankName: row.bankName,
    rules: version === null || rules === null ? null : { version, rules: readRules(rules) },
    zone: row.zone,
    merchantDay: { orders: row.merchantOrders, amount: money(row.merchantAmount) },
    beneficiaryDay: { orders: row.beneficiaryOrders, amount: money(row.beneficiaryAmount) },
    listed: row.listed.some(({ list }) => list === 'DENY')
      ? 'DENY'
      : row.listed.some((one) => open(one) === account)
        ? 'ALLOW'
        : null,
    known: row.known,
  };
}

/** Rules of a merchant in a currency, or for all merchants. */
export interface RulesRow extends Omit<RowOf<typeof reviewRules>, 'rules'> {
  readonly rules: ReviewRules;
}

type RawRules = Omit<RulesRow, 'rules'> & { readonly rules: KeptRules };
const rulesOf = (row: RawRules): RulesRow => ({ ...row, rules: readRules(row.rules) });

/** The rules in force: the newest version of each merchant and currency. */
export async function findCurrentRules({ sql }: Database): Promise<RulesRow[]> {
  const rows = await sql<RawRules[]>`
    select distinct on (merchant_id, currency_code) * from review_rules
    order by merchant_id, currency_code, version desc`;
  return rows.map(rulesOf);
}

/** The merchant and currency of rules. */
export type RulesOf = Pick<RulesRow, 'merchantId' | 'currencyCode'>;

/** The rules of exactly these, not those that apply in their absence. */
export async function findRules(
  sql: Transaction | Database['sql'],
  { merchantId, currencyCode }: RulesOf,
): Promise<RulesRow | undefined> {
  const [row] = await sql<RawRules[]>`
    select * from review_rules
    where merchant_id is not distinct from ${merchantId} and currency_code = ${currencyCode}
    order by version desc limit 1`;
  return row && rulesOf(row);
}

/** Adds a version. Concurrent ones violate review_rules_version. */
export async function insertRules(
  tx: Transaction,
  rules: RulesOf & { readonly id: string; readonly rules: KeptRules },
  now: Date,
): Promise<void> {
  const { id, merchantId, currencyCode } = rules;
  await tx`
    insert into review_rules (id, merchant_id, currency_code, version, rules, created_at)
    select ${id}::uuid, ${merchantId}::uuid, ${currencyCode},
      coalesce((select max(version) from review_rules
        where merchant_id is not distinct from ${merchantId} and currency_code = ${currencyCode}), 0) + 1,
      ${tx.json(rules.rules)}::jsonb, ${now}::timestamptz`;
}

/** A beneficiary on the allowlist or the denylist. */
export type ListedRow = RowOf<typeof listedBeneficiaries>;

/** One entry, listed or removed. */
export async function findListedById({ sql }: Database, id: string): Promise<ListedRow | undefined> {
  const [row] = await sql<ListedRow[]>`select * from listed_beneficiaries where id = ${id}`;
  return row;
}

/** The entries of a list for these merchants with a number in any spelling, which nobody adds to meanwhile. */
export async function lockListedAlike(
  tx: Transaction,
  { merchantId, bankCode, accountNo }: Pick<ListedRow, 'merchantId' | 'bankCode' | 'accountNo'>,
  listedAs: readonly string[],
): Promise<ListedRow[]> {
  await tx`select pg_advisory_xact_lock(
    hashtextextended(${`listed_beneficiaries:${bankCode}:${accountNumberKey(accountNo)}`}, 0))`;
  return await tx<ListedRow[]>`
    select * from listed_beneficiaries
    where account_key = any(${listedAs as string[]}::text[]) and bank_code = ${bankCode} and merchant_id is not distinct from ${merchantId}::uuid and removed_at is null`;
}

/** Lists a beneficiary. */
export async function insertListed(tx: Transaction, listed: Omit<ListedRow, 'removedAt'>): Promise<void> {
  const l = listed;
  await tx`
    insert into listed_beneficiaries (id, merchant_id, bank_code, account_no, account_key, list, reason, created_at)
    values (${l.id}, ${l.merchantId}, ${l.bankCode}, ${l.accountNo}, ${l.accountKey}, ${l.list}, ${l.reason}, ${l.createdAt})`;
}

/** Takes a beneficiary off its list. @returns whether this call did */
export async function removeListed(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const rows = await tx`
    update listed_beneficiaries set removed_at = ${now} where id = ${id} and removed_at is null
    returning id`;
  return rows.length === 1;
}
