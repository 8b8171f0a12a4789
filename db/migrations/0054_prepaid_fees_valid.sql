alter table deposit_orders validate constraint deposit_orders_held_fee;
--> statement-breakpoint
alter table ledger_transfers validate constraint ledger_transfers_type;
--> statement-breakpoint
alter table ledger_transfers validate constraint ledger_transfers_key;
