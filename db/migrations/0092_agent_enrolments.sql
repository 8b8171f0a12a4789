CREATE TABLE "agent_enrolments" (
	"id" uuid PRIMARY KEY NOT NULL,
	"agent_key_id" uuid NOT NULL,
	"mail" text NOT NULL,
	"change_id" uuid NOT NULL,
	"token_hash" text,
	"expires_at" timestamp (3) with time zone,
	"enrolled_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "agent_enrolments_agent_key_id_unique" UNIQUE("agent_key_id"),
	CONSTRAINT "agent_enrolments_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "agent_enrolments_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "agent_enrolments_sent" CHECK (("agent_enrolments"."token_hash" is null) = ("agent_enrolments"."expires_at" is null)),
	CONSTRAINT "agent_enrolments_used" CHECK ("agent_enrolments"."enrolled_at" is null or "agent_enrolments"."token_hash" is not null)
);
--> statement-breakpoint
-- A statement below adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "agent_keys" DROP CONSTRAINT "agent_keys_signs";
--> statement-breakpoint
-- A statement below adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "platform_events" DROP CONSTRAINT "platform_events_event";
--> statement-breakpoint
ALTER TABLE "agent_enrolments" ADD CONSTRAINT "agent_enrolments_agent_key_id_agent_keys_id_fk" FOREIGN KEY ("agent_key_id") REFERENCES "public"."agent_keys"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "agent_enrolments" ADD CONSTRAINT "agent_enrolments_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "agent_keys" ADD CONSTRAINT "agent_keys_signs" CHECK (num_nonnulls("agent_keys"."sealed_secret", "agent_keys"."public_key") <= 1) NOT VALID;
--> statement-breakpoint
ALTER TABLE "platform_events" ADD CONSTRAINT "platform_events_event" CHECK ("platform_events"."event" in ('billing_statement_issued', 'alert_raised', 'tenant_owner_invite', 'agent_invite')) NOT VALID;
