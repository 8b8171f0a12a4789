import { randomUUID } from 'node:crypto';
import postgres, { type Sql } from 'postgres';
import type { Extent } from './past';

/** One in so many deposits, or withdrawals, has one of these. */
const ONE_IN = {
  recalls: 500,
  returns: 500,
  lateCredits: 500,
  lateReceipts: 500,
  commissions: 4,
  deliveries: 100,
  tasks: 50,
} as const;
/** Rows of the audit log for each hundred deposits. */
const AUDITED = 10;
/** One in this many still waits for somebody. */
const WAITS = 50;
const RESELLERS = 5;
const CHANNEL = 'bench';

/** The tables to fill; all but the log, which is only appended to. */
const OTHERS = [
  ...['change_requests', 'deposit_recalls', 'payer_returns', 'operator_postings', 'commissions'],
  ...['platform_events', 'event_deliveries', 'deposit_attempts', 'late_receipts', 'payout_attempts'],
  ...['statements', 'day_closes', 'settlement_plans', 'settlement_runs'],
  ...['ledger_sums', 'ledger_sum_ends'],
];

const DAY_MS = 86_400_000;

/**
 * Adds what follows from orders and days: recalls and other changes, money that goes back to payers, late money,
 * commissions, reported events, the log of operators' actions, transfer tasks, statements of banks, closed days, runs of
 * settlements, and the seals and sums of the ledger. As `loadWithdrawals`, after it.
 * @param before what was added earlier: the new rows are of later orders
 */
export async function loadOthers(
  url: string,
  { days, now }: Pick<Extent, 'days' | 'now'>,
  before?: Pick<Extent, 'now'>,
): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const since = before?.now ?? new Date(now.getTime() - days * DAY_MS);
  try {
    await sql`set session_replication_role = replica`;
    await sql`set synchronous_commit = off`;
    if (!before) await loadParties(sql, since);
    await loadChanges(sql, since);
    await loadLateMoney(sql, since);
    await loadCommissions(sql, since);
    await loadLog(sql, since);
    await loadTasks(sql, since);
    await loadDays(sql, since, now);
    await loadSeals(sql, now);
    await sql`vacuum analyze`;
  } finally {
    await sql.end();
  }
}

/** Resellers and a channel, in place of those of an earlier bench; `ManyOrders` has emptied their orders' tables. */
async function loadParties(sql: Sql, at: Date): Promise<void> {
  // Nothing is truncated, which would empty the tables that refer to these too.
  for (const table of OTHERS) {
    await sql`delete from ${sql(table)}`;
    await sql`vacuum ${sql(table)}`;
  }
  await sql`
    insert into resellers (id, name, created_by, created_at)
    select uuidv7(), 'Reseller ' || n || ' ' || ${randomUUID()}, 'system', ${at}::timestamptz
    from generate_series(1, ${RESELLERS}) n`;
  await sql`
    insert into commission_rates (id, merchant_id, currency_code, order_kind, version, reseller_id, percent, decimals,
      ends, effective_from, change_id, created_by, created_at)
    select r.id, r.id, 'THB', 'DEPOSIT', 1, r.id, 10, 2, false, ${at}::timestamptz, r.id, 'system', ${at}::timestamptz
    from resellers r on conflict do nothing`;
  await sql`
    insert into channels (id, channel_code, name, kind, mock_outcome, currencies, enabled, priority, weight, health,
      timeout_seconds, cost_percent, cost_fixed, failure_final_delay_seconds, answer_within_seconds, created_at, updated_at)
    select uuidv7(), ${CHANNEL}, 'Bench', 'MOCK', 'PENDING', '{THB}', false, 1, 1, 'UP', 10, 0, 0, 60, 60,
      ${at}::timestamptz, ${at}::timestamptz
    where not exists (select from channels where channel_code = ${CHANNEL})`;
  await sql`
    insert into settlement_plans (id, merchant_id, currency_code, version, account_id, trigger, time, weekdays, month_days,
      shift, keep, minimum, ends, effective_from, proposed_by, approved_by, change_id, created_at)
    select m.id, m.id, 'THB', 1, m.id, 'EVERY_DAY', '09:00', '{}', '{}', 'NEXT', 0, 0, false, ${at}::timestamptz, o.id,
      o.id, m.id, ${at}::timestamptz
    from merchants m cross join (select id from operators order by id limit 1) o`;
}

/** Numbered deposits since a time. */
const deposits = (sql: Sql, since: Date, completed: boolean) => sql`
  select d.*, row_number() over (order by d.created_at, d.id) as n from deposit_orders d
  where d.created_at >= ${since} and (d.status = 'COMPLETED') = ${completed}`;

