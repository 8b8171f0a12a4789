alter table merchant_volumes validate constraint merchant_volumes_currency;
--> statement-breakpoint
alter table deposit_orders validate constraint deposit_orders_volume;
--> statement-breakpoint
alter table deposit_orders validate constraint deposit_orders_volume_month;
--> statement-breakpoint
alter table fee_schedules validate constraint fee_schedules_tier_by;
--> statement-breakpoint
alter table withdrawal_orders validate constraint withdrawal_orders_volume;
--> statement-breakpoint
alter table withdrawal_orders validate constraint withdrawal_orders_volume_month;
