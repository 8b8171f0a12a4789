-- A claim moves the due time of an outbox row, which no index has. With room for the new version in the row's own block,
-- no index gets a new entry. For blocks written from now on: the rows live for seconds.
ALTER TABLE "outbox" SET (fillfactor = 50);
