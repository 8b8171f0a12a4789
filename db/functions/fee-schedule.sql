-- The schedules of a merchant's currency that are in force at a time: for each kind of order, the newest version that
-- has begun, unless it ends the schedule.
create or replace function fee_schedules_at(p_merchant uuid, p_currency text, p_at timestamptz)
returns setof fee_schedules
language sql stable
as $$
  select f.* from fee_schedules f
  where f.merchant_id = p_merchant and f.currency_code = p_currency::char(3) and f.effective_from <= p_at and not f.ends
    and not exists (
      select from fee_schedules n
      where n.merchant_id = f.merchant_id and n.currency_code = f.currency_code and n.order_kind = f.order_kind
        and n.channel_id is not distinct from f.channel_id and n.wallet_kind is not distinct from f.wallet_kind
        and n.version > f.version and n.effective_from <= p_at)
$$;

-- A schedule as JSON: amounts are texts, so that no reader rounds them.
create or replace function fee_schedule_json(p fee_schedules) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'id', p.id, 'orderKind', p.order_kind, 'channelId', p.channel_id, 'walletKind', p.wallet_kind,
    'version', p.version, 'percent', p.percent::text, 'fixed', p.fixed::text, 'minimum', p.minimum::text,
    'maximum', p.maximum::text, 'tierMode', p.tier_mode, 'tierFroms', p.tier_froms::text[],
    'tierPercents', p.tier_percents::text[], 'tierFixeds', p.tier_fixeds::text[],
    'tierBy', coalesce(p.tier_by, 'AMOUNT'))
  where p.id is not null
$$;

-- The schedules in force of a merchant's currency, as JSON, with the volume of the month if one depends on it. Most
-- merchants have none.
create or replace function fee_schedules_json(p_merchant uuid, p_currency text, p_at timestamptz) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(
      case when s.tier_by = 'MONTH_VOLUME' then fee_schedule_json(s)
        || jsonb_build_object('volume', month_volume(s.merchant_id, s.currency_code, s.order_kind, p_at)::text)
      else fee_schedule_json(s) end order by s.id), '[]')
  from fee_schedules_at(p_merchant, p_currency, p_at) s
$$;

-- A version as the approved change request shows it (steps/fees/fee-effects.ts), except for its beginning.
create or replace function fee_schedule_fields(p fee_schedules) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'orderKind', p.order_kind, 'currencyCode', p.currency_code, 'channelId', p.channel_id, 'walletKind', p.wallet_kind,
    'ends', p.ends, 'percent', trim_scale(p.percent)::text, 'fixed', trim_scale(p.fixed)::text,
    'minimum', trim_scale(p.minimum)::text, 'maximum', trim_scale(p.maximum)::text, 'tierMode', p.tier_mode,
    'tiers', array(
      select format('from %s: %s %% + %s', trim_scale(t.least), trim_scale(t.share), trim_scale(t.part))
      from unnest(p.tier_froms, p.tier_percents, p.tier_fixeds) with ordinality t(least, share, part, place)
      order by t.place))
    || case when p.tier_by is null then '{}' else jsonb_build_object('tierBy', p.tier_by) end
$$;

-- The month of a time in a merchant's zone, by its first day.
create or replace function merchant_month(p_merchant uuid, p_at timestamptz) returns date
language sql stable
as $$ select month_start(local_day(p_at, m.time_zone)) from merchants m where m.id = p_merchant $$;

-- The volume of a merchant's completed orders of this kind in the month of a time.
create or replace function month_volume(p_merchant uuid, p_currency char(3), p_kind text, p_at timestamptz)
returns numeric
language sql stable
as $$
  select coalesce((
    select v.amount from merchant_volumes v
    where v.merchant_id = p_merchant and v.currency_code = p_currency and v.order_kind = p_kind
      and v.month = merchant_month(p_merchant, p_at)), 0)::numeric(20, 4)
$$;

-- Whether completed orders of a merchant are counted: a schedule by the month's volume was approved.
create or replace function counts_volume(p_merchant uuid, p_currency char(3), p_kind text) returns boolean
language plpgsql stable
as $$
begin
  return exists (
    select from fee_schedules f
    where f.merchant_id = p_merchant and f.currency_code = p_currency and f.order_kind = p_kind
      and f.tier_by = 'MONTH_VOLUME');
end $$;

-- Adds completed deposits to the volume of their months. The caller has posted them, and so holds the locks of their
-- balances: concurrent calls wait for each other only there.
create or replace function count_deposit_volume(p_deposits deposit_orders[]) returns void
language sql
as $$
  insert into merchant_volumes as v (merchant_id, currency_code, order_kind, month, orders, amount)
  select d.merchant_id, d.currency_code, 'DEPOSIT', d.volume_month, count(*), sum(d.actual_amount)
  from unnest(p_deposits) d where d.volume_month is not null
  group by 1, 2, 4
  on conflict (merchant_id, currency_code, order_kind, month)
  do update set orders = v.orders + excluded.orders, amount = v.amount + excluded.amount
$$;

-- Adds a completed withdrawal to the volume of its month, under the lock of its balance.
create or replace function count_withdrawal_volume(p withdrawal_orders) returns void
language sql
as $$
  insert into merchant_volumes as v (merchant_id, currency_code, order_kind, month, orders, amount)
  values (p.merchant_id, p.currency_code, 'WITHDRAWAL', p.volume_month, 1, p.amount)
  on conflict (merchant_id, currency_code, order_kind, month)
  do update set orders = v.orders + 1, amount = v.amount + excluded.amount
$$;
