CREATE TABLE "account_days" (
	"account_id" uuid NOT NULL,
	"day" date NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"deposits" integer NOT NULL,
	CONSTRAINT "account_days_account_id_day_pk" PRIMARY KEY("account_id","day"),
	CONSTRAINT "account_days_never_negative" CHECK ("account_days"."amount" >= 0 and "account_days"."deposits" >= 0)
);
--> statement-breakpoint
CREATE TABLE "reserved_amounts" (
	"account_id" uuid NOT NULL,
	"currency_code" char(3) NOT NULL,
	"amount" numeric(20, 4) NOT NULL,
	"deposit_id" uuid NOT NULL,
	"free_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "reserved_amounts_account_id_currency_code_amount_pk" PRIMARY KEY("account_id","currency_code","amount"),
	CONSTRAINT "reserved_amounts_deposit_id_unique" UNIQUE("deposit_id")
);
--> statement-breakpoint
ALTER TABLE "bank_accounts" DROP CONSTRAINT "bank_accounts_mode";--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "min_amount" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "max_amount" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "max_daily_amount" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "max_open_deposits" integer DEFAULT 1000 NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "float_step" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "float_up" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "float_down" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "quarantine_minutes" integer DEFAULT 60 NOT NULL;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "quota_day" date;--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "trace_id" text;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "max_open_deposits" integer DEFAULT 10000 NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "max_open_deposits_per_user" integer DEFAULT 1000 NOT NULL;--> statement-breakpoint
ALTER TABLE "account_days" ADD CONSTRAINT "account_days_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserved_amounts" ADD CONSTRAINT "reserved_amounts_account_id_bank_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."bank_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reserved_amounts" ADD CONSTRAINT "reserved_amounts_deposit_id_deposit_orders_id_fk" FOREIGN KEY ("deposit_id") REFERENCES "public"."deposit_orders"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deposit_orders_pending_of_merchant" ON "deposit_orders" USING btree ("merchant_id","user_id") WHERE "deposit_orders"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "deposit_orders_pending_of_account" ON "deposit_orders" USING btree ("account_id") WHERE "deposit_orders"."status" = 'PENDING';--> statement-breakpoint
CREATE INDEX "notification_logs_waiting" ON "notification_logs" USING btree ("next_attempt_at") WHERE "notification_logs"."status" = 'WAITING_RETRY';--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_limits" CHECK ("bank_accounts"."min_amount" > 0 and "bank_accounts"."max_amount" > 0 and "bank_accounts"."max_daily_amount" > 0
        and "bank_accounts"."max_open_deposits" > 0 and "bank_accounts"."quarantine_minutes" between 0 and 10080);--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_float" CHECK (case "bank_accounts"."mode"
        when 'FLOAT' then coalesce("bank_accounts"."float_step" > 0 and "bank_accounts"."float_up" >= 0 and "bank_accounts"."float_down" >= 0, false)
        else "bank_accounts"."float_step" is null and "bank_accounts"."float_up" is null and "bank_accounts"."float_down" is null end);--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_mode" CHECK ("bank_accounts"."mode" in ('REMARK', 'FLOAT'));--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_open_deposits" CHECK ("merchants"."max_open_deposits" > 0 and "merchants"."max_open_deposits_per_user" > 0);