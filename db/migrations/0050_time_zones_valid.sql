alter table bank_accounts validate constraint bank_accounts_time_zone;
--> statement-breakpoint
alter table channels validate constraint channels_time_zone;
--> statement-breakpoint
alter table merchants validate constraint merchants_time_zone;
