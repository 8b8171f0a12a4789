-- Erases what names payers and beneficiaries. Amounts, times, our own accounts and postings stay, so the books do too.
-- A value becomes null, or this text where a column needs one or a reader should see that there was one.
create or replace function erased() returns text
language sql immutable
as $$ select '[erased]' $$;

-- Callbacks that are not under way: the merchant's own field, and what its server answered. A later resend is signed again.
create or replace function erase_callbacks(p_orders uuid[]) returns void
language sql
as $$
  with logs as (
    update notification_logs n set response_body = null, signature = null, api_key_id = null,
      request_body = case when n.request_body::jsonb ? 'extra_data' then (n.request_body::jsonb - 'extra_data')::text
        else n.request_body end
    where n.order_id = any(p_orders) and n.status in ('SUCCESS', 'FAILED')
    returning n.id
  )
  update callback_attempts a set response_body = null
  from logs where a.notification_id = logs.id and a.response_body is not null
$$;

-- Whether a callback of an order may still be sent.
create or replace function callback_under_way(p_order uuid) returns boolean
language sql stable
as $$
  select exists (
    select from notification_logs where order_id = p_order and status in ('SENDING', 'WAITING_RETRY'))
$$;

-- Deposits that have ended, with their claims and callbacks. Returns how many had something to erase.
create or replace function erase_deposits(p_ids uuid[]) returns integer
language plpgsql
as $$
declare
  v_ids uuid[];
begin
  select array_agg(id) into v_ids from (
    select d.id from deposit_orders d
    where d.id = any(p_ids) and d.status in ('COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED')
      and (num_nonnulls(d.payer_account_no, d.payer_mobile, d.payer_email, d.extra_data) > 0
        or d.payer_name <> erased() or exists (
          select from payment_claims c where c.deposit_id = d.id and c.reference <> erased())
        or exists (select from notification_logs n where n.order_id = d.id and n.response_body is not null))
      and not callback_under_way(d.id)
      and not exists (select from payer_returns r where r.deposit_id = d.id and r.ended_at is null)
    order by d.id for no key update) found;
  update deposit_orders set payer_name = case when payer_name is not null then erased() end, payer_account_no = null,
    payer_account_index = null, payer_account_last4 = null, payer_mobile = null, payer_mobile_index = null,
    payer_email = null, payer_email_index = null, extra_data = null
  where id = any(v_ids);
  update payment_claims set reference = erased(), reference_key = 'erased:' || id, receipt = null, receipt_type = null
  where deposit_id = any(v_ids);
  perform erase_callbacks(v_ids);
  return coalesce(cardinality(v_ids), 0);
end $$;

-- What was approved for the beneficiaries of these withdrawals, on the days from their creation to their end, under no
-- name, in the alerts about it too. It counts for one day, so later days go on counting.
create or replace function erase_day_amounts(p_withdrawals uuid[]) returns void
language sql
as $$
  with paid as (
    select counted_beneficiary(w) as subject, currency_code, min((created_at at time zone 'UTC')::date) as first,
      max((coalesce(completed_at, ended_at) at time zone 'UTC')::date) as last, erased() || ':' || min(id::text) as erased
    from withdrawal_orders w where id = any(p_withdrawals) group by 1, 2
  ), counts as (
    update day_amounts d set subject = p.erased
    from paid p
    where d.counter = 'BENEFICIARY' and (d.subject, d.currency_code) = (p.subject, p.currency_code)
      and d.day between p.first and p.last
    returning p.subject, p.erased, ':' || d.currency_code || ':' || d.day as rest
  )
  update alerts a set key = 'day-amount:BENEFICIARY:' || c.erased || c.rest,
    about = a.about || jsonb_build_object('subject', erased())
  from counts c where a.key = 'day-amount:BENEFICIARY:' || c.subject || c.rest
$$;

-- Withdrawals of merchants that have ended, with their callbacks. The counts of a day follow to the erased beneficiary.
create or replace function erase_withdrawals(p_ids uuid[]) returns integer
language plpgsql
as $$
declare
  v_ids uuid[];
begin
  select array_agg(id) into v_ids from (
    select w.id from withdrawal_orders w
    where w.id = any(p_ids) and w.origin = 'MERCHANT' and w.status in ('COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED')
      and w.beneficiary_account <> erased() and not callback_under_way(w.id)
    order by w.id for no key update) found;
  perform move_withdrawal_days(v_ids, array(select erased() from unnest(v_ids)));
  perform erase_day_amounts(v_ids);
  update withdrawal_orders set beneficiary_name = erased(), beneficiary_account = erased(),
    beneficiary_account_key = null, beneficiary_account_index = null, beneficiary_bank_branch = null, extra_data = null
  where id = any(v_ids);
  perform erase_callbacks(v_ids);
  return coalesce(cardinality(v_ids), 0);
