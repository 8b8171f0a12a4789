-- Each credit and each deposit is matched once as a whole; parts are guarded by the credit's lock. The new indexes come first.
drop index concurrently if exists transfer_allocations_part;
--> statement-breakpoint
create unique index concurrently transfer_allocations_part on transfer_allocations (transfer_id, deposit_id) where released_at is null;
--> statement-breakpoint
drop index concurrently if exists transfer_allocations_once_whole;
--> statement-breakpoint
create unique index concurrently transfer_allocations_once_whole on transfer_allocations (transfer_id) where released_at is null and amount is null;
--> statement-breakpoint
drop index concurrently if exists transfer_allocations_deposit_whole;
--> statement-breakpoint
create unique index concurrently transfer_allocations_deposit_whole on transfer_allocations (deposit_id) where released_at is null and amount is null;
