import postgres from 'postgres';
import type { Extent } from './past';

/** For each hundred deposits: the withdrawals and sessions beside them, and those with a claim or an alert. */
const SHARES = { withdrawals: 20, sessions: 20, claims: 2, alerts: 1 } as const;
/** One in this many still waits. */
const WAITS = 1_000;
const DAY_MS = 86_400_000;

type Size = Pick<Extent, 'orders' | 'days' | 'now'>;

/**
 * Adds withdrawals, cashier sessions, payers' claims and alerts to loaded orders, spread over the same days and merchants
 * (the first ones have most). `ManyOrders` has emptied their tables. Triggers and foreign keys are off, which needs a
 * superuser.
 * @param before what was added earlier: the new ones are later than those
 */
export async function loadWithdrawals(url: string, { orders, days, now }: Size, before?: Size): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  const since = before?.now ?? new Date(now.getTime() - days * DAY_MS);
  const rowsOf = (share: number, of = orders): number => Math.ceil((of * share) / 100);
  try {
    await sql`set session_replication_role = replica`;
    await sql`set synchronous_commit = off`;
    await sql`create temporary table who as
      select id, row_number() over (order by id) - 1 as place, count(*) over () as of from merchants`;
    const spread = (share: number) => {
      const [from, to] = [rowsOf(share, before?.orders ?? 0), rowsOf(share)];
      return sql`
      select n, uuidv7() as id, w.id as merchant_id,
        ${since}::timestamptz + (n - ${from}) * ((${now}::timestamptz - ${since}::timestamptz) / ${Math.max(1, to - from)}) as at,
        n % ${WAITS} = 0 as waits
      from generate_series(${from + 1}::int, ${to}::int) n
      join who w on w.place = floor(w.of * power((n::bigint * 7919 % 10007) / 10007.0, 3))`;
    };
    await sql`
      insert into withdrawal_orders
        (id, order_no, merchant_id, merchant_order_no, origin, amount, fee, actual_amount, currency_code,
         beneficiary_name, beneficiary_account, beneficiary_account_index, beneficiary_account_key, beneficiary_bank_code, beneficiary_bank_name, status, people_needed,
         review, decide_by, is_auto_approved, approved_at, approved_by, completed_at, needs_manual_intervention,
         callback_url, created_at, updated_at)
      select id, 'W' || n, merchant_id, 'w' || n, 'MERCHANT', 50 + n % 50000, 10, case when waits then 0 else 50 + n % 50000 end,
        'THB', 'Payee ' || n % 5000, 'v1.' || n, 'A' || n % 20000, 'A' || n % 20000, 'KBANK', 'Kasikornbank',
        case when waits then 'PENDING' else 'COMPLETED' end, case when waits then 1 else 0 end, '{"reasons": [], "rulesVersion": null}',
        at + interval '1 hour', not waits, case when not waits then at end, case when not waits then 'system' end,
        case when not waits then at + interval '1 minute' end, false, 'https://merchant.example/callback', at, at
      from (${spread(SHARES.withdrawals)}) made`;
    await sql`
      insert into cashier_sessions
        (id, merchant_id, merchant_order_no, currency_code, user_id, payer_bank_cards, status, version, expire_at,
         created_at, updated_at)
      select id, merchant_id, 'c' || n, 'THB', 'user-' || n, '[]', case when waits then 'PENDING' else 'EXPIRED' end, 1,
        at + interval '15 minutes', at, at
      from (${spread(SHARES.sessions)}) made`;
    await sql`
      insert into payment_claims (id, deposit_id, merchant_id, reference, reference_key, at, closed_at, closed_by)
      select uuidv7(), id, merchant_id, 'FT' || n, 'FT' || n, created_at,
        case when n % 20 <> 0 then created_at end, case when n % 20 <> 0 then merchant_id end
      from (select id, merchant_id, created_at, row_number() over () as n from deposit_orders
        where status <> 'COMPLETED' and created_at >= ${since}
        limit ${rowsOf(SHARES.claims) - rowsOf(SHARES.claims, before?.orders ?? 0)}) d`;
    await sql`
      insert into payment_claims (id, deposit_id, merchant_id, reference, reference_key, at, paid_at)
      select uuidv7(), id, merchant_id, 'FT' || n, 'FT' || n, created_at, completed_at
      from (select id, merchant_id, created_at, completed_at, row_number() over () as n from deposit_orders
        where status = 'COMPLETED' and created_at >= ${since}
        limit ${rowsOf(SHARES.claims) - rowsOf(SHARES.claims, before?.orders ?? 0)}) d`;
    await sql`
      insert into alerts (id, kind, key, merchant_id, about, raised_at, acknowledged_at, acknowledged_by)
      select id, 'LOW_BALANCE', 'bench ' || n, merchant_id, '{}', at, case when not waits then at end,
        case when not waits then merchant_id end
      from (${spread(SHARES.alerts)}) made`;
    await sql`vacuum analyze withdrawal_orders, cashier_sessions, payment_claims, alerts`;
  } finally {
    await sql.end();
  }
}
