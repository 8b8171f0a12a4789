ALTER TABLE "withdrawal_orders" ADD COLUMN "beneficiary_account_index" text;
--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_beneficiary_key" CHECK ("withdrawal_orders"."beneficiary_account_index" is null or "withdrawal_orders"."beneficiary_account_key" is not null) NOT VALID;
