-- Reads the whole table, and lets everybody read and write meanwhile.
ALTER TABLE "ledger_transfers" VALIDATE CONSTRAINT "ledger_transfers_bank_transfer_id_bank_transfers_id_fk";--> statement-breakpoint
ALTER TABLE "ledger_transfers" VALIDATE CONSTRAINT "ledger_transfers_type";--> statement-breakpoint
ALTER TABLE "ledger_transfers" VALIDATE CONSTRAINT "ledger_transfers_key";
