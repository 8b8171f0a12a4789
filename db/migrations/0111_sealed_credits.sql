ALTER TABLE "bank_transfers" ADD COLUMN "payer_account_index" text collate "C";
--> statement-breakpoint
ALTER TABLE "payer_returns" ADD COLUMN "payee_account_index" text collate "C";
--> statement-breakpoint
-- A report has it too, as its row will.
alter type transfer_report add attribute payer_account_index text;
