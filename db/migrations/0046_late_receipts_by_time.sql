drop index concurrently if exists late_receipts_by_time;
--> statement-breakpoint
create index concurrently late_receipts_by_time on late_receipts (at, attempt_id);
