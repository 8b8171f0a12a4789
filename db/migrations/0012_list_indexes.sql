ALTER TABLE "deposit_orders" DROP CONSTRAINT "deposit_orders_merchant_number";--> statement-breakpoint
ALTER TABLE "deposit_orders" DROP CONSTRAINT "deposit_orders_remark";--> statement-breakpoint
DROP INDEX "deposit_orders_by_remark";--> statement-breakpoint
DROP INDEX "bank_transfers_unmatched";--> statement-breakpoint
DROP INDEX "deposit_orders_of_merchant";--> statement-breakpoint
DROP INDEX "deposit_orders_newest";--> statement-breakpoint
DROP INDEX "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "bank_transfers" ALTER COLUMN "dedupe_key" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "deposit_orders" ALTER COLUMN "order_no" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "deposit_orders" ALTER COLUMN "merchant_order_no" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "deposit_orders" ALTER COLUMN "expected_remark" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "deposit_orders" ALTER COLUMN "user_id" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "merchant_order_numbers" ALTER COLUMN "merchant_order_no" SET DATA TYPE text collate "C";--> statement-breakpoint
ALTER TABLE "merchants" ALTER COLUMN "merchant_code" SET DATA TYPE text collate "C";--> statement-breakpoint
CREATE INDEX "agent_keys_newest" ON "agent_keys" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "bank_accounts_by_name" ON "bank_accounts" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "bank_transfers_newest" ON "bank_transfers" USING btree ("received_at","id");--> statement-breakpoint
CREATE INDEX "bank_transfers_by_bank_time" ON "bank_transfers" USING btree ("bank_time","id");--> statement-breakpoint
CREATE INDEX "bank_transfers_of_account" ON "bank_transfers" USING btree ("account_id","bank_time","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_of_account" ON "deposit_orders" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_of_user" ON "deposit_orders" USING btree ("user_id","created_at","id") WHERE "deposit_orders"."user_id" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_of_payer" ON "deposit_orders" USING btree ("payer_account_last4","created_at","id") WHERE "deposit_orders"."payer_account_last4" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_by_amount" ON "deposit_orders" USING btree ("amount","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_by_completion" ON "deposit_orders" USING btree ("completed_at","id") WHERE "deposit_orders"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_unsettled" ON "deposit_orders" USING btree ("status","created_at","id") WHERE "deposit_orders"."status" not in ('COMPLETED', 'EXPIRED');--> statement-breakpoint
CREATE INDEX "ledger_transfers_rare" ON "ledger_transfers" USING btree ("type","id") WHERE "ledger_transfers"."type" not in ('BANK_CREDIT', 'DEPOSIT_CREDIT');--> statement-breakpoint
CREATE INDEX "merchants_by_name" ON "merchants" USING btree ("name","id");--> statement-breakpoint
CREATE INDEX "notification_logs_of_merchant" ON "notification_logs" USING btree ("merchant_id","id");--> statement-breakpoint
CREATE INDEX "notification_logs_unsettled" ON "notification_logs" USING btree ("status","id") WHERE "notification_logs"."status" <> 'SUCCESS';--> statement-breakpoint
CREATE INDEX "outbox_parked" ON "outbox" USING btree ("id") WHERE "outbox"."parked_at" is not null;--> statement-breakpoint
CREATE INDEX "bank_transfers_unmatched" ON "bank_transfers" USING btree ("received_at","id") WHERE "bank_transfers"."unmatched_reason" is not null;--> statement-breakpoint
CREATE INDEX "deposit_orders_of_merchant" ON "deposit_orders" USING btree ("merchant_id","created_at","id");--> statement-breakpoint
CREATE INDEX "deposit_orders_newest" ON "deposit_orders" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account","transfer_id","line");--> statement-breakpoint
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_remark" UNIQUE("expected_remark","account_id");