-- Never validated: an older order keeps the cost that was booked for it.
ALTER TABLE "deposit_orders" ADD CONSTRAINT "deposit_orders_channel_cost" CHECK ("deposit_orders"."actual_channel_cost" >= 0 and "deposit_orders"."actual_channel_cost" <= "deposit_orders"."amount" + "deposit_orders"."estimated_channel_cost") NOT VALID;
--> statement-breakpoint
ALTER TABLE "withdrawal_orders" ADD CONSTRAINT "withdrawal_orders_channel_cost" CHECK ("withdrawal_orders"."actual_channel_cost" >= 0 and "withdrawal_orders"."actual_channel_cost" <= "withdrawal_orders"."amount" + "withdrawal_orders"."estimated_channel_cost") NOT VALID;
