import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { money } from '../domain/money';
import { type BenchMerchant, CURRENCY, type Testbed } from './testbed';

const AMOUNT = money('1000');
/** The fee of each order. */
export const FEE = money('15');

/** Orders of one statement: a pool's statements may take four seconds. */
const CHUNK = 1_000;

/** An order that was written before the measurement. */
export interface SeededOrder {
  readonly depositId: string;
  readonly orderNo: string;
  readonly transferId: string;
  readonly notificationId: string;
}

/**
 * Orders written in bulk, in the state that accepting, recording and crediting leave; `accept` and `ledger` measure
 * those steps. None is due yet, so the sweeps leave them alone.
 */
export class SeededOrders {
  private readonly orders: SeededOrder[] = [];

  constructor(
    private readonly testbed: Testbed,
    private readonly merchant: BenchMerchant,
    private readonly accountId: string,
    private readonly status: 'PENDING' | 'COMPLETED',
    private readonly callbackUrl: string,
  ) {}

  /** @throws when the orders are used up */
  take(): SeededOrder {
    const order = this.orders.pop();
    if (!order) throw new Error('the seeded orders are used up: measure fewer seconds');
    return order;
  }

  /** Writes orders until there are this many. */
  async fill(count: number): Promise<void> {
    while (this.orders.length < count) await this.add(Math.min(CHUNK, count - this.orders.length));
  }

  private async add(count: number): Promise<void> {
    const made = Array.from({ length: count }, () => ({
      depositId: uuidv7(),
      orderNo: `B${randomUUID()}`,
      transferId: uuidv7(),
      notificationId: uuidv7(),
    }));
    const { sql } = this.testbed.database;
    const [now, expireAt] = [new Date(), new Date(Date.now() + 3_600_000)];
    const completed = this.status === 'COMPLETED';
    await sql`
      with orders as (
        select * from unnest(${made.map((order) => order.depositId)}::uuid[],
          ${made.map((order) => order.orderNo)}::text[], ${made.map((order) => order.transferId)}::uuid[],
          ${made.map((order) => order.notificationId)}::uuid[]) as o(id, order_no, transfer_id, notification_id)
      ), numbers as (
        insert into merchant_order_numbers (merchant_id, merchant_order_no, noun, order_id)
        select ${this.merchant.id}::uuid, order_no, 'deposit', id from orders
      ), transfers as (
        insert into bank_transfers
          (id, account_id, direction, amount, currency_code, dedupe_key, bank_time, memo, source, received_at)
        select transfer_id, ${this.accountId}::uuid, 'CREDIT', ${AMOUNT.toFixed()}::numeric, ${CURRENCY}, order_no,
          ${now}::timestamptz, order_no, 'bench', ${now}::timestamptz
        from orders where not ${completed}
      ), callbacks as (
        insert into notification_logs
          (id, order_id, order_no, merchant_id, notification_type, target_url, request_body, status,
           attempt_count, total_attempts, generation, next_attempt_at, created_at, updated_at)
        select notification_id, id, order_no, ${this.merchant.id}::uuid, 'deposit_completed', ${this.callbackUrl},
          json_build_object('event', 'deposit.completed', 'order_no', order_no, 'merchant_order_no', order_no,
            'amount', '1000.0000', 'actual_amount', '1000.0000', 'currency', 'THB', 'status', 'completed')::text,
          'WAITING_RETRY', 0, 0, 1, ${expireAt}::timestamptz, ${now}::timestamptz, ${now}::timestamptz
        from orders where ${completed}
      )
      insert into deposit_orders
        (id, order_no, merchant_id, merchant_order_no, order_type, account_id, requested_amount, amount, fee,
         actual_amount, currency_code, expected_remark, status, expire_at, matched_at, completed_at, callback_url,
         payment_snapshot, created_at, updated_at)
      select id, order_no, ${this.merchant.id}::uuid, order_no, 'DIRECT', ${this.accountId}::uuid,
        ${AMOUNT.toFixed()}::numeric, ${AMOUNT.toFixed()}::numeric, ${FEE.toFixed()}::numeric,
        case when ${completed} then ${AMOUNT.toFixed()}::numeric else 0 end, ${CURRENCY}, order_no, ${this.status},
        ${expireAt}, case when ${completed} then ${now}::timestamptz end,
        case when ${completed} then ${now}::timestamptz end, null, '{}', ${now}, ${now}
      from orders`;
    this.orders.push(...made);
  }
}
