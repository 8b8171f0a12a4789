-- The new index is there under another name and takes the place of the old one at once: no moment is without it.
-- squawk-ignore require-concurrent-index-deletion
drop index transfer_allocations_once;
--> statement-breakpoint
-- squawk-ignore renaming-object
alter index transfer_allocations_once_whole rename to transfer_allocations_once;
--> statement-breakpoint
-- squawk-ignore require-concurrent-index-deletion
drop index transfer_allocations_deposit;
--> statement-breakpoint
-- squawk-ignore renaming-object
alter index transfer_allocations_deposit_whole rename to transfer_allocations_deposit;
--> statement-breakpoint
alter table credit_work validate constraint credit_work_transfer_id_bank_transfers_id_fk;
--> statement-breakpoint
alter table credit_work validate constraint credit_work_owner_id_operators_id_fk;
--> statement-breakpoint
alter table transfer_allocations validate constraint transfer_allocations_amount;
--> statement-breakpoint
alter table ledger_transfers validate constraint ledger_transfers_type;
--> statement-breakpoint
alter table ledger_transfers validate constraint ledger_transfers_key;
--> statement-breakpoint
alter table operator_postings validate constraint operator_postings_kind;
