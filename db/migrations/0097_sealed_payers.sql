ALTER TABLE "deposit_orders" ADD COLUMN "payer_mobile_index" text collate "C";
--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "payer_email_index" text collate "C";
--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD COLUMN "payer_account_index" text collate "C";
