-- A UUIDv7 whose time is the caller's clock, so that skipped time in tests is the time in ids too.
create or replace function new_id(p_now timestamptz) returns uuid
language sql volatile
as $$ select uuidv7(p_now - clock_timestamp()) $$;
