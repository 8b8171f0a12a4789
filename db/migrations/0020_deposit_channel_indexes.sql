DROP INDEX CONCURRENTLY IF EXISTS "channels_bound_account";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "channels_bound_account" ON "channels" USING btree ("bound_account_id") WHERE "channels"."bound_account_id" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "deposit_orders_of_channel";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "deposit_orders_of_channel" ON "deposit_orders" USING btree ("channel_id","created_at","id") WHERE "deposit_orders"."channel_id" is not null;
