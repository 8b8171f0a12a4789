import { accountsOf, amountsOf } from '../ledger/postings';
import type { NewPosting } from '../ledger/operator-postings';
import type { Posting } from '../../domain/ledger';
import { money, type Money } from '../../domain/money';
import type { Database, Transaction } from '../client';
import { amountFieldsOf, columnsOf, type Raw, type RowOf, rowReader } from '../rows';
import { statementRules } from '../schema/statements';

/** A rule that explains lines of statements by their texts; a version never changes. */
export type RuleRow = RowOf<typeof statementRules>;

const ruleOf = rowReader<RuleRow>(amountFieldsOf(statementRules));

type Sql = Database['sql'] | Transaction;

/** The rules in force, or all versions, by name. */
export async function findRules({ sql }: { readonly sql: Sql }, all: boolean): Promise<RuleRow[]> {
  const rows = await sql<Raw<RuleRow>[]>`
    select * from statement_rules where ${all} or active order by name, version desc`;
  return rows.map(ruleOf);
}

/** Several versions of rules by their ids. */
export async function findRulesById({ sql }: { readonly sql: Sql }, ids: readonly string[]): Promise<RuleRow[]> {
  const rows = await sql<Raw<RuleRow>[]>`
    select * from statement_rules where id = any(${ids as string[]})`;
  return rows.map(ruleOf);
}

/** The newest version of a rule, locked. */
export async function lockRule(tx: Transaction, name: string): Promise<RuleRow | undefined> {
  const [row] = await tx<Raw<RuleRow>[]>`
    select * from statement_rules where name = ${name} order by version desc limit 1 for update`;
  return row && ruleOf(row);
}

/** Adds the next version of a rule; the previous one is no longer in force. */
export async function putRule(tx: Transaction, rule: RuleRow): Promise<void> {
  await tx`update statement_rules set active = false where name = ${rule.name} and active`;
  await tx`
    insert into statement_rules
    select * from jsonb_populate_record(null::statement_rules, ${tx.json(columnsOf(rule))}::jsonb)`;
}

/**
 * What those of these rules that are in force have explained since a time; an own transfer counts once. Locks them, so
 * that two imports do not use the same day's amount.
 */
