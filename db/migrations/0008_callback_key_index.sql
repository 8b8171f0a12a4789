DROP INDEX CONCURRENTLY IF EXISTS "notification_logs_without_key";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "notification_logs_without_key" ON "notification_logs" USING btree ("merchant_id") WHERE "notification_logs"."waits_for_key";
