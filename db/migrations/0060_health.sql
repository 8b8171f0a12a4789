CREATE TABLE "health_changes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"account_id" uuid,
	"channel_id" uuid,
	"cause" text NOT NULL,
	"state" text NOT NULL,
	"order_id" uuid,
	"reason" text,
	"at" timestamp (3) with time zone NOT NULL,
	"who" text NOT NULL,
	"position" bigint GENERATED ALWAYS AS IDENTITY (sequence name "health_changes_position_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	CONSTRAINT "health_changes_subject" CHECK (case "health_changes"."cause" when 'AGENT' then "health_changes"."account_id" is not null and "health_changes"."channel_id" is null
        else "health_changes"."cause" in ('PROBE', 'BREAKER') and "health_changes"."channel_id" is not null and "health_changes"."account_id" is null end),
	CONSTRAINT "health_changes_state" CHECK ("health_changes"."state" in ('HEALTHY', 'DOWN', 'TRIAL')
        and ("health_changes"."state" = 'TRIAL') = ("health_changes"."order_id" is not null)
        and ("health_changes"."state" <> 'TRIAL' or "health_changes"."cause" = 'BREAKER'))
);
--> statement-breakpoint
CREATE TABLE "outages" (
	"id" uuid PRIMARY KEY NOT NULL,
	"bank_code" text,
	"channel_id" uuid,
	"begins_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"reason" text NOT NULL,
	"entered_by" text NOT NULL,
	"entered_at" timestamp (3) with time zone NOT NULL,
	"ended_by" text,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "outages_subject" CHECK (num_nonnulls("outages"."bank_code", "outages"."channel_id") = 1),
	CONSTRAINT "outages_ends" CHECK ("outages"."ends_at" > "outages"."begins_at"),
	CONSTRAINT "outages_ended" CHECK (("outages"."ended_by" is null) = ("outages"."ended_at" is null))
);
--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "max_balance" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "silent_minutes" integer;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "silent_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "breaker_percent" integer;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "breaker_failures" integer;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "breaker_orders" integer DEFAULT 10 NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "breaker_minutes" integer DEFAULT 10 NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "breaker_pause" integer DEFAULT 60 NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "breaker_state" text DEFAULT 'HEALTHY' NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "breaker_since" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "breaker_reason" text;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "breaker_paused_for" integer;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "breaker_trial_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "trial_order_id" uuid;--> statement-breakpoint
ALTER TABLE "health_changes" ADD CONSTRAINT "health_changes_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "health_changes" ADD CONSTRAINT "health_changes_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "outages" ADD CONSTRAINT "outages_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX "health_changes_of_account" ON "health_changes" USING btree ("account_id","cause","at","position") WHERE "health_changes"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "health_changes_of_channel" ON "health_changes" USING btree ("channel_id","cause","at","position") WHERE "health_changes"."channel_id" is not null;--> statement-breakpoint
CREATE INDEX "outages_newest" ON "outages" USING btree ("begins_at","id");--> statement-breakpoint
CREATE INDEX "outages_of_bank" ON "outages" USING btree ("bank_code");--> statement-breakpoint
CREATE INDEX "outages_of_channel" ON "outages" USING btree ("channel_id");--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_held" CHECK ("bank_accounts"."max_balance" > 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_silent" CHECK ("bank_accounts"."silent_minutes" between 0 and 1440) NOT VALID;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_breaker" CHECK ("channels"."breaker_percent" between 1 and 100 and "channels"."breaker_failures" between 1 and 1000
        and "channels"."breaker_orders" between 1 and 10000 and "channels"."breaker_minutes" between 1 and 1440
        and "channels"."breaker_pause" between 10 and 3600) NOT VALID;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_breaker_state" CHECK (case "channels"."breaker_state"
        when 'HEALTHY' then num_nonnulls("channels"."breaker_paused_for", "channels"."breaker_trial_at", "channels"."trial_order_id") = 0
        else "channels"."breaker_state" in ('DOWN', 'TRIAL') and "channels"."breaker_since" is not null
          and "channels"."breaker_paused_for" >= 0 and "channels"."breaker_trial_at" is not null
          and ("channels"."breaker_state" = 'TRIAL') = ("channels"."trial_order_id" is not null) end) NOT VALID;
