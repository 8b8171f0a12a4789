drop index concurrently if exists commissions_reversed;
--> statement-breakpoint
create index concurrently commissions_reversed on commissions (at, id) where reversed_at is not null;
--> statement-breakpoint
drop index concurrently if exists withdrawal_orders_unsettled;
--> statement-breakpoint
create index concurrently withdrawal_orders_unsettled on withdrawal_orders (status, created_at, id)
  where status <> 'COMPLETED';
--> statement-breakpoint
drop index concurrently if exists withdrawal_orders_open;
