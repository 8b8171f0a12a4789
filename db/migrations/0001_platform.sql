CREATE TABLE "platform" (
	"id" smallint PRIMARY KEY NOT NULL,
	"identity" uuid NOT NULL,
	"epoch" integer NOT NULL,
	CONSTRAINT "platform_one" CHECK ("platform"."id" = 1 and "platform"."epoch" >= 0)
);
--> statement-breakpoint
CREATE TABLE "platform_marker" (
	"id" smallint PRIMARY KEY NOT NULL,
	"marker" bigint NOT NULL,
	"raised_at" timestamp (3) with time zone,
	CONSTRAINT "platform_marker_one" CHECK ("platform_marker"."id" = 1 and "platform_marker"."marker" >= 0)
);
--> statement-breakpoint
INSERT INTO "platform" ("id", "identity", "epoch") VALUES (1, gen_random_uuid(), 0);--> statement-breakpoint
INSERT INTO "platform_marker" ("id", "marker") VALUES (1, 0);
