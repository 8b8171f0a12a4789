CREATE TABLE "secret_links" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"merchant_id" uuid NOT NULL,
	"addresses_id" uuid NOT NULL,
	"subject_id" uuid NOT NULL,
	"overlap_seconds" integer,
	"change_id" uuid NOT NULL,
	"token_hash" text,
	"expires_at" timestamp (3) with time zone,
	"taken_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "secret_links_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "secret_links_token_hash_unique" UNIQUE("token_hash"),
	CONSTRAINT "secret_links_kind" CHECK ("secret_links"."kind" in ('API_KEY', 'WEBHOOK_SECRET')),
	CONSTRAINT "secret_links_overlap" CHECK ("secret_links"."overlap_seconds" is null or ("secret_links"."kind" = 'API_KEY' and "secret_links"."overlap_seconds" >= 0)),
	CONSTRAINT "secret_links_sent" CHECK (("secret_links"."token_hash" is null) = ("secret_links"."expires_at" is null)),
	CONSTRAINT "secret_links_taken" CHECK ("secret_links"."taken_at" is null or "secret_links"."token_hash" is not null)
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "first_used_at" timestamp (3) with time zone;
--> statement-breakpoint
ALTER TABLE "secret_links" ADD CONSTRAINT "secret_links_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "secret_links" ADD CONSTRAINT "secret_links_addresses_id_event_addresses_id_fk" FOREIGN KEY ("addresses_id") REFERENCES "public"."event_addresses"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
ALTER TABLE "secret_links" ADD CONSTRAINT "secret_links_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action NOT VALID;
--> statement-breakpoint
CREATE INDEX "secret_links_of_merchant" ON "secret_links" USING btree ("merchant_id");
--> statement-breakpoint
ALTER TABLE "event_addresses" ADD CONSTRAINT "event_addresses_owner" CHECK ("event_addresses"."event" <> 'tenant_owner_invite' or (cardinality("event_addresses"."mails") <= 1 and "event_addresses"."webhook_url" is null)) NOT VALID;
--> statement-breakpoint
-- The next statement adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "event_addresses" DROP CONSTRAINT "event_addresses_event";
--> statement-breakpoint
ALTER TABLE "event_addresses" ADD CONSTRAINT "event_addresses_event" CHECK (case "event_addresses"."event" when 'alert_raised' then "event_addresses"."merchant_id" is null
        else "event_addresses"."event" in ('billing_statement_issued', 'tenant_owner_invite') and "event_addresses"."merchant_id" is not null end) NOT VALID;
--> statement-breakpoint
-- The next statement adds a wider one, in the same transaction.
-- squawk-ignore ban-drop-constraint
ALTER TABLE "platform_events" DROP CONSTRAINT "platform_events_event";
--> statement-breakpoint
ALTER TABLE "platform_events" ADD CONSTRAINT "platform_events_event" CHECK ("platform_events"."event" in ('billing_statement_issued', 'alert_raised', 'tenant_owner_invite')) NOT VALID;
