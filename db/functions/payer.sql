-- The payer rules of a merchant in a currency: the newest version of its own, else of those for all merchants. Null if
-- none are set.
create or replace function payer_rules_json(p_merchant uuid, p_currency text) returns jsonb
language sql stable
as $$
  select r.rules || jsonb_build_object('version', r.version, 'changeId', r.change_id) from payer_rules r
  where r.currency_code = p_currency::char(3) and (r.merchant_id = p_merchant or r.merchant_id is null)
  order by r.merchant_id nulls last, r.version desc limit 1
$$;

-- Whether any payer is listed: most platforms have no list, and then no look-up is needed.
create or replace function payers_listed(p_now timestamptz) returns boolean
language sql stable
as $$
  select exists (select from listed_payers where removed_at is null and (expires_at is null or expires_at > p_now))
$$;

-- Raises an alert about an order whose payer had findings at its creation.
create or replace function alert_of_watched_payer() returns trigger
language plpgsql
as $$
begin
  perform raise_alert('PAYER_WATCHED', 'payer:' || new.id, new.merchant_id, jsonb_build_object(
    'orderNo', new.order_no,
    'reason', (select string_agg(f, '; ') from jsonb_array_elements_text(new.payer_findings) f)), new.created_at);
  return null;
end $$;

create or replace trigger deposit_orders_payer_watched after insert on deposit_orders
for each row when (new.payer_outcome in ('WAIT', 'WATCH'))
execute function alert_of_watched_payer();

-- Records a finding about the payer of a bank credit, and raises an alert. p_order: the order that the credit names.
-- p_words: what the alert says, where the row keeps the finding sealed.
create or replace function note_payer_finding(
  p_transfer uuid, p_finding text, p_order uuid, p_now timestamptz, p_words text
) returns void
language plpgsql
as $$
begin
  update bank_transfers set payer_finding = p_finding where id = p_transfer;
  perform raise_alert('PAYER_WATCHED', 'payer-of:' || p_transfer, d.merchant_id, jsonb_build_object(
    'transferId', p_transfer, 'orderNo', d.order_no, 'reason', coalesce(p_words, p_finding)), p_now)
  from deposit_orders d where d.id = p_order;
end $$;
