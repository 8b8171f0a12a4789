-- Raises an alert, once for each key, in the transaction that causes it.
create or replace function raise_alert(
  p_kind text, p_key text, p_merchant uuid, p_about jsonb, p_now timestamptz
) returns void
language sql
as $$
  insert into alerts (id, kind, key, merchant_id, about, raised_at)
  values (new_id(p_now), p_kind, p_key, p_merchant, p_about, p_now)
  on conflict (key) do nothing
$$;

-- Numbers the alerts that were raised or changed since the last call, one caller at a time, as number_events does.
-- No number is used twice: an alert that changes gets a new number and loses its old one.
create or replace function number_alerts(p_limit integer) returns bigint
language plpgsql
as $$
declare
  v_last bigint;
begin
  if not exists (select from alerts where seq is null)
    or not pg_try_advisory_xact_lock(hashtext('causeway.number_alerts')) then
    return null;
  end if;
  with batch as materialized (
    select id, nextval('alert_numbers') as number
    from (select id from alerts where seq is null order by position limit p_limit for update) unnumbered
  ), numbered as (
    update alerts a set seq = batch.number from batch where a.id = batch.id returning a.seq
  )
  select max(seq) into v_last from numbered;
  return v_last;
end $$;

create or replace function alert_of_parked_row() returns trigger
language plpgsql
as $$
begin
  perform raise_alert('OUTBOX_PARKED', 'outbox:' || new.id || ':' || extract(epoch from new.parked_at),
    (select id from merchants where merchant_code = new.arguments ->> 'merchantCode'),
    jsonb_build_object('outboxId', new.id, 'orderNo', new.arguments ->> 'orderNo', 'reason', new.last_error),
    new.parked_at);
  return null;
end $$;

create or replace trigger outbox_parked after update of parked_at on outbox
for each row when (old.parked_at is null and new.parked_at is not null)
execute function alert_of_parked_row();

create or replace function alert_of_paused_account() returns trigger
language plpgsql
as $$
begin
  perform raise_alert('ACCOUNT_PAUSED', 'account:' || new.id || ':' || extract(epoch from new.updated_at), null,
    jsonb_build_object('accountId', new.id, 'reason', new.status_reason), new.updated_at);
  return null;
end $$;

create or replace trigger bank_accounts_paused after update of status on bank_accounts
for each row when (old.status <> 'PAUSED' and new.status = 'PAUSED')
execute function alert_of_paused_account();

create or replace function alert_of_doubtful_transfer() returns trigger
language plpgsql
as $$
begin
  perform raise_alert('DOUBTFUL_TRANSFER', 'transfer:' || new.id, null,
    jsonb_build_object('transferId', new.id, 'accountId', new.account_id, 'reason', new.unmatched_reason),
    new.received_at);
  return null;
end $$;

create or replace trigger bank_transfers_doubtful after insert on bank_transfers
for each row when (new.unmatched_reason in ('NEAR_DUPLICATE', 'REFERENCE_REUSED', 'BALANCE_DIFFERS'))
execute function alert_of_doubtful_transfer();

-- An endpoint: scheme, host and port of a callback's URL.
create or replace function callback_origin(p_url text) returns text
language sql immutable
as $$ select lower(substring(p_url from '^[^/]+//[^/?#]+')) $$;

-- One alert for each merchant and endpoint, with a count, until an operator acknowledges it. It names the newest
-- failure.
create or replace function alert_of_failed_callback() returns trigger
language plpgsql
as $$
declare
  v_endpoint text := callback_origin(new.target_url);
  v_about jsonb := jsonb_build_object('callbackId', new.id, 'orderNo', new.order_no, 'endpoint', v_endpoint,
    'reason', coalesce(new.last_error, 'HTTP ' || new.response_status));
begin
  insert into alerts as a (id, kind, key, merchant_id, about, raised_at)
  values (new_id(new.updated_at), 'CALLBACK_FAILED', 'callbacks:' || new.merchant_id || ':' || v_endpoint,
    new.merchant_id, v_about || '{"count": "1"}', new.updated_at)
  on conflict (key) do update
  set about = excluded.about || jsonb_build_object('count', ((a.about ->> 'count')::integer + 1)::text), seq = null;
  return null;
end $$;

-- Once acknowledged, an alert about an endpoint no longer prevents the next one.
create or replace function free_key_of_alert() returns trigger
language plpgsql
as $$
begin
  new.key := new.key || ':' || new.id;
  return new;
end $$;

create or replace trigger alerts_acknowledged_endpoint before update of acknowledged_at on alerts
for each row when (new.kind = 'CALLBACK_FAILED' and old.acknowledged_at is null and new.acknowledged_at is not null)
execute function free_key_of_alert();

create or replace trigger notification_logs_failed after update of status on notification_logs
for each row when (old.status <> 'FAILED' and new.status = 'FAILED')
execute function alert_of_failed_callback();

-- Whether a balance is below the channel's low mark. The triggers compare before and after a change: they alert when the
-- balance falls below the mark, and not again while it stays below.
create or replace function is_low_balance(p_channel uuid, p_balance numeric) returns boolean
language sql stable
as $$ select coalesce(p_balance < (select low_balance from channels where id = p_channel), false) $$;

-- Only in currencies of payouts: what a channel collects may be little.
create or replace function alert_of_low_balance() returns trigger
language plpgsql
as $$
begin
  perform raise_alert('LOW_BALANCE',
    'balance:' || new.channel_id || ':' || new.currency_code || ':' || extract(epoch from new.at), null,
    jsonb_build_object('channelId', c.id, 'channelCode', c.channel_code,
      'reason', new.balance || ' ' || new.currency_code || ' is less than ' || c.low_balance), new.at)
  from channels c where c.id = new.channel_id and new.currency_code = any(c.currencies);
  return null;
end $$;

create or replace trigger channel_balances_first after insert on channel_balances
for each row when (is_low_balance(new.channel_id, new.balance))
execute function alert_of_low_balance();

create or replace trigger channel_balances_fell after update of balance on channel_balances
for each row when (is_low_balance(new.channel_id, new.balance) and not is_low_balance(new.channel_id, old.balance))
execute function alert_of_low_balance();
