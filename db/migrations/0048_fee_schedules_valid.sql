alter table fee_schedules validate constraint fee_schedules_change_id_change_requests_id_fk;
--> statement-breakpoint
alter table fee_schedules validate constraint fee_schedules_channel_id_channels_id_fk;
--> statement-breakpoint
alter table fee_schedules validate constraint fee_schedules_currency;
--> statement-breakpoint
alter table deposit_orders validate constraint deposit_orders_fee_schedule;
--> statement-breakpoint
alter table withdrawal_orders validate constraint withdrawal_orders_fee_schedule;
