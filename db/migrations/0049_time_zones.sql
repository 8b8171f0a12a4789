ALTER TABLE "merchants" ADD COLUMN "time_zone" text DEFAULT 'UTC' NOT NULL;--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD COLUMN "counted_day" date;--> statement-breakpoint
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_time_zone" CHECK (timezone("bank_accounts"."time_zone", timestamp '2000-01-01') is not null) NOT VALID;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_time_zone" CHECK (timezone("channels"."time_zone", timestamp '2000-01-01') is not null) NOT VALID;--> statement-breakpoint
ALTER TABLE "merchants" ADD CONSTRAINT "merchants_time_zone" CHECK (timezone("merchants"."time_zone", timestamp '2000-01-01') is not null) NOT VALID;
