-- Sessions lack what is now known of them: everybody logs in again.
DELETE FROM "operator_sessions";--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD COLUMN "id" uuid NOT NULL;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD COLUMN "cookie" boolean NOT NULL;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD COLUMN "address" text;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD COLUMN "user_agent" text;--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD COLUMN "last_seen_at" timestamp (3) with time zone NOT NULL;--> statement-breakpoint
CREATE INDEX "operator_sessions_operator" ON "operator_sessions" USING btree ("operator_id");--> statement-breakpoint
ALTER TABLE "operator_sessions" ADD CONSTRAINT "operator_sessions_id_unique" UNIQUE("id");