-- A UUIDv7 with the caller's time, so that ids follow skipped time in tests. The shift is measured on the clock of
-- uuidv7(): in a connection, it never goes back, although the server's clock may be set back.
create or replace function new_id(p_now timestamptz) returns uuid
language sql volatile
as $$ select uuidv7(p_now - uuid_extract_timestamp(uuidv7())) $$;
