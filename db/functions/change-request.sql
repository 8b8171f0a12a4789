-- A proposal never changes, and gets one decision. A decided one changes only by the erasure of a person.
create or replace function guard_change_request() returns trigger
language plpgsql
as $$
declare
  decision constant text[] := array['status', 'alone', 'payload', 'decided_by', 'decided_at', 'decision_reason'];
begin
  if old.status <> 'PROPOSED' then
    if new is not distinct from erased_change(old) then
      return new;
    end if;
    raise exception 'change request % is already %', old.id, old.status using errcode = 'CW004';
  end if;
  if to_jsonb(new) - decision is distinct from to_jsonb(old) - decision then
    raise exception 'a proposal cannot be changed' using errcode = 'CW001';
  end if;
  return new;
end $$;

create or replace trigger change_requests_guard
before update on change_requests
for each row execute function guard_change_request();
