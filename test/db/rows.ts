import type { Sql } from 'postgres';

/** The value of every id column, so that each reference finds the only row of its table. */
const ID = '00000000-0000-7000-8000-000000000001';
/** A value for each type. VALUES overrides it where a check or a reference requires another value. */
const BY_TYPE: Readonly<Record<string, unknown>> = {
  uuid: ID,
  text: 'x',
  bpchar: 'THB',
  numeric: '1',
  int2: 1,
  int4: 1,
  int8: 1,
  bool: false,
  date: '2026-01-02',
  timestamptz: '2026-01-02T03:04:05Z',
  jsonb: {},
  bytea: '\\x00',
  _text: [],
  _uuid: [],
  _numeric: [],
  _int2: [],
  _date: [],
};
/** The values that a table's checks and references require. */
const VALUES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  // audit_log.seq is lower than the first number that the chain's head assigns.
  agent_texts: { state: 'UNREAD' },
  audit_log: { seq: 0 },
  agent_keys: { sealed_secret: 'x' },
  bank_accounts: { mode: 'REMARK', status: 'ACTIVE' },
  bank_transfers: { direction: 'CREDIT' },
  billing_statement_lines: { fee: '0', frozen: '0', receivable: '0' },
  billing_statements: {
    month: '2026-01-01',
    begins_at: '2025-12-31T00:00:00Z',
    ends_at: '2026-01-01T00:00:00Z',
    from_seq: 0,
    opening_available: '0',
    opening_frozen: '0',
    opening_receivable: '0',
  },
  book_proofs: { kind: 'WHOLE' },
  cashier_sessions: { payer_bank_cards: [], status: 'PENDING', merchant_order_no: 'x' },
  change_requests: { status: 'PROPOSED', payload: {} },
  channel_mappings: { mapping: {} },
  channel_mapping_trials: { checks: [] },
  channels: {
    channel_code: 'x',
    kind: 'MOCK',
    mock_outcome: 'PENDING',
    health: 'UP',
    currencies: ['THB'],
  },
  day_amounts: { counter: 'MATCHER' },
  day_closes: {
    account_id: ID,
    account: `bank:${ID}`,
    status: 'PROPOSED',
    opening: '0',
    credits: '0',
    debits: '0',
    closing: '0',
  },
  deposit_attempts: { status: 'PREPARED' },
  deposit_orders: { order_type: 'DIRECT', status: 'PENDING', actual_amount: '0', account_id: ID },
  deposit_recalls: { from_held: '1', from_available: '0', owed: '0' },
  health_changes: { cause: 'AGENT', state: 'DOWN', account_id: ID },
  held_credits: { held_at: '2026-01-01T03:04:05Z' },
  late_receipts: { ended_at: '2026-01-03T03:04:05Z' },
  ledger_book_lines: { account: 'suspense' },
  ledger_books: { head_hash: `\\x${'00'.repeat(32)}` },
  ledger_entries: { account: 'suspense' },
  // Entries that a posting takes are below zero.
  ledger_sums: { debits: '-1' },
  ledger_seals: { transfer_id: ID, hash: `\\x${'00'.repeat(32)}` },
  ledger_transfers: { type: 'BANK_CREDIT', bank_transfer_id: ID, key: `bank-credit:${ID}` },
  listed_beneficiaries: { list: 'ALLOW' },
  listed_payers: { list: 'ALLOW', trait: 'NAME', expires_at: null },
  event_addresses: { event: 'alert_raised', merchant_id: null, mails: '{}' },
  secret_links: { kind: 'API_KEY' },
  event_deliveries: { kind: 'MAIL', status: 'SUCCESS' },
  mails: { event: 'alerts', status: 'QUEUED', operator_id: ID },
  notification_logs: { status: 'SUCCESS' },
  operator_postings: {
    kind: 'LATE_CREDIT',
    change_id: ID,
    bank_transfer_id: ID,
    merchant_id: ID,
    amount: '2',
    fee: '1',
    reversal_owed: '0',
  },
  operator_links: { purpose: 'RESET', operator_id: ID },
  operator_roles: { role: 'view' },
  passkey_challenges: { purpose: 'ADD' },
  outages: { bank_code: 'x' },
  payment_claims: { reference_key: 'X' },
  payout_aftermaths: { type: 'WITHDRAWAL_RETURNED', from_available: 0 },
  payout_attempts: { method: 'MANUAL', status: 'OPEN' },
  payer_returns: { status: 'OPEN', bank_transfer_id: ID },
  payer_rules: { rules: { comparison: 'WAIT', velocity: [] } },
  platform_events: { event: 'alert_raised' },
  platform_keys: { id: '0a1b2c3d' },
  recovery_findings: { kind: 'NOT_PAID', withdrawal_id: ID },
  fee_schedules: {
    order_kind: 'DEPOSIT',
    tier_mode: 'WHOLE',
    effective_from: '2026-01-03T03:04:05Z',
  },
  commission_rates: { order_kind: 'DEPOSIT', effective_from: '2026-01-03T03:04:05Z' },
  commissions: { source: 'LATE_CREDIT' },
  merchant_volumes: { order_kind: 'DEPOSIT', month: '2026-01-01' },
  settlement_plans: {
    trigger: 'EVERY_DAY',
    time: '09:00',
    shift: 'NEXT',
  },
  settlement_runs: { skipped: 'NO_BALANCE' },
  journal_charts: { accounts: [{ account: '', code: '1' }] },
  routing_rules: { order_kind: 'DEPOSIT', rules: [] },
  statement_lines: { state: 'BAD', problem: 'x' },
  statement_rules: {
    action: 'INTEREST',
    direction: 'CREDIT',
    max_amount: '1',
    max_day_amount: '1',
  },
  statements: { format: 'MT940', status: 'READ' },
  text_patterns: { direction: 'CREDIT', decimal_sign: '.' },
  transfer_proofs: { type: 'image/png' },
  withdrawal_decisions: { verdict: 'APPROVE' },
  withdrawal_orders: {
    origin: 'MERCHANT',
    status: 'PENDING',
    actual_amount: '0',

    beneficiary_account: 'v1.x',
    beneficiary_account_index: 'x',
    beneficiary_account_key: 'x',
  },
};

/**
 * Inserts a row into each empty table, with its defaults. @throws if a new table's checks require values that VALUES lacks
 */
export async function fillEmptyTables(sql: Sql): Promise<void> {
  const tables = await sql<{ table: string; columns: { name: string; type: string }[] }[]>`
    select c.relname as table, json_agg(json_build_object('name', a.attname, 'type', t.typname)) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0
      and a.attnotnull and not a.atthasdef and not a.attisdropped and a.attidentity = ''
    group by c.relname`;
  // Without triggers and references, the tables can be filled in any order.
  await sql`set session_replication_role = replica`;
  for (const { table, columns } of tables) {
    const required = columns.map(({ name, type }) => [name, BY_TYPE[type]] as const);
    const row = { ...Object.fromEntries(required), ...VALUES[table] };
    const names = Object.keys(row);
    await sql`
      insert into ${sql(table)} (${sql(names)})
      select ${sql(names)} from jsonb_populate_record(null::${sql(table)}, ${JSON.stringify(row)}::text::jsonb)
      where not exists (select from ${sql(table)})`;
  }
  await sql`set session_replication_role = origin`;
}
