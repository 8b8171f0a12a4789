-- Reads the whole tables, and lets everybody read and write meanwhile.
ALTER TABLE "ledger_entries" VALIDATE CONSTRAINT "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "ledger_transfers" VALIDATE CONSTRAINT "ledger_transfers_type";--> statement-breakpoint
ALTER TABLE "ledger_transfers" VALIDATE CONSTRAINT "ledger_transfers_key";--> statement-breakpoint
ALTER TABLE "payout_aftermaths" VALIDATE CONSTRAINT "payout_aftermaths_amounts";--> statement-breakpoint
ALTER TABLE "merchants" VALIDATE CONSTRAINT "merchants_late_payment";--> statement-breakpoint
ALTER TABLE "deposit_recalls" VALIDATE CONSTRAINT "deposit_recalls_bank_debit_id_bank_debits_id_fk";
