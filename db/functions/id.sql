-- A UUIDv7 with the caller's time, so that ids follow skipped time in tests.
create or replace function new_id(p_now timestamptz) returns uuid
language sql volatile
as $$ select uuidv7(p_now - clock_timestamp()) $$;
