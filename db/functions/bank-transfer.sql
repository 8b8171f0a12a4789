-- The key of a bank credit that reuses a bank reference with another amount or currency: it is another credit.
create or replace function reused_key(p transfer_report) returns text
language sql immutable
as $$ select p.dedupe_key || '|' || p.currency_code || ' ' || p.amount::numeric(20, 4)::text $$;

-- Everything that the verdict on a bank credit depends on.
create or replace function transfer_facts(p transfer_report) returns jsonb
language sql volatile
as $$
  with recorded as (
    select id, dedupe_key, amount = p.amount and currency_code = p.currency_code as same
    from bank_transfers
    where account_id = p.account_id and direction = 'CREDIT'
      and dedupe_key in (p.dedupe_key, reused_key(p))
  ), alike as (
    select memo from bank_transfers
    where account_id = p.account_id and amount = p.amount and id <> p.id
      and (source <> p.source or (bank_reference is null) <> (p.bank_reference is null))
      and bank_time between p.bank_time - make_interval(secs => p.near_seconds)
        and p.bank_time + make_interval(secs => p.near_seconds)
    order by id limit 100
  ), named as (
    select d.id, d.account_id, d.currency_code, d.amount, d.fee, d.status, d.created_at, d.order_no, d.trace_id
    from bank_accounts a join deposit_orders d on d.expected_remark = any(p.remarks)
    where a.id = p.account_id and a.mode = 'REMARK'
    union all
    select d.id, d.account_id, d.currency_code, d.amount, d.fee, d.status, d.created_at, d.order_no, d.trace_id
    from bank_accounts a
    join reserved_amounts r on r.account_id = a.id and r.currency_code = p.currency_code and r.amount = p.amount
    join deposit_orders d on d.id = r.deposit_id
    where a.id = p.account_id and a.mode = 'FLOAT'
  )
  select jsonb_build_object(
    'account', (select jsonb_build_object('currencyCode', currency_code, 'mode', mode, 'status', status,
        'bankBalance', case when p.balance_after is not null then bank_balance::text end,
        'bankBalanceAt', case when p.balance_after is not null then bank_balance_at end)
      from bank_accounts where id = p.account_id),
    'recordedId', (select id from recorded where same limit 1),
    'referenceReused', exists (select from recorded where dedupe_key = p.dedupe_key and not same),
    'alikeMemos', (select coalesce(jsonb_agg(memo), '[]') from alike),
    'keyLive', p.agent_key_id is null
      or exists (select from agent_keys where id = p.agent_key_id and revoked_at is null),
    'credited', case when p.credited_since is not null then (
      select coalesce(sum(t.amount), 0)::text from bank_transfers t
      join transfer_allocations a on a.transfer_id = t.id and a.matched_by = 'system'
      where t.source = p.source and t.currency_code = p.currency_code and t.received_at >= p.credited_since) end,
    'named', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'accountId', account_id,
        'currencyCode', currency_code, 'amount', amount::text, 'fee', fee::text, 'status', status,
        'createdAt', created_at, 'orderNo', order_no, 'traceId', trace_id) order by id), '[]') from named))
$$;

-- Records a bank credit, posts it bank → suspense and applies the verdict, if the facts of the verdict still hold under
-- the account's lock. Otherwise it writes nothing and returns the present facts.
create or replace function record_transfer(
  p transfer_report, p_facts jsonb, p_accounts text[], p_amounts numeric[],
  p_deposit uuid, p_fee numeric, p_reason text, p_pause text, p_note_balance boolean,
  out recorded boolean, out facts jsonb
)
language plpgsql
as $$
begin
  perform from bank_accounts where id = p.account_id for no key update;
  -- A revocation runs before or after a report, never during it. Where the key has a ceiling, so do its other reports.
  if p.credited_since is not null then
    perform from agent_keys where id = p.agent_key_id for no key update;
  else
    perform from agent_keys where id = p.agent_key_id for share;
  end if;
  perform from deposit_orders where id = p_deposit for no key update;
  facts := transfer_facts(p);
  recorded := facts = p_facts and facts ->> 'recordedId' is null;
  if not recorded then
    return;
  end if;

  insert into bank_transfers
    (id, account_id, direction, amount, currency_code, bank_reference, dedupe_key, bank_time, payer_name,
     payer_account, memo, balance_after, source, unmatched_reason, received_at)
  values
    (p.id, p.account_id, 'CREDIT', p.amount, p.currency_code, p.bank_reference,
     case when (facts ->> 'referenceReused')::boolean then reused_key(p) else p.dedupe_key end,
     p.bank_time, p.payer_name, p.payer_account, p.memo, p.balance_after, p.source, p_reason, p.received_at);
  perform post_transfer('BANK_CREDIT', 'bank-credit:' || p.id, p.currency_code::char(3), null, p.id,
    p.received_at, p_accounts, p_amounts);
  if p_note_balance then
    update bank_accounts set bank_balance = p.balance_after, bank_balance_at = p.bank_time
    where id = p.account_id;
  end if;
  if p_pause is not null then
    update bank_accounts set status = 'PAUSED', status_reason = p_pause, updated_at = p.received_at
    where id = p.account_id and status = 'ACTIVE';
  end if;
  if p_deposit is not null and not match_deposit(p.id, p_deposit, p_fee, 'system', null, p.received_at) then
    raise exception 'a PENDING deposit under our lock did not match' using errcode = 'CW004';
  end if;
end $$;
