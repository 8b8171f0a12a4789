-- The settlement plans in force at a time: for each merchant and currency the newest version that has begun, unless it
-- ends the plan.
create or replace function settlement_plans_at(p_at timestamptz) returns setof settlement_plans
language sql stable
as $$
  select p.* from settlement_plans p
  where p.effective_from <= p_at and not p.ends
    and not exists (
      select from settlement_plans n
      where n.merchant_id = p.merchant_id and n.currency_code = p.currency_code and n.version > p.version
        and n.effective_from <= p_at)
$$;

-- Records the run of a plan's date, once: a settlement with its frozen money, or why there is none. Locks the balance,
-- so that one of several concurrent callers does it. Returns DONE; or, with nothing written: BEFORE if the date has its
-- run, RECOVERY, or CHANGED if something has changed since the caller read it (the plan is no longer in force, or less
-- is available than it settles and keeps). p_withdrawal, p_settlement, p_accounts, p_amounts: as accept_settlement
-- takes them; null for a date that is skipped. p_decision: the standing approval by the plan's approver, if it applies:
-- its id and its reason. It counts against the day's amounts of p_counters like every approval; beyond one of them a
-- second person must approve.
create or replace function run_settlement_plan(
  p_run jsonb, p_withdrawal jsonb, p_settlement jsonb, p_accounts text[], p_amounts numeric[], p_decision jsonb,
  p_counters jsonb, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v settlement_runs := jsonb_populate_record(null::settlement_runs, p_run);
  v_plan settlement_plans;
  v_balance merchant_balances;
  v_withdrawal withdrawal_orders := jsonb_populate_record(null::withdrawal_orders, p_withdrawal);
  v_problem text;
begin
  if in_recovery() then
    return 'RECOVERY';
  end if;
  select * into v_balance from merchant_balances
  where merchant_id = v.merchant_id and currency_code = v.currency_code for no key update;
  if exists (select from settlement_runs r
      where r.merchant_id = v.merchant_id and r.currency_code = v.currency_code and r.due_on = v.due_on) then
    return 'BEFORE';
  end if;
  select * into v_plan from settlement_plans_at(p_now) p
  where p.merchant_id = v.merchant_id and p.currency_code = v.currency_code;
  if v_plan.id is distinct from v.plan_id then
    return 'CHANGED';
  end if;
  if v.skipped is null then
    if v_balance.receivable > 0 or v_balance.available - v_plan.keep < v_withdrawal.amount
        or not (select m.enabled from merchants m where m.id = v.merchant_id)
        or not accept_settlement(p_withdrawal, p_settlement, p_accounts, p_amounts) then
      return 'CHANGED';
    end if;
  end if;
  insert into settlement_runs select v.*;
  if p_decision is not null then
    v_problem := decide_withdrawal_counted((p_decision ->> 'id')::uuid, v_withdrawal.id, v_plan.approved_by, 'APPROVE',
      p_decision ->> 'remarks', p_counters, p_now);
    if v_problem is not null then
      raise exception 'a standing approval was not recorded: %', v_problem using errcode = 'CW003';
    end if;
  end if;
  -- Three failures in a row that only a person can fix.
  if v.skipped not in ('NO_BALANCE', 'BELOW_MINIMUM') and 3 = (
      select count(*) filter (where r.skipped not in ('NO_BALANCE', 'BELOW_MINIMUM'))
      from (select skipped from settlement_runs r
        where r.merchant_id = v.merchant_id and r.currency_code = v.currency_code
        order by r.due_on desc limit 3) r) then
    perform settlement_plan_fails(v_plan, 'three dates in a row were skipped, the last one as ' || v.skipped, p_now);
  end if;
  return 'DONE';
end $$;

-- Raises the alert that a plan no longer settles anything, once a month for each version of it.
create or replace function settlement_plan_fails(p_plan settlement_plans, p_reason text, p_now timestamptz) returns void
language sql
as $$
  select raise_alert('SETTLEMENT_PLAN_FAILS',
    'settlement-plan:' || p_plan.id || ':' || to_char(p_now at time zone 'UTC', 'YYYY-MM'), p_plan.merchant_id,
    jsonb_build_object('planId', p_plan.id, 'currencyCode', p_plan.currency_code, 'reason', p_reason), p_now)
$$;
