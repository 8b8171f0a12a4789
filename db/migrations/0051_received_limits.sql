ALTER TABLE "account_days" ADD COLUMN "received" numeric(20, 4) DEFAULT '0' NOT NULL;--> statement-breakpoint
ALTER TABLE "account_days" ADD COLUMN "credits" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "max_monthly_amount" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "max_daily_count" integer;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD COLUMN "max_monthly_count" integer;--> statement-breakpoint
ALTER TABLE "bank_transfers" ADD COLUMN "counted_day" date;--> statement-breakpoint
ALTER TABLE "account_days" ADD CONSTRAINT "account_days_received" CHECK ("account_days"."received" >= 0 and "account_days"."credits" >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_received" CHECK ("bank_accounts"."max_monthly_amount" > 0 and "bank_accounts"."max_daily_count" > 0 and "bank_accounts"."max_monthly_count" > 0) NOT VALID;
