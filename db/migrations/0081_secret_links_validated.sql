alter table secret_links validate constraint secret_links_merchant_id_merchants_id_fk;
--> statement-breakpoint
alter table secret_links validate constraint secret_links_addresses_id_event_addresses_id_fk;
--> statement-breakpoint
alter table secret_links validate constraint secret_links_change_id_change_requests_id_fk;
--> statement-breakpoint
alter table event_addresses validate constraint event_addresses_owner;
--> statement-breakpoint
alter table event_addresses validate constraint event_addresses_event;
--> statement-breakpoint
alter table platform_events validate constraint platform_events_event;
