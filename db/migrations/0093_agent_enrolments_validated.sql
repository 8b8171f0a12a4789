alter table agent_enrolments validate constraint agent_enrolments_agent_key_id_agent_keys_id_fk;
--> statement-breakpoint
alter table agent_enrolments validate constraint agent_enrolments_change_id_change_requests_id_fk;
--> statement-breakpoint
alter table agent_keys validate constraint agent_keys_signs;
--> statement-breakpoint
alter table platform_events validate constraint platform_events_event;
