-- A beneficiary's number made comparable: people write one with spaces, dots and hyphens, in either case, and who wants
-- to pass a denylist writes it as nobody would. Letters and digits count; a number without any is as it is written. Its
-- body is read when it is made, so that it means the same whatever the search path.
create function account_number_key(p_account_no text) returns text
language sql immutable strict parallel safe
return coalesce(
  nullif(upper(regexp_replace(normalize(p_account_no, nfkc) collate "pg_unicode_fast", '[^[:alnum:]]', '', 'g')), ''),
  p_account_no);
--> statement-breakpoint
-- As before, but that a beneficiary's day does not begin afresh with each way to write its number.
create or replace function count_withdrawal(
  p withdrawal_orders, out merchant withdrawal_days, out beneficiary withdrawal_days
)
language plpgsql
as $$
declare
  v_day date := (p.created_at at time zone 'UTC')::date;
begin
  insert into withdrawal_days as d (merchant_id, currency_code, day, beneficiary, orders, amount)
  values (p.merchant_id, p.currency_code, v_day, '', 1, p.amount)
  on conflict on constraint withdrawal_days_merchant_id_currency_code_day_beneficiary_pk
  do update set orders = d.orders + 1, amount = d.amount + excluded.amount
  returning * into merchant;
  insert into withdrawal_days as d (merchant_id, currency_code, day, beneficiary, orders, amount)
  values (p.merchant_id, p.currency_code, v_day,
    p.beneficiary_bank_code || ':' || account_number_key(p.beneficiary_account), 1, p.amount)
  on conflict on constraint withdrawal_days_merchant_id_currency_code_day_beneficiary_pk
  do update set orders = d.orders + 1, amount = d.amount + excluded.amount
  returning * into beneficiary;
end $$;
