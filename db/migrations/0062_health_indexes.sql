DROP INDEX CONCURRENTLY IF EXISTS "deposit_attempts_of_channel";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "deposit_attempts_of_channel" ON "deposit_attempts" USING btree ("channel_id","sent_at");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payout_attempts_of_channel";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payout_attempts_of_channel" ON "payout_attempts" USING btree ("channel_id","sent_at") WHERE "payout_attempts"."channel_id" is not null;
