DROP INDEX "payout_attempts_bank_reference";--> statement-breakpoint
DROP INDEX "withdrawal_orders_bank_reference";--> statement-breakpoint
CREATE UNIQUE INDEX "payout_attempts_bank_reference" ON "payout_attempts" USING btree ("account_id",bank_reference_key("bank_reference")) WHERE "payout_attempts"."bank_reference" is not null;--> statement-breakpoint
CREATE INDEX "withdrawal_orders_bank_reference" ON "withdrawal_orders" USING btree (bank_reference_key("bank_reference"),"created_at","id") WHERE "withdrawal_orders"."bank_reference" is not null;