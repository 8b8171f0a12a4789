import postgres from 'postgres';
import { until } from '../until';

/** A withdrawal, as PostgreSQL has it. */
export interface PayoutRow {
  readonly orderNo: string;
  readonly merchantId: string;
  readonly amount: string;
  readonly fee: string;
  readonly status: string;
  readonly intervention: boolean;
  /** What was posted where a channel paid after a confirmed failure. */
  readonly latePaid: boolean;
  /** Whether it became a manual payout: no channel took it. */
  readonly manual: boolean;
}

/** A merchant's balance, as PostgreSQL has it. */
export interface BalanceRow {
  readonly merchantId: string;
  readonly available: string;
  readonly frozen: string;
}

/** A busy connection ends a moment after it is cut. */
const GONE_WITHIN_MS = 2_000;

/** Reads the tables directly, without the platform's code, and cuts its connections. */
export class PayoutBooks {
  private readonly sql: postgres.Sql;

  constructor(databaseUrl: string) {
    this.sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined, connect_timeout: 5 });
  }

  /** Work that may still move by itself: payouts without a person, doubts, outbox rows. */
  async moving(): Promise<number> {
    const [row] = await this.sql<{ n: number }[]>`
      select (select count(*)::int from withdrawal_orders
          where status in ('PENDING', 'APPROVED') and not needs_manual_intervention
            and payout_method is distinct from 'MANUAL')
        + (select count(*)::int from payout_attempts where doubted_at is not null)
        + (select count(*)::int from outbox) as n`;
    return row?.n ?? 0;
  }

  /** Lets ten minutes pass for failed payouts, so that each is rechecked. @returns for how many */
  async hasteRechecks(): Promise<number> {
    const { count } = await this.sql`
      update payout_attempts
      set recheck_at = recheck_at - interval '10 minutes', finished_at = finished_at - interval '10 minutes'
      where rechecked = 0 and recheck_at > now()`;
    return count;
  }

  /** Failed payouts that were not rechecked yet. */
  async unchecked(): Promise<number> {
    const [row] = await this.sql<{ n: number }[]>`
      select count(*)::int as n from payout_attempts where rechecked = 0 and recheck_at is not null`;
    return row?.n ?? 0;
  }

  async orders(): Promise<PayoutRow[]> {
    return await this.sql<PayoutRow[]>`
      select order_no as "orderNo", merchant_id as "merchantId", amount::text, fee::text, status,
        needs_manual_intervention as intervention,
        payout_method is not distinct from 'MANUAL' as manual,
        exists (select from ledger_transfers t
          where t.order_id = w.id and t.type = 'WITHDRAWAL_LATE_PAID') as "latePaid"
      from withdrawal_orders w`;
  }

  async balances(): Promise<BalanceRow[]> {
    return await this.sql<BalanceRow[]>`
      select merchant_id as "merchantId", available::text, frozen::text from merchant_balances`;
  }

  /** The sums of the channel and loss accounts, by kind. */
  async sums(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.sql<{ kind: string; sum: string }[]>`
      select split_part(account, ':', 1) as kind, sum(amount)::text as sum from ledger_entries group by 1`;
    return new Map(rows.map(({ kind, sum }) => [kind, sum]));
  }

  /** Ends every connection of the workers and waits until they are gone. @returns how many */
  async cutWorkers(): Promise<number> {
    const rows = await this.sql<{ pid: number; ends: boolean }[]>`
      select pid, pg_terminate_backend(pid) as ends from pg_stat_activity
      where application_name like 'causeway-worker%'`;
    const pids = rows.filter(({ ends }) => ends).map(({ pid }) => pid);
    const areGone = async (): Promise<boolean> =>
      (await this.sql`select from pg_stat_activity where pid = any(${pids})`).length === 0;
    await until(areGone, GONE_WITHIN_MS);
    return pids.length;
  }

  async close(): Promise<void> {
    await this.sql.end({ timeout: 2 });
  }
}
