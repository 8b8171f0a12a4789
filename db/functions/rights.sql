-- What each process may do with a table, in PostgreSQL's letters: r reads, a inserts, w updates, d deletes rows. The
-- gateway, which faces the internet, writes orders and reports of banks and channels, but no settings, operators or
-- permissions. It makes an api key, and enrols an agent, only by a link that two people had sent (take_api_key,
-- enrol_agent). No process changes rows of
-- the ledger or the audit log. A sandbox's purge runs as the owner.
create or replace function process_rights() returns table (name text, gateway text, graph text, worker text)
language sql immutable
as $$
  values
    ('account_costs',           'r',    'ra',   'r'),
    ('account_days',            'raw',  'raw',  'raw'),
    ('agent_devices',           'raw',  'raw',  'raw'),
    ('agent_enrolments',        'r',    'ra',   'r'),
    ('agent_key_accounts',      'r',    'raw',  'r'),
    ('agent_keys',              'r',    'raw',  'r'),
    ('agent_nonces',            'rad',  '',     'rd'),
    ('agent_texts',             'raw',  'raw',  'raw'),
    ('alerts',                  'raw',  'raw',  'raw'),
    ('api_keys',                'r',    'raw',  'r'),
    ('api_tokens',              '',     'raw',  'r'),
    ('audit_head',              '',     'rw',   'rw'),
    ('audit_log',               '',     'ra',   'ra'),
    ('bank_accounts',           'r',    'raw',  'r'),
    ('bank_debits',             'raw',  'raw',  'raw'),
    ('bank_transfer_changes',   'raw',  'raw',  'raw'),
    ('bank_transfers',          'raw',  'raw',  'raw'),
    ('banks',                   'r',    'raw',  'r'),
    ('billing_statement_lines', '',     'r',    'ra'),
    ('billing_statements',      '',     'r',    'ra'),
    ('book_findings',           '',     'raw',  'raw'),
    ('book_proofs',             '',     'r',    'rad'),
    ('calendars',               '',     'raw',  'r'),
    ('callback_attempts',       '',     'raw',  'raw'),
    ('callback_hosts_seen',     '',     'raw',  'raw'),
    ('cashier_sessions',        'raw',  'raw',  'raw'),
    ('change_requests',         '',     'raw',  'r'),
    ('channel_balances',        '',     'r',    'rawd'),
    ('channel_banks',           'r',    'rad',  'r'),
    ('channel_days',            'raw',  'raw',  'raw'),
    ('channel_mapping_trials',  'r',    'ra',   'r'),
    ('channel_mappings',        'r',    'ra',   'r'),
    ('channel_messages',        'ra',   'r',    'rad'),
    ('channels',                'r',    'raw',  'r'),
    ('close_items',             'ra',   'raw',  'raw'),
    ('commission_rates',        'r',    'ra',   'r'),
    ('commissions',             'ra',   'raw',  'raw'),
    ('credit_work',             'ra',   'raw',  'raw'),
    ('day_amounts',             '',     'raw',  'raw'),
    ('day_closes',              'ra',   'raw',  'raw'),
    ('deposit_attempts',        'raw',  'raw',  'raw'),
    ('deposit_orders',          'raw',  'raw',  'raw'),
    ('deposit_recalls',         'ra',   'raw',  'raw'),
    ('event_addresses',         'r',    'ra',   'r'),
    ('event_attempts',          '',     'r',    'raw'),
    ('event_deliveries',        'ra',   'raw',  'raw'),
    ('fee_schedules',           'r',    'ra',   'r'),
    ('health_changes',          'ra',   'ra',   'ra'),
    ('held_credits',            'ra',   'raw',  'raw'),
    ('journal_charts',          'r',    'raw',  'r'),
    ('late_receipts',           'ra',   'raw',  'raw'),
    ('ledger_book_lines',       '',     'r',    'r'),
    ('ledger_books',            '',     'r',    'r'),
    ('ledger_entries',          'ra',   'ra',   'ra'),
    ('ledger_seals',            '',     'r',    'ra'),
    ('ledger_sum_ends',         '',     'r',    'raw'),
    ('ledger_sums',             '',     'r',    'raw'),
    ('ledger_transfers',        'ra',   'ra',   'ra'),
    ('listed_beneficiaries',    'r',    'raw',  'r'),
    ('listed_payers',           'r',    'raw',  'r'),
    ('login_throttles',         '',     'rawd', ''),
    ('mails',                   '',     'raw',  'raw'),
    ('merchant_balances',       'raw',  'raw',  'raw'),
    ('merchant_currencies',     'r',    'raw',  'r'),
    ('merchant_order_numbers',  'raw',  'raw',  'raw'),
    ('merchant_volumes',        'raw',  'raw',  'raw'),
    ('merchants',               'r',    'raw',  'r'),
    ('notification_logs',       'raw',  'raw',  'raw'),
    ('operator_links',          '',     'raw',  'r'),
    ('operator_merchants',      '',     'rawd', 'r'),
    ('operator_passkeys',       '',     'rawd', 'r'),
    ('operator_postings',       'ra',   'raw',  'raw'),
    ('operator_recovery_codes', '',     'rawd', 'r'),
    ('operator_requests',       '',     'raw',  'r'),
    ('operator_roles',          '',     'rawd', 'r'),
    ('operator_sessions',       '',     'rawd', 'r'),
    ('operator_totp',           '',     'rawd', 'r'),
    ('operators',               '',     'raw',  'r'),
    ('order_events',            'raw',  'raw',  'raw'),
    ('outages',                 'r',    'raw',  'r'),
    ('outbox',                  'raw',  'rawd', 'rawd'),
    ('passkey_challenges',      '',     'rawd', 'r'),
    ('payer_returns',           'ra',   'raw',  'raw'),
    ('payer_rules',             'r',    'ra',   'r'),
    ('payment_claims',          'raw',  'raw',  'raw'),
    ('payout_aftermaths',       'ra',   'raw',  'raw'),
    ('payout_attempts',         'raw',  'raw',  'raw'),
    ('platform',                'r',    'rw',   'rw'),
    ('platform_events',         'ra',   'ra',   'ra'),
    ('platform_keys',           'r',    'r',    'r'),
    ('platform_marker',         'r',    'raw',  'raw'),
    ('pool_accounts',           'r',    'rawd', 'r'),
    ('pool_channels',           'r',    'rawd', 'r'),
    ('pools',                   'r',    'rawd', 'r'),
    ('process_keys',            'rawd', 'rawd', 'rawd'),
    ('raised_markers',          'r',    'rad',  'rad'),
    ('receivable_covers',       'ra',   'raw',  'raw'),
    ('recoveries',              'r',    'raw',  'raw'),
    ('recovery_findings',       'r',    'rawd', 'rawd'),
    ('reserved_amounts',        'raw',  'raw',  'raw'),
    ('resellers',               '',     'raw',  ''),
    ('review_rules',            'r',    'raw',  'r'),
    ('roles',                   '',     'rawd', 'r'),
    ('routing_rules',           'r',    'ra',   'r'),
    ('secret_links',            'r',    'ra',   'r'),
    ('settlement_accounts',     'r',    'raw',  'r'),
    ('settlement_plans',        '',     'ra',   'r'),
    ('settlement_runs',         '',     'r',    'ra'),
    ('settlements',             'ra',   'raw',  'raw'),
    ('statement_lines',         'r',    'raw',  'raw'),
    ('statement_mappings',      'r',    'raw',  'r'),
    ('statement_parts',         'r',    'raw',  'raw'),
    ('statement_rules',         'r',    'raw',  'r'),
    ('statements',              'r',    'raw',  'raw'),
    ('text_patterns',           'r',    'raw',  'r'),
    ('transfer_allocations',    'raw',  'raw',  'raw'),
    ('transfer_proofs',         '',     'ra',   'r'),
    ('withdrawal_days',         'raw',  'rawd', 'raw'),
    ('withdrawal_decisions',    'r',    'raw',  'ra'),
    ('withdrawal_orders',       'raw',  'raw',  'raw'),
    ('worker_heartbeats',       'r',    'r',    'rawd')
