drop index concurrently if exists deposit_orders_shares_of_channel;
--> statement-breakpoint
create index concurrently deposit_orders_shares_of_channel on deposit_orders (channel_id)
  where quota_day is not null and account_id is null;
--> statement-breakpoint
drop index concurrently if exists deposit_attempts_counted;
--> statement-breakpoint
create index concurrently deposit_attempts_counted on deposit_attempts (channel_id, counted_day)
  where counted_day is not null;
