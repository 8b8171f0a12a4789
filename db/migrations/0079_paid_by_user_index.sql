drop index concurrently if exists deposit_orders_paid_by_user;
--> statement-breakpoint
create index concurrently deposit_orders_paid_by_user on deposit_orders (user_id, merchant_id, completed_at, id)
  where status = 'COMPLETED' and user_id is not null;