$$;

-- Creates missing database users of the processes, if the caller may, and grants them exactly these rights. They cannot
-- log in before they get a password. Returns whether the users exist.
create or replace function grant_process_rights() returns boolean
language plpgsql
as $$
declare
  v_process text;
  v_user text;
  v record;
begin
  foreach v_process in array array['gateway', 'graph', 'worker'] loop
    v_user := 'causeway_' || v_process;
    if not exists (select from pg_roles where rolname = v_user) then
      begin
        execute format('create role %I', v_user);
      exception
        when insufficient_privilege then return false;
        -- Created at the same time by the migration of another database of the server.
        when duplicate_object or unique_violation then null;
      end;
    end if;
    execute format('grant usage on schema public, migrations to %I', v_user);
    execute format('revoke all on all tables in schema public, migrations from %I', v_user);
    execute format('grant select on migrations.release to %I', v_user);
    execute format('grant usage on all sequences in schema public to %I', v_user);
    for v in
      select p.name, string_agg(case l when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' else 'delete' end, ', ') as rights
      from (
        select r.name, case v_process when 'gateway' then r.gateway when 'graph' then r.graph else r.worker end as letters
        from process_rights() r
      ) p, regexp_split_to_table(p.letters, '') l
      where p.letters <> '' group by p.name
    loop
      execute format('grant %s on public.%I to %I', v.rights, v.name, v_user);
    end loop;
  end loop;
  -- The answer of a withdrawal names its approver.
  grant select (id, login) on operators to causeway_gateway;
  -- A withdrawal that is created during a merchant's cooling ignores the change that is cooling.
  grant select (id, kind, touches, alone, status, merchant_id, proposed_by, decided_by, decided_at)
    on change_requests to causeway_gateway;
  -- It tries an order at a channel on trial (claim_trial), and locks a channel whose limits it counts
  -- (reserve_at_channel).
  grant update (breaker_state, breaker_since, breaker_trial_at, trial_order_id) on channels to causeway_gateway;
  -- It locks the key of an agent that reports, for which PostgreSQL requires the right to update a column; it updates
  -- nothing.
  grant update (label) on agent_keys to causeway_gateway;
  -- It notes a key's first use and first create, and what banks report of an account: no key comes back, and no account becomes another.
  grant update (first_used_at, first_create_at) on api_keys to causeway_gateway;
  grant update (bank_balance, bank_balance_at, balance_chain, status, status_reason, silent_since, updated_at)
    on bank_accounts to causeway_gateway, causeway_worker;
  -- It notes what health checks find, and moves a channel's breaker.
  grant update (health, health_reason, health_at, breaker_state, breaker_since, breaker_reason, breaker_paused_for,
    breaker_trial_at, trial_order_id) on channels to causeway_worker;
  -- It expires changes that nobody decided.
  grant update (status, decided_at, payload) on change_requests to causeway_worker;
  -- It applies what people decided, and changes no decision.
  grant update (applied_at) on withdrawal_decisions to causeway_worker;
  -- It notes that a person fetched a webhook's secret, and changes no address.
  grant update (secret_taken_at) on event_addresses to causeway_graph;
  -- It makes a link's token when it sends the link.
  grant update (token_hash) on operator_links to causeway_worker;
  grant update (token_hash, expires_at) on secret_links, agent_enrolments to causeway_worker;
  -- It locks the account of a settlement plan, for which PostgreSQL requires the right to update a column; it updates
  -- nothing.
  grant update (disabled_reason) on settlement_accounts to causeway_worker;
  return true;
end $$;
