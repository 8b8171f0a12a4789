drop index concurrently if exists deposit_recalls_debit;
--> statement-breakpoint
create unique index concurrently deposit_recalls_debit on deposit_recalls (bank_debit_id) where bank_debit_id is not null;
