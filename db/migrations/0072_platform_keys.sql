CREATE TABLE "platform_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"current_from" timestamp (3) with time zone NOT NULL,
	"released_at" timestamp (3) with time zone,
	CONSTRAINT "platform_keys_id" CHECK ("platform_keys"."id" ~ '^[0-9a-f]{8}$')
);
--> statement-breakpoint
CREATE TABLE "process_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"key_ids" text[] NOT NULL,
	"current_id" text NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
