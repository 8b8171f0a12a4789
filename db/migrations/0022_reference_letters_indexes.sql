reindex index concurrently payout_attempts_bank_reference;
--> statement-breakpoint
reindex index concurrently withdrawal_orders_bank_reference;
