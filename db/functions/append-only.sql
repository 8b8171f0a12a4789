-- Rows of these tables never change: a mistake in the ledger is corrected by another ledger transfer.
create or replace function refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'CW001';
end $$;

create or replace trigger ledger_transfers_append_only
before update or delete or truncate on ledger_transfers
for each statement execute function refuse_change();

create or replace trigger ledger_entries_append_only
before update or delete or truncate on ledger_entries
for each statement execute function refuse_change();

create or replace trigger channel_mappings_append_only
before update or delete or truncate on channel_mappings
for each statement execute function refuse_change();

create or replace trigger channel_mapping_trials_append_only
before update or delete or truncate on channel_mapping_trials
for each statement execute function refuse_change();

create or replace trigger fee_schedules_append_only
before update or delete or truncate on fee_schedules
for each statement execute function refuse_change();

create or replace trigger commission_rates_append_only
before update or delete or truncate on commission_rates
for each statement execute function refuse_change();

create or replace trigger billing_statements_append_only
before update or delete or truncate on billing_statements
for each statement execute function refuse_change();

create or replace trigger billing_statement_lines_append_only
before update or delete or truncate on billing_statement_lines
for each statement execute function refuse_change();

create or replace trigger health_changes_append_only
before update or delete or truncate on health_changes
for each statement execute function refuse_change();

create or replace trigger account_costs_append_only
before update or delete or truncate on account_costs
for each statement execute function refuse_change();

create or replace trigger routing_rules_append_only
before update or delete or truncate on routing_rules
for each statement execute function refuse_change();

-- A secret is sealed again when the platform's key is rotated; no other column may change.
create or replace trigger event_addresses_append_only
before update of id, event, merchant_id, version, mails, webhook_url, secret_id, allow_insecure, change_id, created_by,
  created_at or delete or truncate on event_addresses
for each statement execute function refuse_change();

create or replace trigger payer_rules_append_only
before update or delete or truncate on payer_rules
for each statement execute function refuse_change();

create or replace trigger settlement_plans_append_only
before update or delete or truncate on settlement_plans
for each statement execute function refuse_change();

create or replace trigger settlement_runs_append_only
before update or delete or truncate on settlement_runs
for each statement execute function refuse_change();

create or replace trigger change_requests_kept
before delete or truncate on change_requests
for each statement execute function refuse_change();

create or replace trigger audit_log_append_only
before update or delete or truncate on audit_log
for each statement execute function refuse_change();

create or replace trigger transfer_proofs_append_only
before update or delete or truncate on transfer_proofs
for each statement execute function refuse_change();