export async function lockExplained(
  tx: Transaction,
  ruleIds: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, Money>> {
  await tx`
    select from statement_rules where id = any(${ruleIds as string[]}) order by id for no key update`;
  const rows = await tx<{ id: string; explained: string }[]>`
    select r.id, coalesce((
      select sum(p.amount) from statement_rules v join operator_postings p on p.rule_id = v.id
      where v.name = r.name and p.at >= ${since} and p.kind <> 'OWN_TRANSFER_IN' and p.reversed_at is null), 0)::text
      as explained
    from statement_rules r where r.id = any(${ruleIds as string[]}) and r.active`;
  return new Map(rows.map(({ id, explained }) => [id, money(explained)]));
}

/**
 * The unused parts of credits and debits, by their ids. Zero for a debit that an operator explained as text, and for
 * what a rule explained and operators reversed. Locks them.
 */
export async function lockRests(
  tx: Transaction,
  transferIds: readonly string[],
  debitIds: readonly string[],
): Promise<ReadonlyMap<string, Money>> {
  await tx`
    select from bank_transfers where id = any(${transferIds as string[]}) order by id for no key update`;
  await tx`
    select from bank_debits where id = any(${debitIds as string[]}) order by id for no key update`;
  const rows = await tx<{ id: string; rest: string }[]>`
    select t.id, transfer_rest(t.id)::text as rest from bank_transfers t
    where t.id = any(${transferIds as string[]})
      and not exists (select from operator_postings p
        where p.bank_transfer_id = t.id and p.rule_id is not null and p.reversed_at is not null)
    union all
    select d.id, debit_rest(d.id)::text from bank_debits d
    where d.id = any(${debitIds as string[]}) and (d.explained_at is null or d.attempt_id is not null)
      and not exists (select from operator_postings p
        where p.bank_debit_id = d.id and p.rule_id is not null and p.reversed_at is not null)`;
  return new Map(rows.map(({ id, rest }) => [id, money(rest)]));
}

/** A line for which the other end of an own transfer is searched. */
export interface WantedEnd {
  readonly line: number;
  readonly accountId: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly amount: Money;
  readonly currencyCode: string;
  readonly bankTime: Date;
}

/** A movement that may be the other end of an own transfer. */
export interface OtherEnd {
  readonly line: number;
  readonly accountId: string;
  readonly direction: 'CREDIT' | 'DEBIT';
  readonly id: string;
  /** As its row keeps it. */
  readonly memo: string;
}

/**
 * Unused movements of the same amount in the opposite direction, the nearest in time first. @param days how far apart
 * the two ends may be booked
 */
export const findOtherEnds = async (tx: Transaction, wanted: readonly WantedEnd[], days: number): Promise<OtherEnd[]> =>
  await tx<OtherEnd[]>`
    select w.line, w.account_id, w.direction, m.id, m.memo
    from jsonb_to_recordset(${tx.json(wanted.map(columnsOf))}::jsonb)
      as w(line integer, account_id uuid, direction text, amount numeric, currency_code text, bank_time timestamptz),
    lateral (
      (select t.id, t.memo, t.bank_time from bank_transfers t
        where w.direction = 'CREDIT' and t.account_id = w.account_id and t.amount = w.amount
          and t.currency_code = w.currency_code and t.direction = 'CREDIT' and t.unmatched_reason is not null
          and t.bank_time between w.bank_time - make_interval(days => ${days})
            and w.bank_time + make_interval(days => ${days})
          and transfer_rest(t.id) = t.amount
        order by abs(extract(epoch from t.bank_time - w.bank_time)), t.id limit 20)
      union all
      (select d.id, d.memo, d.bank_time from bank_debits d
        where w.direction = 'DEBIT' and d.account_id = w.account_id and d.amount = w.amount
          and d.currency_code = w.currency_code and d.explained_at is null
          and d.bank_time between w.bank_time - make_interval(days => ${days})
            and w.bank_time + make_interval(days => ${days})
          and debit_rest(d.id) = d.amount
        order by abs(extract(epoch from d.bank_time - w.bank_time)), d.id limit 20)) m
    order by w.line, abs(extract(epoch from m.bank_time - w.bank_time)), m.id`;

/** The posting by which a rule explains a line. */
export interface ExplainedLine {
  readonly line: number;
  readonly ruleId: string;
  readonly postings: readonly { readonly row: NewPosting; readonly lines: readonly Posting[] }[];
}

/** Posts lines by rules, in one SQL statement, and records the rule with each line. */
export async function explainLines(
  tx: Transaction,
  statementId: string,
  explained: readonly ExplainedLine[],
): Promise<void> {
  const rows = explained.map(({ line, ruleId, postings }) => ({
    line,
    rule: ruleId,
    postings: postings.map(({ row, lines }) => ({
      row: columnsOf(row),
      accounts: accountsOf(lines),
      amounts: amountsOf(lines),
    })),
  }));
  await tx`select explain_statement_lines(${statementId}, ${tx.json(rows)}::jsonb)`;
}

/** Records with lines which rule has explained their movement before. */
export async function noteExplained(
  tx: Transaction,
  statementId: string,
  after: number,
  through: number,
): Promise<void> {
  await tx`select note_explained(${statementId}, ${after}, ${through})`;
}

/** What rules explain of a statement. */
export interface RuleTotal {
  readonly statementId: string;
  readonly ruleId: string;
  readonly lines: number;
  readonly amount: Money;
}

/** What rules explain of several statements. */
export async function findRuleTotals({ read: sql }: Database, statementIds: readonly string[]): Promise<RuleTotal[]> {
  const rows = await sql<(Omit<RuleTotal, 'amount' | 'ruleId'> & { amount: string; ruleId: string | null })[]>`
    select statement_id, rule_id, count(*)::int as lines, sum(amount)::text as amount
    from statement_lines where statement_id = any(${statementIds as string[]}) and rule_id is not null
    group by 1, 2 order by 2`;
  return rows.flatMap(({ ruleId, ...row }) => (ruleId === null ? [] : { ...row, ruleId, amount: money(row.amount) }));
}
