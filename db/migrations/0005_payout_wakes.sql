ALTER TABLE "payout_attempts" ADD COLUMN "wakes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payout_attempts" ADD COLUMN "woken_at" timestamp (3) with time zone;
