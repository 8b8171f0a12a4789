drop index concurrently if exists ledger_seals_late;
--> statement-breakpoint
create index concurrently ledger_seals_late on ledger_seals (seq)
where timezone('UTC', sealed_at) - timezone('UTC', uuid_extract_timestamp(transfer_id)) > interval '30 minutes';
