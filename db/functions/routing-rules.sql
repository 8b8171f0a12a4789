-- The newest version of the routing rules for a currency and kind of order; null where there never were any. One without
-- rules ends them: whoever reads it sees that. Its rules are not looked at here, as each request of a merchant asks this.
create or replace function routing_rules_in_force(p_currency text, p_kind text) returns uuid
language sql stable
as $$
  select (
    select r.id from routing_rules r
    where r.currency_code = p_currency::char(3) and r.order_kind = p_kind
    order by r.version desc limit 1)
$$;

-- Whether a rule of a version names an account, itself or by a pool: its orders may use it, whatever their merchant's pool.
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
