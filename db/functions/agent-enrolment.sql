-- Queues the mail of a link to an agent's owner, in the transaction that creates the link.
create or replace function report_agent_enrolment() returns trigger
language plpgsql
as $$
begin
  perform report_platform_event('agent_invite', null, new.id, array[new.mail], null, new.created_at);
  return null;
end $$;

create or replace trigger agent_enrolments_reported after insert on agent_enrolments
for each row execute function report_agent_enrolment();

-- Gives an agent's key its public key, in the transaction that uses the link. Returns whether the link was valid and the
-- key not revoked. Runs with the owner's rights (security definer): the gateway, which calls it, must not write keys.
create or replace function enrol_agent(p_link uuid, p_public_key text, p_now timestamptz) returns boolean
language plpgsql
security definer set search_path = public, pg_temp
as $$
declare
  v_key uuid;
begin
  select agent_key_id into v_key from agent_enrolments where id = p_link;
  perform from agent_keys
  where id = v_key and revoked_at is null and num_nonnulls(sealed_secret, public_key) = 0 for no key update;
  if not found then
    return false;
  end if;
  update agent_enrolments set enrolled_at = p_now
  where id = p_link and enrolled_at is null and expires_at > p_now;
  if not found then
    return false;
  end if;
  update agent_keys set public_key = p_public_key where id = v_key;
  return true;
end $$;
