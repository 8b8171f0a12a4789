-- The newest version of the routing rules for a currency and kind of order; null if there never were any. A version
-- without rules ends them. This is called for each request of a merchant, so it does not read the rules.
create or replace function routing_rules_in_force(p_currency text, p_kind text) returns uuid
language sql stable
as $$
  select (
    select r.id from routing_rules r
    where r.currency_code = p_currency::char(3) and r.order_kind = p_kind
    order by r.version desc limit 1)
$$;

-- Whether a rule of a version names an account, directly or by a pool: the rule's orders may use it, whatever their
-- merchant's pool.
create or replace function rule_names_account(p_rules uuid, p_rule integer, p_account uuid) returns boolean
language sql stable
as $$
  select exists (
    select from routing_rules r, jsonb_array_elements(r.rules -> (p_rule - 1) -> 'groups') g,
      jsonb_array_elements(g -> 'targets') t
    where r.id = p_rules and (
      t ->> 'kind' = 'ACCOUNT' and t ->> 'id' = p_account::text
      or t ->> 'kind' = 'POOL' and exists (
        select from pool_accounts where account_id = p_account and pool_id::text = t ->> 'id')))
$$;

-- Deposits name a version of their currency's rules. Versions never change or go (append-only.sql), so that a check of
-- new rows is enough. A foreign key would lock the version's row, which all merchants' deposits share, for each
-- deposit.
create or replace function check_routing_rules() returns trigger
language plpgsql
as $$
begin
  if exists (
      select from created d
      where d.routing_rules_id is not null and not exists (
        select from routing_rules r where r.id = d.routing_rules_id and r.currency_code = d.currency_code)) then
    raise exception 'a deposit names routing rules that its currency does not have'
      using errcode = 'foreign_key_violation', constraint = 'deposit_orders_routing_rules';
  end if;
  return null;
end $$;

create or replace trigger deposit_orders_routing_rules
after insert on deposit_orders
referencing new table as created
for each statement execute function check_routing_rules();

-- The routing rules of a deposit never change.
create or replace function refuse_other_rules() returns trigger
language plpgsql
as $$
begin
  raise exception 'the routing rules of a deposit do not change' using errcode = 'CW001';
end $$;

create or replace trigger deposit_orders_routing_rules_kept
before update of routing_rules_id, currency_code on deposit_orders
for each row
when (new.routing_rules_id is distinct from old.routing_rules_id
  or new.routing_rules_id is not null and new.currency_code <> old.currency_code)
execute function refuse_other_rules();
