import postgres from 'postgres';

/** An order, as PostgreSQL has it. */
export interface OrderRow {
  readonly orderNo: string;
  readonly merchantId: string;
  readonly number: string;
  readonly requested: string;
  readonly amount: string;
  readonly status: string;
}

/** The merchant's credits of an order, one row a ledger transfer. */
export interface CreditRow {
  readonly orderNo: string;
  readonly account: string;
  readonly amount: string;
}

/** The sum of a ledger account. */
export interface SumRow {
  readonly account: string;
  readonly sum: string;
}

/** A callback, as PostgreSQL has it. */
export interface NotificationRow {
  readonly orderNo: string;
  readonly type: string;
  readonly status: string;
  readonly attempts: number;
}

/** Everything that the verdict reads from the platform. */
export interface LedgerBook {
  readonly orders: readonly OrderRow[];
  readonly credits: readonly CreditRow[];
  readonly sums: readonly SumRow[];
  readonly notifications: readonly NotificationRow[];
  readonly outbox: number;
}

/** Reads the tables directly, without the platform's code. */
export class LedgerReader {
  private readonly sql: postgres.Sql;

  constructor(databaseUrl: string) {
    this.sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined, connect_timeout: 5 });
  }

  /** How many events and postings have a time before a campaign or after now. */
  async timesOutside(began: Date): Promise<number> {
    const [row] = await this.sql<{ count: number }[]>`
      select
        (select count(*)::int from order_events where at < ${began} or at > now())
        + (select count(*)::int from ledger_transfers where at < ${began} or at > now()) as count`;
    return row?.count ?? 0;
  }

  /** Unfinished work: open orders, callbacks and outbox rows. */
  async open(): Promise<{ orders: number; callbacks: number; outbox: number }> {
    const [row] = await this.sql<{ orders: number; callbacks: number; outbox: number }[]>`
      select
        (select count(*)::int from deposit_orders where status in ('PENDING', 'MATCHED')) as orders,
        (select count(*)::int from notification_logs where status in ('SENDING', 'WAITING_RETRY')) as callbacks,
        (select count(*)::int from outbox) as outbox`;
    return row ?? { orders: 0, callbacks: 0, outbox: 0 };
  }

  /** Only of deposits to accounts: withdrawals, and deposits at channels, have their own judges. */
  async read(): Promise<LedgerBook> {
    const { sql } = this;
    return {
      orders: await sql<OrderRow[]>`
        select order_no as "orderNo", merchant_id as "merchantId", merchant_order_no as number,
          requested_amount::text as requested, amount::text, status
        from deposit_orders where account_id is not null`,
      credits: await sql<CreditRow[]>`
        select d.order_no as "orderNo", e.account, e.amount::text
        from ledger_entries e
        join ledger_transfers t on t.id = e.transfer_id
        join deposit_orders d on d.id = t.order_id
        where e.account like 'merchant:%' and d.account_id is not null`,
      sums: await sql<SumRow[]>`
        select e.account, sum(e.amount)::text as sum
        from ledger_entries e join ledger_transfers t on t.id = e.transfer_id
        where not exists (select from withdrawal_orders w where w.id = t.order_id)
          and not exists (select from deposit_orders d where d.id = t.order_id and d.account_id is null)
          and t.type <> 'BALANCE_TOP_UP'
        group by e.account`,
      notifications: await sql<NotificationRow[]>`
        select order_no as "orderNo", notification_type as type, status, total_attempts as attempts
        from notification_logs n where order_no not like 'W%'
          and not exists (select from deposit_orders d where d.order_no = n.order_no and d.account_id is null)`,
      outbox: (await this.open()).outbox,
    };
  }

  /** The callbacks that ended undelivered, by their id. */
  async failedCallbacks(): Promise<{ id: string; orderNo: string; type: string }[]> {
    return await this.sql<{ id: string; orderNo: string; type: string }[]>`
      select id, order_no as "orderNo", notification_type as type
      from notification_logs where status = 'FAILED' order by id`;
  }

  async close(): Promise<void> {
    await this.sql.end({ timeout: 2 });
  }
}
