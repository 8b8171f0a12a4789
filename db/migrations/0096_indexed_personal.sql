ALTER TABLE "platform" ADD COLUMN "indexes_personal" boolean DEFAULT false NOT NULL;
--> statement-breakpoint
-- On a new database no process of an older release runs.
UPDATE "platform" SET "indexes_personal" = true WHERE NOT EXISTS (SELECT FROM "merchants");
--> statement-breakpoint
ALTER TABLE "process_keys" ADD COLUMN "indexes_personal" boolean;