async function loadChanges(sql: Sql, since: Date): Promise<void> {
  const change = (kind: string, oneIn: number, place: number) => sql`
    insert into change_requests (id, kind, subject_kind, subject_id, subject_name, summary, before, after, touches,
      evidence_links, merchant_id, amount, currency_code, reason, evidence, status, payload, proposed_by, proposed_at,
      expires_at, decided_by, decided_at, alone)
    select uuidv7(), ${kind}, 'deposit', d.id::text, d.order_no, 'bench', '{}', '{}', '{}', '{}', d.merchant_id,
      d.amount, d.currency_code, 'bench', 'seen', case when w.waits then 'PROPOSED' else 'APPLIED' end,
      case when w.waits then '{}'::jsonb end, o.id, d.completed_at, d.completed_at + interval '7 days',
      case when not w.waits then o.id end, case when not w.waits then d.completed_at end,
      case when not w.waits then 'SANDBOX' end
    from (${deposits(sql, since, true)}) d
    cross join lateral (select d.n % ${oneIn * WAITS} = ${place} as waits) w
    cross join (select id from operators order by id limit 1) o
    where d.n % ${oneIn} = ${place}`;
  await change('RECALL_DEPOSIT', ONE_IN.recalls, 1);
  await change('RETURN_LATE_MONEY', ONE_IN.returns, 2);
  await change('CREDIT_LATE_MONEY', ONE_IN.lateCredits, 3);
  await sql`
    insert into deposit_recalls (deposit_id, change_id, account_id, amount, from_held, from_available, owed, reason, at)
    select d.id, c.id, d.account_id, d.amount, 0, d.amount, 0, 'bench', c.decided_at
    from change_requests c join deposit_orders d on d.id = c.subject_id::uuid
    where c.kind = 'RECALL_DEPOSIT' and c.status = 'APPLIED' and d.created_at >= ${since}`;
  await sql`
    insert into payer_returns (id, status, deposit_id, merchant_id, currency_code, amount, payee_name, payee_account,
      change_id, reason, created_at, account_id, sent_by, sending_at, ended_at, bank_reference)
    select uuidv7(), case when c.open then 'OPEN' else 'COMPLETED' end, d.id, d.merchant_id, d.currency_code, d.amount,
      'Payee', '123', c.id, 'bench', c.decided_at, case when not c.open then d.account_id end,
      case when not c.open then c.proposed_by end, case when not c.open then c.decided_at end,
      case when not c.open then c.decided_at end, case when not c.open then d.order_no end
    from (
      select *, row_number() over (order by id) % ${WAITS} = 0 as open from change_requests
      where kind = 'RETURN_LATE_MONEY' and status = 'APPLIED'
    ) c join deposit_orders d on d.id = c.subject_id::uuid
    where d.created_at >= ${since}`;
  await sql`
    insert into operator_postings (id, kind, bank_transfer_id, merchant_id, deposit_id, currency_code, amount, fee, change_id,
      reason, posted_by, at)
    select uuidv7(), 'LATE_CREDIT', a.transfer_id, d.merchant_id, d.id, d.currency_code, d.amount, 0, c.id, 'bench',
      'system', c.decided_at
    from change_requests c join deposit_orders d on d.id = c.subject_id::uuid
    join transfer_allocations a on a.deposit_id = d.id
    where c.kind = 'CREDIT_LATE_MONEY' and c.status = 'APPLIED' and d.created_at >= ${since}`;
}

/** Money that a channel received for orders that had ended. */
async function loadLateMoney(sql: Sql, since: Date): Promise<void> {
  await sql`
    with late as (
      select d.id, d.order_no, d.merchant_id, d.amount, d.created_at, d.n, c.id as channel_id, uuidv7() as attempt_id
      from (${deposits(sql, since, false)}) d cross join (select id from channels where channel_code = ${CHANNEL}) c
      where d.n % ${ONE_IN.lateReceipts} = 0 and d.status = 'EXPIRED'
    ), tried as (
      insert into deposit_attempts (id, deposit_id, number, channel_id, reference, status, sent_at, created_at, updated_at)
      select attempt_id, id, 1, channel_id, order_no || '-1', 'FAILED', created_at, created_at, created_at from late
    )
    insert into late_receipts (attempt_id, merchant_id, amount, cost, at, ended_at)
    select attempt_id, merchant_id, amount, 0, created_at, case when n % ${ONE_IN.lateReceipts * WAITS} <> 0 then created_at end from late`;
}

async function loadCommissions(sql: Sql, since: Date): Promise<void> {
  await sql`
    insert into commissions (id, source, order_id, reseller_id, merchant_id, rate_id, currency_code, fee, amount, at)
    select d.id, 'DEPOSIT', d.id, r.id, d.merchant_id, r.id, d.currency_code, greatest(d.fee, 1), 0.5, d.completed_at
    from (${deposits(sql, since, true)}) d
    join (select id, row_number() over (order by id desc) as n from resellers) r on r.n = 1 + d.n % ${RESELLERS}
    where d.n % ${ONE_IN.commissions} = 0`;
}

