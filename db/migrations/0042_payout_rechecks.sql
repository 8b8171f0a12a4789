ALTER TABLE "payout_attempts" ADD COLUMN "rechecked" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD COLUMN "recheck_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "payout_attempts_recheck" ON "payout_attempts" USING btree ("recheck_at","id") WHERE "payout_attempts"."recheck_at" is not null;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD CONSTRAINT "payout_attempts_recheck" CHECK ("payout_attempts"."recheck_at" is null or "payout_attempts"."status" = 'FAILED');