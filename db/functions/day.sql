-- Days of time zones, as domain/zone.ts has them; test/db/zones.test.ts compares the two. Every limit, count and hold
-- that changes at midnight uses these.

-- The day of a time in a zone.
create or replace function local_day(p_at timestamptz, p_zone text) returns date
language sql immutable
as $$ select (p_at at time zone p_zone)::date $$;

-- When a day begins in a zone. If clocks show midnight twice, the first; if they skip it, the time of the change. Tried
-- with the zone's offsets of the day before and the day after, one of which is right.
create or replace function day_start(p_day date, p_zone text) returns timestamptz
language sql immutable
as $$
  select min(c.at)
  from (values (-1), (1)) as near(days),
    lateral (select p_day::timestamp at time zone 'UTC' + make_interval(days => near.days) as at) n,
    lateral (select p_day::timestamp at time zone 'UTC' - ((n.at at time zone p_zone) - (n.at at time zone 'UTC')) as at) c
  where local_day(c.at, p_zone) >= p_day
$$;

-- The first day of a day's month.
create or replace function month_start(p_day date) returns date
language sql immutable
as $$ select p_day - extract(day from p_day)::integer + 1 $$;

-- Whether this server's tables know a zone. Node.js and PostgreSQL have tables of their own.
create or replace function is_zone(p_zone text) returns boolean
language plpgsql immutable
as $$
begin
  return timezone(p_zone, timestamp '2000-01-01') is not null;
exception when invalid_parameter_value then
  return false;
end $$;
