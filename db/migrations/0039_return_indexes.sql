-- The list of returns is filtered by merchant; manual payouts are asked each minute for their debits.
drop index concurrently if exists payer_returns_of_merchant;
--> statement-breakpoint
create index concurrently payer_returns_of_merchant on payer_returns (merchant_id, created_at, id);
--> statement-breakpoint
drop index concurrently if exists payout_attempts_paid_by_hand;
--> statement-breakpoint
create index concurrently payout_attempts_paid_by_hand on payout_attempts (finished_at, id)
  where method = 'MANUAL' and status = 'COMPLETED';
