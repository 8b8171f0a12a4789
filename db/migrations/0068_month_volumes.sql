CREATE TABLE "merchant_volumes" (
	"merchant_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"order_kind" text NOT NULL,
	"month" date NOT NULL,
	"orders" integer NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	CONSTRAINT "merchant_volumes_merchant_id_currency_code_order_kind_month_pk" PRIMARY KEY("merchant_id","currency_code","order_kind","month"),
	CONSTRAINT "merchant_volumes_kind" CHECK ("merchant_volumes"."order_kind" in ('DEPOSIT', 'WITHDRAWAL')),
	CONSTRAINT "merchant_volumes_sum" CHECK ("merchant_volumes"."orders" > 0 and "merchant_volumes"."amount" > 0 and extract(day from "merchant_volumes"."month") = 1)
);
--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "fee_volume" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "volume_month" date;--> statement-breakpoint
ALTER TABLE "fee_schedules" ADD COLUMN "tier_by" text;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD COLUMN "fee_volume" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD COLUMN "volume_month" date;--> statement-breakpoint
ALTER TABLE "merchant_volumes" ADD CONSTRAINT "merchant_volumes_currency" FOREIGN KEY ("merchant_id","currency_code") REFERENCES "public"."merchant_currencies"("merchant_id","currency_code") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_volume" CHECK ("deposit_orders"."fee_volume" is null or "deposit_orders"."fee_volume" >= 0 and "deposit_orders"."fee_schedule_id" is not null) NOT VALID;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_volume_month" CHECK ("deposit_orders"."volume_month" is null or "deposit_orders"."status" = 'COMPLETED' and extract(day from "deposit_orders"."volume_month") = 1) NOT VALID;--> statement-breakpoint
ALTER TABLE "fee_schedules" ADD CONSTRAINT "fee_schedules_tier_by" CHECK ("fee_schedules"."tier_by" in ('AMOUNT', 'MONTH_VOLUME')) NOT VALID;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_volume" CHECK ("withdrawal_orders"."fee_volume" is null or "withdrawal_orders"."fee_volume" >= 0 and "withdrawal_orders"."fee_schedule_id" is not null) NOT VALID;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_volume_month" CHECK ("withdrawal_orders"."volume_month" is null or "withdrawal_orders"."status" = 'COMPLETED' and extract(day from "withdrawal_orders"."volume_month") = 1) NOT VALID;