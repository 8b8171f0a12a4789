-- The schedules of a merchant's currency that are in force at a moment: of those for the same orders that have begun the
-- newest version, unless it says that the schedule is over.
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

-- A schedule as programs read it: amounts are texts, so that none is rounded on its way.
create or replace function fee_schedule_json(p fee_schedules) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'id', p.id, 'orderKind', p.order_kind, 'channelId', p.channel_id, 'walletKind', p.wallet_kind,
    'version', p.version, 'percent', p.percent::text, 'fixed', p.fixed::text, 'minimum', p.minimum::text,
    'maximum', p.maximum::text, 'tierMode', p.tier_mode, 'tierFroms', p.tier_froms::text[],
    'tierPercents', p.tier_percents::text[], 'tierFixeds', p.tier_fixeds::text[])
  where p.id is not null
$$;

-- The schedules in force of a merchant's currency, as programs read them. Most merchants have none.
create or replace function fee_schedules_json(p_merchant uuid, p_currency text, p_at timestamptz) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(fee_schedule_json(s) order by s.id), '[]') from fee_schedules_at(p_merchant, p_currency, p_at) s
$$;

-- A version as the change request shows it that people agreed on (graph/fees/fee-effects.ts), but when it begins.
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
$$;