end $$;

-- Cashier sessions that have ended.
create or replace function erase_sessions(p_ids uuid[]) returns integer
language sql
as $$
  with gone as (
    update cashier_sessions set extra_data = null, payer_bank_cards = '[]', payer_bank_cards_index = null,
      card_count = null, chosen_card = null
    where id = any(p_ids) and status <> 'PENDING' and (extra_data is not null or payer_bank_cards <> '[]')
    returning 1
  )
  select count(*)::int from gone
$$;

-- Credits that no longer wait, and of which nothing is on its way back. How the bank's report is recognised stays.
create or replace function erase_credits(p_ids uuid[]) returns integer
language sql
as $$
  with gone as (
    update bank_transfers b set payer_name = case when b.payer_name is not null then erased() end,
      payer_account = case when b.payer_account is not null then erased() end, payer_account_index = null,
      memo = case when b.memo = '' then '' else erased() end,
      payer_finding = case when b.payer_finding is not null then erased() end
    where b.id = any(p_ids) and b.unmatched_reason is null
      and (b.payer_name <> erased() or b.payer_account <> erased() or b.payer_finding <> erased()
        or b.memo not in ('', erased()))
      and not exists (select from payer_returns r where r.bank_transfer_id = b.id and r.ended_at is null)
    returning 1
  )
  select count(*)::int from gone
$$;

-- Debits that are explained.
create or replace function erase_debits(p_ids uuid[]) returns integer
language sql
as $$
  with gone as (
    update bank_debits set payee_name = case when payee_name is not null then erased() end,
      payee_account = case when payee_account is not null then erased() end,
      memo = case when memo = '' then '' else erased() end
    where id = any(p_ids) and explained_at is not null
      and (payee_name <> erased() or payee_account <> erased() or memo not in ('', erased()))
    returning 1
  )
  select count(*)::int from gone
$$;

-- Messages of banks that no pattern reads again.
create or replace function erase_texts(p_ids uuid[]) returns integer
language sql
as $$
  with gone as (
    update agent_texts set text = erased()
    where id = any(p_ids) and state <> 'UNREAD' and text <> erased()
    returning 1
  )
  select count(*)::int from gone
$$;

-- Money that went back to payers, or was not sent.
create or replace function erase_returns(p_ids uuid[]) returns integer
language sql
as $$
  with gone as (
    update payer_returns set payee_name = erased(), payee_account = erased(), payee_account_index = null,
      payee_bank = null
    where id = any(p_ids) and ended_at is not null and payee_account <> erased()
    returning 1
  )
  select count(*)::int from gone
$$;

-- What a decided change says of a person, erased. Its other fields stay: the proof of the books reads them.
create or replace function erased_change(p change_requests) returns change_requests
language plpgsql immutable
as $$
declare
  person text[] := array['memo', 'memos', 'firstMemo', 'debitMemo', 'payerName', 'payerAccount', 'expectedPayerName',
    'differences', 'payeeName', 'payeeAccount', 'payeeBank', 'beneficiary', 'beneficiaryName'];
begin
  select coalesce(jsonb_object_agg(key, case when key = any(person) and value <> 'null' then to_jsonb(erased()) else value end), '{}')
    into p.before from jsonb_each(p.before);
  select coalesce(jsonb_object_agg(key, case when key = any(person) and value <> 'null' then to_jsonb(erased()) else value end), '{}')
    into p.after from jsonb_each(p.after);
  p.summary := erased();
  return p;
end $$;

-- Decided changes about orders, credits, debits and returns that say something of a person.
create or replace function erase_changes(p_ids uuid[]) returns integer
language sql
as $$
  with gone as (
    update change_requests c set (summary, before, after) = (select e.summary, e.before, e.after from erased_change(c) e)
    where c.id = any(p_ids) and c.status <> 'PROPOSED'
      and c.subject_kind in ('deposit', 'withdrawal', 'bank_transfer', 'bank_debit', 'payer_return')
      and (select (e.before, e.after) from erased_change(c) e) is distinct from (c.before, c.after)
    returning 1
  )
  select count(*)::int from gone
$$;