async function loadLog(sql: Sql, since: Date): Promise<void> {
  // Numbers below those of the chain, which begins after them.
  await sql`
    insert into audit_log (id, seq, action, subject, operator_id, login, outcome, reason, at, trace_id, hash)
    select uuidv7(), first.seq - row_number() over (), (array['cancelDeposit', 'matchTransfer', 'updateMerchant'])[1 + d.n % 3],
      'deposit:' || d.id, o.id, o.login, 'OK', 'bench', d.created_at, 'bench', ''
    from (
      select d.id, d.created_at, row_number() over (order by d.created_at) as n from deposit_orders d
      where d.created_at >= ${since}
    ) d
    cross join (select coalesce(min(seq), 0) as seq from audit_log) first
    cross join (select id, login from operators order by id limit 1) o
    where d.n % 100 < ${AUDITED}`;
  await sql`
    with raised as (
      insert into platform_events (id, event, merchant_id, subject_id, created_at)
      select uuidv7(), 'alert_raised', merchant_id, id, created_at from (${deposits(sql, since, true)}) d
      where n % ${ONE_IN.deliveries} = 0
      returning id, created_at
    )
    insert into event_deliveries (id, event_id, kind, target, status, attempt_count, total_attempts, generation,
      created_at, updated_at)
    select uuidv7(), id, 'WEBHOOK', 'https://merchant.example/events',
      case when row_number() over (order by id) % ${WAITS} = 0 then 'FAILED' else 'SUCCESS' end, 1, 1, 1, created_at, created_at
    from raised`;
}

/** Withdrawals that people pay; a few wait for them, or for their outcome to be found out. */
async function loadTasks(sql: Sql, since: Date): Promise<void> {
  await sql`
    create temporary table task as
    select id, order_no, created_at, n, n % ${ONE_IN.tasks * WAITS} = 0 as waits from (
      select id, order_no, created_at, row_number() over (order by created_at, id) as n from withdrawal_orders
      where created_at >= ${since} and status = 'COMPLETED'
    ) w where n % ${ONE_IN.tasks} = 0`;
  await sql`
    update withdrawal_orders w
    set payout_method = 'MANUAL', status = case when t.waits then 'APPROVED' else w.status end,
      completed_at = case when not t.waits then w.completed_at end,
      actual_amount = case when t.waits then 0 else w.actual_amount end,
      needs_manual_intervention = t.waits and t.n % 2 = 0,
      manual_reason = case when t.waits and t.n % 2 = 0 then 'bench' end
    from task t where t.id = w.id`;
  await sql`
    insert into payout_attempts (id, withdrawal_id, number, method, account_id, reference, status, bank_reference,
      finished_at, created_at, updated_at)
    select uuidv7(), t.id, 1, 'MANUAL', case when not t.waits then a.id end, t.order_no || '-1',
      case when t.waits then 'OPEN' else 'COMPLETED' end, case when not t.waits then t.order_no end,
      case when not t.waits then t.created_at end, t.created_at, t.created_at
    from task t cross join (select id from bank_accounts order by id limit 1) a`;
}

/** Each account's statement and closed day, and each merchant's settlement run. */
async function loadDays(sql: Sql, since: Date, now: Date): Promise<void> {
  const day = sql`
    select day from generate_series(${since}::timestamptz, ${now}::timestamptz - interval '1 day', interval '1 day') day`;
  await sql`
    insert into statements (id, account_id, file_name, format, status, bytes, parts, read_items, through_line,
      uploaded_by, created_at)
    select uuidv7(), a.id, 'bench', 'MT940', 'READ', 1, 1, 0, 0, 'system', d.day from (${day}) d cross join bank_accounts a`;
  await sql`
    insert into day_closes (id, account_id, account, currency_code, day, time_zone, opening, credits, debits, closing,
      status, proposed_at, closed_at, closed_by)
    select uuidv7(), a.id, 'bank:' || a.id, a.currency_code, d.day::date, 'UTC', 0, 1, 1, 0, 'CLOSED', d.day, d.day,
      o.id from (${day}) d cross join bank_accounts a cross join (select id from operators order by id limit 1) o
    on conflict do nothing`;
  await sql`
    insert into settlement_runs (id, merchant_id, currency_code, plan_id, due_at, due_on, ran_at, missed, available,
      skipped)
    select uuidv7(), m.id, 'THB', m.id, d.day, d.day::date, d.day, 0, 0, 'NO_BALANCE'
    from (${day}) d cross join merchants m`;
}

/** Links over the postings, without true hashes, except those of the last minute; and the sums of the accounts. */
async function loadSeals(sql: Sql, now: Date): Promise<void> {
  await sql`
    insert into ledger_seals (seq, transfer_id, hash, sealed_at)
    select last.seq + row_number() over (order by t.id), t.id, sha256('bench'), ${now}
    from ledger_transfers t cross join (select coalesce(max(seq), 0) as seq from ledger_seals) last
    where t.at < ${now}::timestamptz - interval '1 minute'
      and not exists (select from ledger_seals s where s.transfer_id = t.id)`;
  await sql`analyze ledger_seals`;
  for (let added = 1; added > 0;) {
    const [row] = await sql<{ added: number }[]>`select sum_ledger(20000) as added`;
    added = row?.added ?? 0;
    // The sealer adds a minute's postings at a time, and autovacuum comes between.
    await sql`vacuum ledger_sums`;
  }
}
