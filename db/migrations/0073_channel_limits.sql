CREATE TABLE "channel_days" (
	"channel_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"day" date NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"deposits" integer NOT NULL,
	"received" numeric(20, 4) DEFAULT '0' NOT NULL,
	"credits" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "channel_days_channel_id_currency_code_day_pk" PRIMARY KEY("channel_id","currency_code","day"),
	CONSTRAINT "channel_days_never_negative" CHECK ("channel_days"."amount" >= 0 and "channel_days"."deposits" >= 0),
	CONSTRAINT "channel_days_received" CHECK ("channel_days"."received" >= 0 and "channel_days"."credits" >= 0),
	CONSTRAINT "channel_days_channel_id_channels_id_fk" FOREIGN KEY ("channel_id") REFERENCES "channels"("id")
);
--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "deposit_max_daily_amount" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "deposit_max_monthly_amount" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "deposit_max_daily_count" integer;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "deposit_max_monthly_count" integer;--> statement-breakpoint
ALTER TABLE "deposit_attempts" ADD COLUMN "counted_day" date;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_received" CHECK ("channels"."deposit_max_daily_amount" > 0 and "channels"."deposit_max_monthly_amount" > 0
        and "channels"."deposit_max_daily_count" > 0 and "channels"."deposit_max_monthly_count" > 0) NOT VALID;
