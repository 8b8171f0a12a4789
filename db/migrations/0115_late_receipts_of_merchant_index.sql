drop index concurrently if exists late_receipts_of_merchant;
--> statement-breakpoint
create index concurrently late_receipts_of_merchant on late_receipts (merchant_id, at, attempt_id);
