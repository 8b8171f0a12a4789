-- The sweeps find overdue rows whose workflow or outbox row was lost. They only wake workflows: a workflow reads its row
-- and does what is due. Safe to run twice, and concurrently. Rows locked by another transaction are skipped.

-- Workflows that an outbox row will still wake. A row parked lately counts too: Temporal would refuse another like it.
create or replace function keys_on_their_way(p_parked_after timestamptz) returns setof text
language sql stable
as $$ select key from outbox where parked_at is null or parked_at > p_parked_after $$;
