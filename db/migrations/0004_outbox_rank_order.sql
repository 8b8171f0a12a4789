DROP INDEX CONCURRENTLY IF EXISTS "outbox_rank_order";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "outbox_rank_order" ON "outbox" USING btree ("rank","id") WHERE "outbox"."parked_at" is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "outbox_starts";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "outbox_starts" ON "outbox" USING btree ("key") WHERE "outbox"."start_at" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "outbox_due";
