ALTER TABLE "merchant_currencies" ADD COLUMN "deposit_min" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "merchant_currencies" ADD COLUMN "deposit_max" numeric(20, 4);--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "webhook_ssl_verify" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "notify_deposit_matched" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "hide_costs" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "merchants" ADD COLUMN "allowed_addresses" text[];
