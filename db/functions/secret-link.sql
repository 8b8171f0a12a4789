-- Queues the mail of a link to a merchant's owner, in the transaction that creates the link.
create or replace function report_secret_link() returns trigger
language plpgsql
as $$
begin
  perform raise_platform_event('tenant_owner_invite', new.merchant_id, new.id, new.created_at);
  return null;
end $$;

create or replace trigger secret_links_reported after insert on secret_links
for each row execute function report_secret_link();

-- Whether a link may still be used: it was sent to the present address of the merchant's owner.
create or replace function is_owners_link(p_link secret_links) returns boolean
language sql stable
as $$
  select p_link.addresses_id = (
    select a.id from event_addresses a
    where a.event = 'tenant_owner_invite' and a.merchant_id = p_link.merchant_id
    order by a.version desc limit 1)
$$;

-- Uses a link, once. Returns no row if it is no longer valid. Runs with the owner's rights (security definer): the
-- gateway, which calls it, must not write links.
create or replace function take_secret_link(p_link uuid, p_kind text, p_now timestamptz) returns setof secret_links
language sql
security definer set search_path = public, pg_temp
as $$
  update secret_links l set taken_at = p_now
  where l.id = p_link and l.kind = p_kind and l.taken_at is null and l.expires_at > p_now and is_owners_link(l)
  returning *
$$;

-- Creates the api key of a link, in the transaction that uses the link. If it replaces the merchant's other keys, those
-- stay valid for the overlap. Returns whether the link was valid. Runs with the owner's rights (security definer): the
-- gateway, which calls it, must not create other keys.
create or replace function take_api_key(
  p_link uuid, p_lookup_hash text, p_sealed_key text, p_hint text, p_now timestamptz
) returns boolean
language plpgsql
security definer set search_path = public, pg_temp
as $$
declare
  v_link secret_links;
begin
  select * into v_link from take_secret_link(p_link, 'API_KEY', p_now);
  if not found then
    return false;
  end if;
  if v_link.overlap_seconds is not null then
    update api_keys set retires_at = least(retires_at, p_now + make_interval(secs => v_link.overlap_seconds))
    where merchant_id = v_link.merchant_id and revoked_at is null and (retires_at is null or retires_at > p_now);
  end if;
  insert into api_keys (id, merchant_id, lookup_hash, sealed_key, hint, created_at)
  values (v_link.subject_id, v_link.merchant_id, p_lookup_hash, p_sealed_key, p_hint, p_now);
  return true;
end $$;
