DROP INDEX CONCURRENTLY IF EXISTS "payout_attempts_doubted";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payout_attempts_doubted" ON "payout_attempts" USING btree ("doubted_at","id") WHERE "payout_attempts"."doubted_at" is not null;
