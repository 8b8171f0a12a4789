CREATE TABLE "worker_heartbeats" (
	"id" uuid PRIMARY KEY NOT NULL,
	"build_id" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"beat_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone
);
