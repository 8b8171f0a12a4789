alter table health_changes validate constraint health_changes_account_id_bank_accounts_id_fk;
--> statement-breakpoint
alter table health_changes validate constraint health_changes_channel_id_channels_id_fk;
--> statement-breakpoint
alter table outages validate constraint outages_channel_id_channels_id_fk;
--> statement-breakpoint
alter table bank_accounts validate constraint bank_accounts_held;
--> statement-breakpoint
alter table bank_accounts validate constraint bank_accounts_silent;
--> statement-breakpoint
alter table channels validate constraint channels_breaker;
--> statement-breakpoint
alter table channels validate constraint channels_breaker_state;
