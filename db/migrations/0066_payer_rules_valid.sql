alter table listed_payers validate constraint listed_payers_merchant_id_merchants_id_fk;
--> statement-breakpoint
alter table payer_rules validate constraint payer_rules_merchant_id_merchants_id_fk;
--> statement-breakpoint
alter table payer_rules validate constraint payer_rules_change_id_change_requests_id_fk;
--> statement-breakpoint
alter table deposit_orders validate constraint deposit_orders_payer;
