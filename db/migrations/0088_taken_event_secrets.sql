ALTER TABLE "event_addresses" ADD COLUMN "secret_taken_at" timestamp (3) with time zone;
--> statement-breakpoint
-- Whoever proposed these saw their secret: it waits for nobody.
UPDATE "event_addresses" SET "secret_taken_at" = "created_at" WHERE "merchant_id" IS NULL AND "secret_id" IS NOT NULL;
