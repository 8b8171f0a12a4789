drop index concurrently if exists payment_claims_waiting;
--> statement-breakpoint
create index concurrently payment_claims_waiting on payment_claims (at, id) where closed_at is null and paid_at is null;
--> statement-breakpoint
drop index concurrently if exists payment_claims_newest;
--> statement-breakpoint
create index concurrently payment_claims_newest on payment_claims (at, id);
--> statement-breakpoint
drop index concurrently if exists payment_claims_of_merchant;
--> statement-breakpoint
create index concurrently payment_claims_of_merchant on payment_claims (merchant_id, at, id);
--> statement-breakpoint
drop index concurrently if exists payment_claims_open;
--> statement-breakpoint
drop index concurrently if exists change_requests_kind;
--> statement-breakpoint
create index concurrently change_requests_kind on change_requests (kind, proposed_at, id);
--> statement-breakpoint
drop index concurrently if exists notification_logs_failed_of_merchant;
--> statement-breakpoint
create index concurrently notification_logs_failed_of_merchant on notification_logs (merchant_id, id)
  where status = 'FAILED';
--> statement-breakpoint
drop index concurrently if exists notification_logs_failed;
