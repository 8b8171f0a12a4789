import type { Check } from '../rule';

/** Statements, the movements of their lines, and the rules' postings. */
export const STATEMENTS: readonly Check[] = [
  {
    name: 'a line of a statement stands for the movement that it says',
    each: false,
    faults: `
      select l.statement_id as row_id, format('statement %s line %s', l.statement_id, l.line) as subject,
        'it names a movement of another account, amount or currency' as problem
      from statement_lines l
      left join bank_transfers t on t.id = l.transfer_id
      left join bank_debits d on d.id = l.debit_id
      where coalesce(l.transfer_id, l.debit_id) is not null
        and (coalesce(t.account_id, d.account_id), coalesce(t.amount, d.amount),
          coalesce(t.currency_code, d.currency_code)) is distinct from (l.account_id, l.amount, l.currency_code)
      union all
      select l.statement_id, format('statement %s line %s', l.statement_id, l.line),
        'the statement is imported, and nothing became of the line'
      from statement_lines l join statements s on s.id = l.statement_id
      where l.state = 'NEW' and s.status = 'IMPORTED'
      union all
      select l.statement_id, format('statement %s line %s', l.statement_id, l.line),
        'it is of another account or currency than its statement'
      from statement_lines l left join statements s on s.id = l.statement_id
      left join bank_accounts a on a.id = s.account_id
      where (l.account_id, l.currency_code) is distinct from (s.account_id, a.currency_code)`,
  },
  {
    name: 'a line names the movement that was recorded of it, or was known by it',
    each: false,
    faults: `
      with named as (
        select l.*, coalesce(t.id, d.id) as movement, coalesce(t.dedupe_key, d.dedupe_key) as dedupe_key,
          coalesce(t.bank_time, d.bank_time) as booked, coalesce(t.bank_reference, d.bank_reference) as said
        from statement_lines l
        left join bank_transfers t on t.id = l.transfer_id
        left join bank_debits d on d.id = l.debit_id
        where coalesce(l.transfer_id, l.debit_id) is not null
      )
      select n.statement_id as row_id, format('statement %s line %s', n.statement_id, n.line) as subject,
        format('it names the movement %s, which was recorded of something else', n.movement) as problem
      from named n
      where n.state = 'RECORDED' and n.dedupe_key <> 'line:' || n.line_key
        and (n.dedupe_key not like 'ref:%'
          or bank_reference_key(n.said) is distinct from bank_reference_key(n.bank_reference))
      union all
      select n.statement_id, format('statement %s line %s', n.statement_id, n.line),
        format('an imported statement has the same line for another movement than %s', n.movement)
      from named n
      where n.state = 'KNOWN' and not exists (
        select from statement_lines o join statements s on s.id = o.statement_id
        where o.account_id = n.account_id and o.statement_id <> n.statement_id
          and (o.line_key = n.line_key or o.day = n.day
            and bank_reference_key(o.bank_reference) = bank_reference_key(n.bank_reference))
          and s.status in ('IMPORTING', 'IMPORTED') and coalesce(o.transfer_id, o.debit_id) = n.movement)
      union all
      select n.statement_id, format('statement %s line %s', n.statement_id, n.line),
        format('it is paired with the movement %s of %s', n.movement, n.booked)
      from named n
      where n.state = 'PAIRED' and abs(extract(epoch from n.booked - n.bank_time)) > 33 * 86400`,
  },
  {
    name: 'a credit is confirmed by a statement that tells of it',
    each: false,
    faults: `
      select t.id as row_id, 'bank credit ' || t.id as subject,
        format('it is confirmed by %s, which does not tell of it', t.confirmed_by) as problem
      from bank_transfers t
      where t.confirmed_by like 'statement:%' and not exists (
        select from statement_lines l
        where l.transfer_id = t.id and 'statement:' || l.statement_id = t.confirmed_by)`,
  },
  {
    name: 'a statement has all the lines that were read',
    each: false,
    faults: `
      select s.id as row_id, 'statement ' || s.id as subject,
        format('%s of %s lines are there', coalesce(l.there, 0), coalesce(s.lines::text, 'nobody knows how many')) as problem
      from statements s
      left join (select statement_id, count(*) as there from statement_lines group by 1) l on l.statement_id = s.id
      where s.lines is distinct from coalesce(l.there, 0)
        and (s.lines is not null or s.status not in ('UPLOADING', 'DROPPED') and s.problem is null)`,
  },
  {
    name: 'what a rule has posted is what it may, of a line that it explains',
    each: false,
    faults: `
      select p.id as row_id, 'posting ' || p.id as subject,
        format('the rule %s, version %s, makes no %s of %s %s', r.name, r.version, p.kind, p.amount, p.currency_code)
          as problem
      from operator_postings p left join statement_rules r on r.id = p.rule_id
      where p.rule_id is not null and (r.id is null or p.amount > r.max_amount or p.currency_code <> r.currency_code
        or p.change_id is not null
        or not coalesce(case r.action
          when 'BANK_CHARGE' then p.kind = 'BANK_CHARGED'
          when 'INTEREST' then p.kind = 'INTEREST_RECEIVED'
          when 'OWN_TRANSFER' then p.kind in ('OWN_TRANSFER_OUT', 'OWN_TRANSFER_IN') end, false))
      union all
      select p.id, 'posting ' || p.id, 'no line of a statement says that a rule explains it'
      from operator_postings p
      where p.rule_id is not null and not exists (
        select from statement_lines l where l.rule_id = p.rule_id
          and (l.transfer_id = p.bank_transfer_id or l.debit_id = p.bank_debit_id))
        and not exists (
        select from operator_postings o join statement_lines l on l.rule_id = o.rule_id
          and (l.transfer_id = o.bank_transfer_id or l.debit_id = o.bank_debit_id)
        where o.rule_id = p.rule_id and (o.id = p.pair_id or o.pair_id = p.id))
      union all
      select l.statement_id, format('statement %s line %s', l.statement_id, l.line),
        'a rule is said to explain it, and has posted nothing of it'
      from statement_lines l join statements s on s.id = l.statement_id
      where s.status = 'IMPORTED' and l.rule_id is not null and not exists (
        select from operator_postings p where p.rule_id = l.rule_id
          and (p.bank_transfer_id = l.transfer_id or p.bank_debit_id = l.debit_id))`,
  },
  {
    name: 'a rule for lines of statements is as people agreed on it',
    each: false,
    faults: `
      select r.id as row_id, format('statement rule %s version %s', r.name, r.version) as subject,
        'nobody agreed on it as it is' as problem
      from statement_rules r
      where not exists (
        select from change_requests c, lateral (select c.after as said) a
        where c.kind = 'PUT_STATEMENT_RULE' and c.status = 'APPLIED' and c.subject_name = r.name
          and c.decided_at = r.created_at and 'operator:' || c.proposed_by = r.created_by
          and coalesce(said ->> 'action', r.action) = r.action
          and coalesce(said ->> 'direction', r.direction) = r.direction
          and coalesce(said ->> 'memoPattern', r.memo_pattern) = r.memo_pattern
          and coalesce(said ->> 'currencyCode', r.currency_code) = r.currency_code
          and coalesce((said ->> 'maxAmount')::numeric, r.max_amount) = r.max_amount
          and coalesce((said ->> 'maxDayAmount')::numeric, r.max_day_amount) = r.max_day_amount
          and (not said ? 'accountId' or said ->> 'accountId' is not distinct from r.account_id::text)
          and (not said ? 'otherAccountId' or said ->> 'otherAccountId' is not distinct from r.other_account_id::text))`,
  },
];
