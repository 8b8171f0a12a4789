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
  /** Whether an alert says that money came for the final order. */
  readonly alerted: boolean;
}

/** Reads deposits directly, without the platform's code. */
export class ChannelBooks extends Tables {
  /** Work that may still move by itself: open deposits, doubts, callbacks, outbox rows. */
  async moving(): Promise<number> {
    const [row] = await this.sql<{ n: number }[]>`
      select (select count(*)::int from deposit_orders where status in ('PENDING', 'MATCHED'))
        + (select count(*)::int from deposit_attempts where doubted_at is not null)
        + (select count(*)::int from notification_logs where status in ('SENDING', 'WAITING_RETRY'))
        + (select count(*)::int from outbox) as n`;
    return row?.n ?? 0;
  }

  async orders(): Promise<ChannelDepositRow[]> {
    return await this.sql<ChannelDepositRow[]>`
      select order_no as "orderNo", merchant_id as "merchantId", amount::text, status, expire_at as "expireAt",
        (select count(*)::int from ledger_transfers t
          where t.order_id = d.id and t.type = 'DEPOSIT_CREDIT') as credits,
        exists (select from alerts a
          where a.kind = 'LATE_CHANNEL_DEPOSIT' and a.about ->> 'orderNo' = d.order_no) as alerted
      from deposit_orders d`;
  }
}
