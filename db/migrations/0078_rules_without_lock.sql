-- A trigger checks the same, without a lock on the row that all deposits share (db/functions/routing-rules.sql).
-- squawk-ignore ban-drop-constraint
alter table deposit_orders drop constraint deposit_orders_routing_rules;
