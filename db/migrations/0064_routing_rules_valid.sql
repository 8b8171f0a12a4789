alter table routing_rules validate constraint routing_rules_change_id_change_requests_id_fk;
--> statement-breakpoint
alter table deposit_orders validate constraint deposit_orders_routing_rules;
--> statement-breakpoint
alter table deposit_orders validate constraint deposit_orders_routing_rule;
