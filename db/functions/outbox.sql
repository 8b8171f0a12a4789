-- The sweeps find rows that should have moved by themselves and did not, because their workflow or their outbox row was
-- lost. They wake workflows and decide nothing: a workflow reads its row and does what is due.
-- Safe to run twice, and concurrently. A row that another transaction has locked is left alone.

-- Workflows that a row of the outbox will still wake. A row that was parked lately counts too: Temporal refuses it
-- as it is, and another like it would only be parked beside it.
create or replace function keys_on_their_way(p_parked_after timestamptz) returns setof text
language sql stable
as $$ select key from outbox where parked_at is null or parked_at > p_parked_after $$;
