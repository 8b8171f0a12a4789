ALTER TABLE "api_keys" ADD COLUMN "first_create_at" timestamp (3) with time zone;
--> statement-breakpoint
-- Keys in use go on signing as before the upgrade. A merchant has few keys: one statement.
UPDATE "api_keys" SET "first_create_at" = "first_used_at" WHERE "first_used_at" IS NOT NULL;
