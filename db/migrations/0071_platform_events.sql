CREATE TABLE "event_addresses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"merchant_id" uuid,
	"version" integer NOT NULL,
	"mails" text[] NOT NULL,
	"webhook_url" text,
	"sealed_secret" text,
	"secret_id" uuid,
	"allow_insecure" boolean NOT NULL,
	"change_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_addresses_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "event_addresses_version" UNIQUE NULLS NOT DISTINCT("event","merchant_id","version"),
	CONSTRAINT "event_addresses_event" CHECK (case "event_addresses"."event" when 'billing_statement_issued' then "event_addresses"."merchant_id" is not null
        else "event_addresses"."event" = 'alert_raised' and "event_addresses"."merchant_id" is null end),
	CONSTRAINT "event_addresses_numbered" CHECK ("event_addresses"."version" > 0),
	CONSTRAINT "event_addresses_mails" CHECK (cardinality("event_addresses"."mails") <= 10),
	CONSTRAINT "event_addresses_secret" CHECK (("event_addresses"."webhook_url" is null) = ("event_addresses"."sealed_secret" is null) and ("event_addresses"."webhook_url" is null) = ("event_addresses"."secret_id" is null)),
	CONSTRAINT "event_addresses_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action,
	CONSTRAINT "event_addresses_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action
);
--> statement-breakpoint
CREATE TABLE "platform_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event" text NOT NULL,
	"merchant_id" uuid,
	"subject_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "platform_events_once" UNIQUE("event","subject_id"),
	CONSTRAINT "platform_events_event" CHECK ("platform_events"."event" in ('billing_statement_issued', 'alert_raised')),
	CONSTRAINT "platform_events_merchant_id_merchants_id_fk" FOREIGN KEY ("merchant_id") REFERENCES "public"."merchants"("id") ON DELETE no action ON UPDATE no action
);
--> statement-breakpoint
CREATE TABLE "event_deliveries" (
	"id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"target" text NOT NULL,
	"status" text NOT NULL,
	"attempt_count" smallint NOT NULL,
	"total_attempts" integer NOT NULL,
	"generation" integer NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"lease_until" timestamp (3) with time zone,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "event_deliveries_once" UNIQUE("event_id","kind","target"),
	CONSTRAINT "event_deliveries_kind" CHECK ("event_deliveries"."kind" in ('MAIL', 'WEBHOOK')),
	CONSTRAINT "event_deliveries_status" CHECK ("event_deliveries"."status" in ('SENDING', 'WAITING_RETRY', 'SUCCESS', 'FAILED')),
	CONSTRAINT "event_deliveries_attempts" CHECK ("event_deliveries"."attempt_count" between 0 and case "event_deliveries"."kind" when 'WEBHOOK' then 5 else 30 end),
	CONSTRAINT "event_deliveries_lease" CHECK (("event_deliveries"."status" = 'SENDING') = ("event_deliveries"."lease_until" is not null)),
	CONSTRAINT "event_deliveries_next" CHECK (("event_deliveries"."status" = 'WAITING_RETRY') = ("event_deliveries"."next_attempt_at" is not null)),
	CONSTRAINT "event_deliveries_event_id_platform_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."platform_events"("id") ON DELETE no action ON UPDATE no action
);
--> statement-breakpoint
CREATE TABLE "event_attempts" (
	"delivery_id" uuid NOT NULL,
	"generation" integer NOT NULL,
	"attempt" smallint NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"response_status" integer,
	"response_body" text,
	"error" text,
	CONSTRAINT "event_attempts_delivery_id_generation_attempt_pk" PRIMARY KEY("delivery_id","generation","attempt"),
	CONSTRAINT "event_attempts_delivery_id_event_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."event_deliveries"("id") ON DELETE no action ON UPDATE no action
);
--> statement-breakpoint
CREATE INDEX "event_deliveries_unsettled" ON "event_deliveries" USING btree ("status","id") WHERE "event_deliveries"."status" <> 'SUCCESS';--> statement-breakpoint
CREATE INDEX "platform_events_of_merchant" ON "platform_events" USING btree ("merchant_id");
