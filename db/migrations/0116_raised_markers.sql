CREATE TABLE "raised_markers" (
	"marker" bigint PRIMARY KEY NOT NULL,
	"raised_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "platform_marker" ADD COLUMN "recovered_marker" bigint;