import postgres from 'postgres';

/** What is under way, by kind. */
export interface OpenWork {
  readonly deposits: number;
  readonly callbacks: number;
  readonly sessions: number;
  readonly prepared: number;
  readonly sent: number;
}

/** Reads the tables directly, without the platform's code. */
export class OpenWorkReader {
  private readonly sql: postgres.Sql;

  constructor(databaseUrl: string) {
    this.sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined, connect_timeout: 5 });
  }

  async read(): Promise<OpenWork> {
    const [row] = await this.sql<OpenWork[]>`
      select
        (select count(*)::int from deposit_orders where status in ('PENDING', 'MATCHED')) as deposits,
        (select count(*)::int from notification_logs where status in ('SENDING', 'WAITING_RETRY')) as callbacks,
        (select count(*)::int from cashier_sessions where status = 'PENDING') as sessions,
        (select count(*)::int from payout_attempts where status = 'PREPARED') as prepared,
        (select count(*)::int from payout_attempts where status in ('SENT', 'UNKNOWN')) as sent`;
    if (!row) throw new Error('the database returned nothing');
    return row;
  }

  /** The longest time from a match, or from a later moment, to the credit, in seconds. */
  async slowestCredit(from: Date): Promise<number> {
    const [row] = await this.sql<{ seconds: number }[]>`
      select coalesce(max(extract(epoch from completed_at - greatest(matched_at, ${from.toISOString()}::timestamptz))), 0)::float8
        as seconds
      from deposit_orders where status = 'COMPLETED' and completed_at > ${from.toISOString()}`;
    return row?.seconds ?? Infinity;
  }

  /** Sessions by status. */
  async sessions(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.sql<{ number: string; status: string }[]>`
      select merchant_order_no as number, status from cashier_sessions`;
    return new Map(rows.map(({ number, status }) => [number, status]));
  }

  async close(): Promise<void> {
    await this.sql.end({ timeout: 2 });
  }
}
