import { Tables } from '../tables';

/** A withdrawal, as PostgreSQL has it. */
export interface PayoutRow {
  readonly orderNo: string;
  readonly merchantId: string;
  readonly amount: string;
  readonly fee: string;
  readonly status: string;
  readonly intervention: boolean;
  /** What was posted because a channel paid after a confirmed failure. */
  readonly latePaid: boolean;
  /** Whether it became a manual payout: no channel took it. */
  readonly manual: boolean;
}

/** Reads withdrawals directly, without the platform's code. */
export class PayoutBooks extends Tables {
  /** Work that may still proceed by itself: payouts without a person, doubts, outbox rows. */
  async moving(): Promise<number> {
    const [row] = await this.sql<{ n: number }[]>`
      select (select count(*)::int from withdrawal_orders
          where status in ('PENDING', 'APPROVED') and not needs_manual_intervention
            and payout_method is distinct from 'MANUAL')
        + (select count(*)::int from payout_attempts where doubted_at is not null)
        + (select count(*)::int from outbox) as n`;
    return row?.n ?? 0;
  }

  /** Lets ten minutes pass for failed payouts, so that each is rechecked. @returns how many */
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
}
