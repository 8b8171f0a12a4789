import { Tables } from '../tables';

/** A deposit at a channel, as PostgreSQL has it. */
export interface ChannelDepositRow {
  readonly orderNo: string;
  readonly merchantId: string;
  /** What the payer owes. */
  readonly amount: string;
  readonly status: string;
  readonly expireAt: Date;
  /** How often the merchant was credited for it. */
  readonly credits: number;
  /** How often late money was posted for the order. */
  readonly late: number;
  /** Whether an alert reports late money. */
  readonly alerted: boolean;
}

/** Reads deposits directly, without the platform's code. */
export class ChannelBooks extends Tables {
  /** Work that may still proceed by itself: open deposits, doubts, callbacks, outbox rows. */
  async moving(): Promise<number> {
    const [row] = await this.sql<{ n: number }[]>`
      select (select count(*)::int from deposit_orders where status in ('PENDING', 'MATCHED'))
        + (select count(*)::int from deposit_attempts where doubted_at is not null)
        + (select count(*)::int from notification_logs where status in ('SENDING', 'WAITING_RETRY'))
        + (select count(*)::int from outbox) as n`;
    return row?.n ?? 0;
  }

  /**
   * Open work until each order's first recheck, a minute after its end, has found what was not reported. Second
   * rechecks, ten minutes after it, come all the time and find no more.
   */
  async left(): Promise<number> {
    const [row] = await this.sql<{ n: number }[]>`
      select count(*) filter (where a.recheck_at <= d.updated_at + interval '1 minute')::int
        - count(*) filter (
            where a.doubted_at is not null and a.recheck_at > d.updated_at + interval '10 minutes')::int as n
      from deposit_attempts a join deposit_orders d on d.id = a.deposit_id`;
    return (row?.n ?? 0) + (await this.moving());
  }

  async orders(): Promise<ChannelDepositRow[]> {
    return await this.sql<ChannelDepositRow[]>`
      select order_no as "orderNo", merchant_id as "merchantId", amount::text, status, expire_at as "expireAt",
        (select count(*)::int from ledger_transfers t
          where t.order_id = d.id and t.type = 'DEPOSIT_CREDIT') as credits,
        (select count(*)::int from ledger_transfers t
          where t.order_id = d.id and t.type = 'LATE_RECEIVED') as late,
        exists (select from alerts a
          where a.kind = 'LATE_CHANNEL_DEPOSIT' and a.about ->> 'orderNo' = d.order_no) as alerted
      from deposit_orders d where d.account_id is null`;
  }
}
