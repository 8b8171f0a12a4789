-- Notes that a create signed with the key was accepted, in the create's transaction: from then on it signs callbacks.
-- A create is never refused for this: if it fails, the key's next accepted create tries it again.
create or replace function note_first_create(p_key uuid, p_at timestamptz) returns void
language plpgsql
as $$
begin
  update api_keys set first_create_at = p_at where id = p_key and first_create_at is null;
exception when others then
  raise warning 'the first create of the key % was not noted: %', p_key, sqlerrm;
end $$;
