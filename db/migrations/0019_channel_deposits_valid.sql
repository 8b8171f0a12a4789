ALTER TABLE "channels" VALIDATE CONSTRAINT "channels_bound_account_id_bank_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "deposit_orders" VALIDATE CONSTRAINT "deposit_orders_channel_id_channels_id_fk";--> statement-breakpoint
ALTER TABLE "merchant_currencies" VALIDATE CONSTRAINT "merchant_currencies_wallet_channel_id_channels_id_fk";--> statement-breakpoint
ALTER TABLE "channels" VALIDATE CONSTRAINT "channels_deposits";--> statement-breakpoint
ALTER TABLE "channels" VALIDATE CONSTRAINT "channels_wallet_kind";--> statement-breakpoint
ALTER TABLE "channels" VALIDATE CONSTRAINT "channels_mock_deposits";--> statement-breakpoint
ALTER TABLE "channels" VALIDATE CONSTRAINT "channels_currencies";--> statement-breakpoint
ALTER TABLE "deposit_orders" VALIDATE CONSTRAINT "deposit_orders_way";
