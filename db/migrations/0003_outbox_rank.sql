-- squawk-ignore prefer-bigint-over-smallint
ALTER TABLE "outbox" ADD COLUMN "rank" smallint DEFAULT 2 NOT NULL;--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "start_at" timestamp (3) with time zone;--> statement-breakpoint
-- The outbox holds only what is on its way: its rows are checked at once.
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE "outbox" ADD CONSTRAINT "outbox_rank" CHECK ("outbox"."rank" between 1 and 3);
