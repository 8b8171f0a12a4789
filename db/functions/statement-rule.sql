-- Posts lines of a statement by rules, and records the rule with each line. The caller holds the locks of their credits
-- and debits. p_explained: for each the line, the rule, and its postings with their lines.
create or replace function explain_statement_lines(p_statement uuid, p_explained jsonb) returns void
language plpgsql
as $$
declare
  v jsonb;
  v_posting jsonb;
  v_refusal text;
begin
  for v in select e from jsonb_array_elements(p_explained) e loop
    for v_posting in select p from jsonb_array_elements(v -> 'postings') p loop
      v_refusal := post_by_operators(v_posting -> 'row',
        array(select jsonb_array_elements_text(v_posting -> 'accounts')),
        array(select jsonb_array_elements_text(v_posting -> 'amounts'))::numeric[]);
      if v_refusal is not null then
        raise exception 'line % of statement % was used under our lock: %', v ->> 'line', p_statement, v_refusal
          using errcode = 'CW004';
      end if;
    end loop;
  end loop;
  perform note_explained(p_statement, (select min((e ->> 'line')::integer) - 1 from jsonb_array_elements(p_explained) e),
    (select max((e ->> 'line')::integer) from jsonb_array_elements(p_explained) e));
end $$;

-- Records with lines of a statement which rule has explained their movement; also with lines of other statements about
-- the same movement or its other leg.
create or replace function note_explained(p_statement uuid, p_after integer, p_through integer) returns void
language sql
as $$
  with lines as (
    select l.transfer_id, l.debit_id from statement_lines l
    where l.statement_id = p_statement and l.line > p_after and l.line <= p_through and l.rule_id is null
  ), posted as (
    select p.id, p.pair_id, p.rule_id from lines join operator_postings p on p.bank_transfer_id = lines.transfer_id
    where p.rule_id is not null and p.reversed_at is null
    union
    select p.id, p.pair_id, p.rule_id from lines join operator_postings p on p.bank_debit_id = lines.debit_id
    where p.rule_id is not null and p.reversed_at is null
  ), legs as (
    select p.id, p.rule_id from posted p
    union
    select p.pair_id, p.rule_id from posted p where p.pair_id is not null
    union
    select i.id, p.rule_id from posted p join operator_postings i on i.pair_id = p.id
  ), moved as (
    select o.bank_transfer_id, o.bank_debit_id, g.rule_id from legs g join operator_postings o on o.id = g.id
  )
  update statement_lines l set rule_id = o.rule_id
  from (
    select n.statement_id, n.line, m.rule_id from moved m join statement_lines n on n.transfer_id = m.bank_transfer_id
    union
    select n.statement_id, n.line, m.rule_id from moved m join statement_lines n on n.debit_id = m.bank_debit_id
  ) o join statements s on s.id = o.statement_id
  where s.status in ('IMPORTING', 'IMPORTED') and l.statement_id = o.statement_id and l.line = o.line
    and l.rule_id is null
$$;
