alter table commission_rates validate constraint commission_rates_reseller_id_resellers_id_fk;
--> statement-breakpoint
alter table commission_rates validate constraint commission_rates_change_id_change_requests_id_fk;
--> statement-breakpoint
alter table commission_rates validate constraint commission_rates_currency;
--> statement-breakpoint
alter table commissions validate constraint commissions_rate;
--> statement-breakpoint
alter table deposit_orders validate constraint deposit_orders_commission_rate;
--> statement-breakpoint
alter table operator_postings validate constraint operator_postings_reseller_id_resellers_id_fk;
--> statement-breakpoint
alter table withdrawal_orders validate constraint withdrawal_orders_commission_rate;
--> statement-breakpoint
alter table ledger_entries validate constraint ledger_entries_account;
--> statement-breakpoint
alter table ledger_transfers validate constraint ledger_transfers_type;
--> statement-breakpoint
alter table ledger_transfers validate constraint ledger_transfers_key;
--> statement-breakpoint
alter table operator_postings validate constraint operator_postings_kind;
