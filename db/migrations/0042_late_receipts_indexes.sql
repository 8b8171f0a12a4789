drop index concurrently if exists deposit_attempts_recheck;
--> statement-breakpoint
create index concurrently deposit_attempts_recheck on deposit_attempts (recheck_at, id) where recheck_at is not null;
--> statement-breakpoint
drop index concurrently if exists operator_postings_late;
--> statement-breakpoint
create index concurrently operator_postings_late on operator_postings (deposit_attempt_id) where deposit_attempt_id is not null;
