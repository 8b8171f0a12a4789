alter table late_receipts validate constraint late_receipts_attempt_id_deposit_attempts_id_fk;
--> statement-breakpoint
alter table operator_postings validate constraint operator_postings_deposit_attempt_id_deposit_attempts_id_fk;
--> statement-breakpoint
alter table ledger_transfers validate constraint ledger_transfers_type;
--> statement-breakpoint
alter table ledger_transfers validate constraint ledger_transfers_key;
--> statement-breakpoint
alter table operator_postings validate constraint operator_postings_kind;
