DROP INDEX CONCURRENTLY IF EXISTS "withdrawal_orders_by_completion";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "withdrawal_orders_by_completion" ON "withdrawal_orders" USING btree ("completed_at","id") WHERE "withdrawal_orders"."completed_at" is not null;