-- The orders of a merchant that are of the same person as one of them: of its account, mobile number, mail address or
-- the merchant's own name of the user. Whether one has not ended, or still has something under way.
-- p_said: what that order says of the person: the blind indexes of its account, as a payer's and as a beneficiary's, of
-- its mobile number and of its mail address (domain/search-forms.ts); none of a value without any form.
create or replace function orders_of_person(p_order uuid, p_said jsonb) returns table (noun text, id uuid, open boolean)
language sql stable
as $$
  with one as (
    select o.*, s.* from (
      select d.merchant_id, d.user_id from deposit_orders d where d.id = p_order
      union all
      select w.merchant_id, null from withdrawal_orders w where w.id = p_order and w.origin = 'MERCHANT'
    ) o cross join jsonb_to_record(p_said)
      s(account_indexes text[], mobile_indexes text[], email_indexes text[], beneficiary_indexes text[])
  ), deposits as (
    select p_order as id
    union
    select d.id from one join deposit_orders d on d.payer_account_index = any(one.account_indexes)
    where d.merchant_id = one.merchant_id
    union
    select d.id from one join deposit_orders d on d.payer_mobile_index = any(one.mobile_indexes)
    where d.merchant_id = one.merchant_id
    union
    select d.id from one join deposit_orders d on d.payer_email_index = any(one.email_indexes)
    where d.merchant_id = one.merchant_id
    union
    select d.id from one join deposit_orders d on d.user_id = one.user_id and d.user_id is not null
    where d.merchant_id = one.merchant_id and one.user_id <> ''
  )
  select 'deposit', d.id, d.status not in ('COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED') or callback_under_way(d.id)
    or exists (select from payer_returns r where r.deposit_id = d.id and r.ended_at is null)
  from deposits join deposit_orders d on d.id = deposits.id
  union all
  select 'withdrawal', w.id, w.status not in ('COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED') or callback_under_way(w.id)
  from one join withdrawal_orders w on w.beneficiary_account_index = any(one.beneficiary_indexes)
  where w.merchant_id = one.merchant_id and w.origin = 'MERCHANT'
$$;

-- Erases a person from these orders, and from all that belongs to them. Returns how many rows had something to erase.
create or replace function erase_person(p_deposits uuid[], p_withdrawals uuid[], p_actor text, p_now timestamptz)
returns table (what text, rows integer)
language plpgsql
as $$
declare
  v_credits uuid[] := array(
    select distinct a.transfer_id from transfer_allocations a where a.deposit_id = any(p_deposits) order by 1);
  v_returns uuid[] := array(
    select r.id from payer_returns r where r.deposit_id = any(p_deposits) or r.bank_transfer_id = any(v_credits) order by 1);
  v_debits uuid[] := array(
    select b.id from payout_attempts a join bank_debits b on b.attempt_id = a.id where a.withdrawal_id = any(p_withdrawals)
    union select r.bank_debit_id from payer_returns r where r.id = any(v_returns) and r.bank_debit_id is not null
    order by 1);
begin
  return query values
    ('deposits', erase_deposits(p_deposits)),
    ('withdrawals', erase_withdrawals(p_withdrawals)),
    -- Those of the user that ended without an order, too.
    ('sessions', erase_sessions(array(
      select s.id from cashier_sessions s where s.deposit_order_id = any(p_deposits)
      union
      select s.id from deposit_orders d join cashier_sessions s on s.user_id = d.user_id and s.merchant_id = d.merchant_id
      where d.id = any(p_deposits) and d.user_id <> '' and s.user_id is not null and s.deposit_order_id is null
      order by 1))),
    ('credits', erase_credits(v_credits)),
    ('debits', erase_debits(v_debits)),
    ('texts', erase_texts(array(
      select t.id from agent_texts t where t.transfer_id = any(v_credits) or t.debit_id = any(v_debits) order by 1))),
    ('returns', erase_returns(v_returns)),
    ('changes', erase_changes(array(
      select c.id from change_requests c
      where c.subject_kind in ('deposit', 'withdrawal', 'bank_transfer', 'bank_debit', 'payer_return')
        and c.subject_id = any((p_deposits || p_withdrawals || v_credits || v_debits || v_returns)::text[]) order by 1)));
  perform append_event(id, noun, 'person_erased', p_actor, '{}', p_now)
  from (select unnest(p_deposits) as id, 'deposit' as noun union all select unnest(p_withdrawals), 'withdrawal') orders;
end $$;
