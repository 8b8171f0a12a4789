CREATE TABLE "fee_schedules" (
	"id" uuid PRIMARY KEY NOT NULL,
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"order_kind" text NOT NULL,
	"channel_id" uuid,
	"wallet_kind" text,
	"version" integer NOT NULL,
	"effective_from" timestamp (3) with time zone NOT NULL,
	"ends" boolean NOT NULL,
	"percent" numeric(7, 4) NOT NULL,
	"fixed" numeric(20, 4) NOT NULL,
	"minimum" numeric(20, 4),
	"maximum" numeric(20, 4),
	"tier_mode" text NOT NULL,
	"tier_froms" numeric(20, 4)[] NOT NULL,
	"tier_percents" numeric(7, 4)[] NOT NULL,
	"tier_fixeds" numeric(20, 4)[] NOT NULL,
	"change_id" uuid NOT NULL,
	"created_by" text NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "fee_schedules_change_id_unique" UNIQUE("change_id"),
	CONSTRAINT "fee_schedules_version" UNIQUE NULLS NOT DISTINCT("merchant_id","currency_code","order_kind","channel_id","wallet_kind","version"),
	CONSTRAINT "fee_schedules_of_merchant" UNIQUE("id","merchant_id","currency_code"),
	CONSTRAINT "fee_schedules_scope" CHECK (case "fee_schedules"."order_kind" when 'DEPOSIT' then num_nonnulls("fee_schedules"."channel_id", "fee_schedules"."wallet_kind") <= 1
        when 'WITHDRAWAL' then num_nonnulls("fee_schedules"."channel_id", "fee_schedules"."wallet_kind") = 0 else false end),
	CONSTRAINT "fee_schedules_wallet_kind" CHECK ("fee_schedules"."wallet_kind" in ('BKASH', 'NAGAD')),
	CONSTRAINT "fee_schedules_begins" CHECK ("fee_schedules"."version" > 0 and "fee_schedules"."effective_from" >= "fee_schedules"."created_at"),
	CONSTRAINT "fee_schedules_rule" CHECK ("fee_schedules"."percent" >= 0 and "fee_schedules"."percent" < 100 and "fee_schedules"."fixed" >= 0 and "fee_schedules"."minimum" > 0 and "fee_schedules"."maximum" > 0
        and ("fee_schedules"."minimum" is null or "fee_schedules"."maximum" is null or "fee_schedules"."minimum" <= "fee_schedules"."maximum")),
	CONSTRAINT "fee_schedules_tiers" CHECK ("fee_schedules"."tier_mode" in ('WHOLE', 'SLICES') and cardinality("fee_schedules"."tier_froms") <= 20
        and cardinality("fee_schedules"."tier_percents") = cardinality("fee_schedules"."tier_froms")
        and cardinality("fee_schedules"."tier_fixeds") = cardinality("fee_schedules"."tier_froms")
        and 0 < all("fee_schedules"."tier_froms") and 0 <= all("fee_schedules"."tier_percents") and 100 > all("fee_schedules"."tier_percents")
        and 0 <= all("fee_schedules"."tier_fixeds") and ("fee_schedules"."tier_mode" = 'WHOLE' or 0 = all("fee_schedules"."tier_fixeds")))
);
--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "fee_schedule_id" uuid;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD COLUMN "fee_schedule_id" uuid;--> statement-breakpoint
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_change_id_change_requests_id_fk" FOREIGN KEY ("change_id") REFERENCES "public"."change_requests"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_currency" FOREIGN KEY ("merchant_id","currency_code") REFERENCES "public"."merchant_currencies"("merchant_id","currency_code") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_fee_schedule" FOREIGN KEY ("fee_schedule_id","merchant_id","currency_code") REFERENCES "public"."fee_schedules"("id","merchant_id","currency_code") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_fee_schedule" FOREIGN KEY ("fee_schedule_id","merchant_id","currency_code") REFERENCES "public"."fee_schedules"("id","merchant_id","currency_code") ON DELETE no action ON UPDATE no action NOT VALID;