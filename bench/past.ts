import { orderNo } from '../domain/ids';
import { formatMoney, type Money, money, ZERO } from '../domain/money';
import { newRemark } from '../domain/remark';
import { seeded } from './harness';

/** Numbers of rows. */
export interface Extent {
  readonly orders: number;
  readonly merchants: number;
  readonly accounts: number;
  /** The days over which they were created. */
  readonly days: number;
  /** When the newest order was created. */
  readonly now: Date;
}

/** The loaded rows, for look-ups. */
export interface Loaded {
  readonly merchantIds: readonly string[];
  readonly accountIds: readonly string[];
  /** Some orders over the whole time, the oldest first. */
  readonly samples: readonly Sample[];
}

/** An order that a person might look up. */
export interface Sample {
  readonly id: string;
  readonly orderNo: string;
  readonly merchantOrderNo: string;
  readonly remark: string;
  readonly amount: string;
  readonly userId: string | null;
  readonly last4: string | null;
  readonly createdAt: Date;
}

const DAY_MS = 86_400_000;
const EXPIRE_MS = 15 * 60_000;
const SAMPLES = 500;
/** The most frequent amounts. */
const ROUND = [100, 200, 300, 500, 1_000, 1_500, 2_000, 3_000, 5_000, 10_000];

/** The tables to fill, in the order of their references, and their columns. */
export const TABLES = {
  merchants:
    'id,merchant_code,name,enabled,can_deposit,can_withdraw,deposit_expire_minutes,callback_timeout_seconds,allow_insecure_callbacks,notify_deposit_expired,notify_deposit_cancelled,created_at,updated_at',
  merchant_currencies: 'merchant_id,currency_code,enabled,deposit_fee_percent,deposit_fee_fixed',
  bank_accounts:
    'id,name,bank_code,bank_name,account_no,account_holder,currency_code,mode,status,created_at,updated_at',
  merchant_order_numbers: 'merchant_id,merchant_order_no,noun,order_id',
  deposit_orders:
    'id,order_no,merchant_id,merchant_order_no,order_type,account_id,requested_amount,amount,fee,actual_amount,currency_code,expected_remark,status,expire_at,matched_at,completed_at,callback_url,user_id,payer_name,payer_account_last4,payment_snapshot,created_at,updated_at',
  order_events: 'id,order_id,noun,type,actor,detail,at,seq',
  bank_transfers:
    'id,account_id,direction,amount,currency_code,bank_reference,dedupe_key,bank_time,payer_name,payer_account,memo,source,unmatched_reason,received_at',
  bank_debits:
    'id,account_id,amount,currency_code,bank_reference,dedupe_key,bank_time,payee_name,memo,source,received_at,explained_by,explained_at,reason',
  transfer_allocations: 'id,transfer_id,deposit_id,fee,matched_by,at',
  ledger_transfers: 'id,type,key,currency_code,order_id,bank_transfer_id,at',
  ledger_entries: 'transfer_id,line,account,currency_code,amount,balance_before,balance_after,version',
  merchant_balances: 'id,merchant_id,currency_code,available,frozen,version,created_at,updated_at',
  notification_logs:
    'id,order_id,order_no,merchant_id,notification_type,target_url,request_body,status,attempt_count,total_attempts,generation,next_attempt_at,response_status,created_at,updated_at',
  callback_attempts: 'notification_id,generation,attempt,started_at,ended_at,response_status',
} as const;
export type Table = keyof typeof TABLES;

type Cell = string | number | boolean | Date | Money | null;
/** Rows as COPY takes them. */
export type Lines = Record<Table, string[]>;

const text = (cell: Cell): string =>
  cell === null
    ? '\\N'
    : cell instanceof Date
      ? cell.toISOString()
      : typeof cell === 'object'
        ? formatMoney(cell)
        : String(cell);

const KINDS = [
  'merchant',
  'account',
  'order',
  'event',
  'transfer',
  'allocation',
  'ledger',
  'balance',
  'callback',
  'debit',
] as const;

/**
 * Generates months of business: merchants of very different size, round and other amounts, returning payers, orders
 * that were paid, expired and cancelled, unmatched bank credits.
 */
export class Past implements Loaded {
  readonly merchantIds: string[] = [];
  readonly accountIds: string[] = [];
  readonly samples: Sample[] = [];
  private readonly random = seeded(5);
  private readonly balances = new Map<string, { available: Money; version: number }>();
  private readonly currencies: string[] = [];
  private ids = 0;
  private seq = 0;
  /** The orders of earlier extents, and when the oldest of the present one was created. */
  private made = 0;
  private since: Date;

  constructor(private extent: Extent) {
    this.since = new Date(extent.now.getTime() - extent.days * DAY_MS);
  }

  /** Further orders follow: those of a longer time, of the same merchants and accounts. */
  continue(extent: Extent): void {
    this.made = this.extent.orders;
    this.since = this.extent.now;
    this.extent = extent;
  }

  private id(kind: (typeof KINDS)[number], at: Date): string {
    const time = at.getTime().toString(16).padStart(12, '0');
    const number = (++this.ids).toString(16).padStart(12, '0');
    const which = KINDS.indexOf(kind).toString(16).padStart(3, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${which}-8000-${number}`;
  }

  private below(count: number): number {
    return Math.floor(this.random() * count);
  }

  /** One of many, the first ones far more often. */
  private few<Value>(values: readonly Value[]): Value {
    return values[Math.floor(values.length * this.random() ** 3)] as Value;
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }

  /** Merchants and accounts. */
  base(lines: Lines): void {
    const at = new Date(this.extent.now.getTime() - (this.extent.days + 1) * DAY_MS);
    for (let n = 0; n < this.extent.merchants; n++) {
      const id = this.id('merchant', at);
      this.merchantIds.push(id);
      put(lines, 'merchants', [
        ...[id, `MERCHANT-${String(n).padStart(4, '0')}`, `${NAMES[n % NAMES.length]} ${n}`],
        ...[n % 50 !== 49, n % 20 !== 19, false, 15, 10, false, false, false, at, at],
      ]);
      for (const currency of ['INR', 'THB']) put(lines, 'merchant_currencies', [id, currency, true, '1.5', 0]);
    }
    for (let n = 0; n < this.extent.accounts; n++) {
      const id = this.id('account', at);
      const currency = n % 10 === 9 ? 'INR' : 'THB';
      this.accountIds.push(id);
      this.currencies.push(currency);
      put(lines, 'bank_accounts', [
        ...[id, `Account ${n}`, n % 2 === 0 ? 'KBANK' : 'SCB', 'A bank', `4012${1_000_000 + n}`],
        ...['Causeway', currency, 'REMARK', n % 25 === 24 ? 'PAUSED' : 'ACTIVE', at, at],
      ]);
    }
  }

  /** Orders that were created one after the other, the last of them just now. */
  orders(lines: Lines, from: number, to: number): void {
    const { orders, now } = this.extent;
    const span = now.getTime() - this.since.getTime();
    for (let n = from; n < to; n++) {
      const age = Math.floor(((orders - 1 - n) / (orders - this.made)) * span);
      this.order(lines, n, new Date(now.getTime() - age));
    }
  }

  private amount(): Money {
    return this.chance(0.4) ? money(String(this.few(ROUND))) : money((50 + this.random() ** 3 * 50_000).toFixed(2));
  }

  private status(age: number): string {
    if (age < EXPIRE_MS) return this.chance(0.6) ? 'PENDING' : 'COMPLETED';
    const turn = this.random();
    if (turn < 0.72) return 'COMPLETED';
    if (turn < 0.967) return 'EXPIRED';
    return turn < 0.998 ? 'CANCELLED' : 'FAILED';
  }

  private order(lines: Lines, n: number, createdAt: Date): void {
    const later = (ms: number): Date => new Date(createdAt.getTime() + ms);
    const merchantId = this.few(this.merchantIds);
    const account = Math.floor(this.accountIds.length * this.random() ** 2);
    const accountId = this.accountIds[account] ?? '';
    const currency = this.currencies[account] ?? 'THB';
    const id = this.id('order', createdAt);
    const bytes = Buffer.from(Array.from({ length: 12 }, () => this.below(256)));
    const number = orderNo('D', createdAt, bytes);
    const merchantNumber = `ORD-${(1_000_000_000 + n * 7919).toString(36).toUpperCase()}`;
    const remark = remarkOf(n);
    const amount = this.amount();
    const fee = money(amount.times('0.015').toFixed(4));
    const status = this.status(this.extent.now.getTime() - createdAt.getTime());
    const completed = status === 'COMPLETED';
    const paidAt = later(20_000 + this.below(600_000));
    const userId = this.chance(0.7) ? `user-${this.below(this.extent.orders / 5)}` : null;
    const last4 = this.chance(0.6) ? String(this.below(10_000)).padStart(4, '0') : null;
    const name = this.chance(0.5) ? `${this.few(NAMES)} ${this.few(NAMES)}` : null;
    const changedAt = completed ? paidAt : status === 'EXPIRED' ? later(EXPIRE_MS) : later(60_000);
    put(lines, 'merchant_order_numbers', [merchantId, merchantNumber, 'deposit', id]);
    put(lines, 'deposit_orders', [
      ...[id, number, merchantId, merchantNumber, 'DIRECT', accountId, amount, amount, fee],
      ...[completed ? amount : ZERO, currency, remark, status, later(EXPIRE_MS)],
      ...[completed ? paidAt : null, completed ? paidAt : null],
      ...['https://merchant.example/callback', userId, name, last4],
      `{"account_no": "4012${account}", "bank_name": "A bank", "remark": "${remark}", "amount": "${formatMoney(amount)}"}`,
      ...[createdAt, status === 'PENDING' ? createdAt : changedAt],
    ]);
    this.event(lines, id, 'created', `merchant:${merchantId}`, createdAt);
    if (n % 2 === 0) this.debit(lines, { n, accountId, currency, amount, at: createdAt });
    if (status !== 'PENDING') this.event(lines, id, status.toLowerCase(), 'system', changedAt);
    if (n % Math.ceil(this.extent.orders / SAMPLES) === 0)
      this.samples.push({
        id,
        orderNo: number,
        merchantOrderNo: merchantNumber,
        remark,
        userId,
        last4,
        amount: formatMoney(amount),
        createdAt,
      });
    if (completed) {
      const transfer = this.transfer(lines, {
        n,
        accountId,
        currency,
        amount,
        memo: remark,
        paidAt,
      });
      put(lines, 'transfer_allocations', [...[this.id('allocation', paidAt), transfer, id, fee, 'system', paidAt]]);
      this.credit(lines, { id, merchantId, currency, amount, fee, at: paidAt });
      this.callback(lines, { id, number, merchantId, at: paidAt });
    } else if (this.chance(0.02))
      // Unmatched credits: a mistyped remark, an unusual amount, a closed order.
      this.transfer(lines, {
        n,
        accountId,
        currency,
        memo: `pay ${remark.slice(0, 6)}`,
        paidAt,
        amount: this.chance(0.6) ? amount : amount.plus(1),
        reason: this.chance(0.7) ? 'NO_REMARK' : 'ORDER_NOT_PENDING',
      });
  }

  private event(lines: Lines, id: string, type: string, actor: string, at: Date): void {
    put(lines, 'order_events', [
      ...[this.id('event', at), id, 'deposit', type, actor, '{"by": "bench"}', at, ++this.seq],
    ]);
  }

  private transfer(
    lines: Lines,
    movement: {
      readonly n: number;
      readonly accountId: string;
      readonly currency: string;
      readonly amount: Money;
      readonly memo: string;
      readonly paidAt: Date;
      readonly reason?: string;
    },
  ): string {
    const { n, accountId, currency, amount, memo, paidAt, reason = null } = movement;
    const id = this.id('transfer', paidAt);
    const reference = `FT${(2_000_000_000 + n * 104_729).toString(36).toUpperCase()}`;
    put(lines, 'bank_transfers', [
      ...[id, accountId, 'CREDIT', amount, currency, reference, `ref:${reference}`, paidAt],
      ...[`${this.few(NAMES)} ${this.few(NAMES)}`, `xxx-${1_000 + this.below(9_000)}`, memo],
      ...[`agent:${this.accountIds[n % 3] ?? ''}`, reason, paidAt],
    ]);
    const posted = this.id('ledger', paidAt);
    put(lines, 'ledger_transfers', [...[posted, 'BANK_CREDIT', `bank-credit:${id}`, currency, null, id, paidAt]]);
    const entry = (line: number, account: string, of: Money): void => {
      put(lines, 'ledger_entries', [posted, line, account, currency, of, null, null, null]);
    };
    entry(1, `bank:${accountId}`, amount.negated());
    entry(2, 'suspense', amount);
    return id;
  }

  /** Bank debits: nearly all are explained. */
  private debit(
    lines: Lines,
    movement: {
      readonly n: number;
      readonly accountId: string;
      readonly currency: string;
      readonly amount: Money;
      readonly at: Date;
    },
  ): void {
    const { n, accountId, currency, amount, at } = movement;
    const open = n % 100 === 0;
    const reference = `DB${n.toString(36).toUpperCase()}`;
    put(lines, 'bank_debits', [
      ...[this.id('debit', at), accountId, amount, currency, reference, `ref:${reference}`, at],
      ...[NAMES[n % NAMES.length] ?? null, 'transfer out', `agent:${accountId}`, at],
      ...(open ? [null, null, null] : ['system', at, 'the bank’s charge']),
    ]);
  }

  private credit(
    lines: Lines,
    of: {
      readonly id: string;
      readonly merchantId: string;
      readonly currency: string;
      readonly amount: Money;
      readonly fee: Money;
      readonly at: Date;
    },
  ): void {
    const { id, merchantId, currency, amount, fee, at } = of;
    const key = `${merchantId} ${currency}`;
    const { available, version } = this.balances.get(key) ?? { available: ZERO, version: 0 };
    const after = available.plus(amount).minus(fee);
    this.balances.set(key, { available: after, version: version + 1 });
    const posted = this.id('ledger', at);
    put(lines, 'ledger_transfers', [...[posted, 'DEPOSIT_CREDIT', `deposit-credit:${id}`, currency, id, null, at]]);
    const line = (n: number, ...cells: Cell[]): void => {
      put(lines, 'ledger_entries', [posted, n, ...cells]);
    };
    line(1, 'suspense', currency, amount.negated(), null, null, null);
    const account = `merchant:${merchantId}:available`;
    line(2, account, currency, amount.minus(fee), available, after, version + 1);
    line(3, 'fee_income', currency, fee, null, null, null);
  }

  private callback(
    lines: Lines,
    of: {
      readonly id: string;
      readonly number: string;
      readonly merchantId: string;
      readonly at: Date;
    },
  ): void {
    const { id, number, merchantId, at } = of;
    const callback = this.id('callback', at);
    const failed = this.chance(0.02);
    const waiting = !failed && this.extent.now.getTime() - at.getTime() < 60_000;
    const status = failed ? 'FAILED' : waiting ? 'WAITING_RETRY' : 'SUCCESS';
    put(lines, 'notification_logs', [
      ...[callback, id, number, merchantId, 'deposit_completed', 'https://merchant.example/callback'],
      `{"event": "deposit.completed", "order_no": "${number}", "status": "completed"}`,
      ...[status, 1, 1, 1, waiting ? at : null, failed ? 404 : 200, at, at],
    ]);
    put(lines, 'callback_attempts', [callback, 1, 1, at, at, failed ? 404 : 200]);
  }

  /** The merchants' final balances. */
  end(lines: Lines): void {
    const { now } = this.extent;
    for (const merchantId of this.merchantIds)
      for (const currency of ['INR', 'THB']) {
        const { available, version } = this.balances.get(`${merchantId} ${currency}`) ?? {
          available: ZERO,
          version: 0,
        };
        put(lines, 'merchant_balances', [
          ...[this.id('balance', now), merchantId, currency, available, ZERO, version, now, now],
        ]);
      }
  }
}

const NAMES = ['Somchai', 'Malee', 'Anan', 'Priya', 'Arjun', 'Lotus', 'Orchid', 'Jade', 'Ruby'];

/** Distinct for many millions of rows, and valid. */
function remarkOf(n: number): string {
  const digits: number[] = [];
  let rest = (n * 15_485_863) % 31 ** 7;
  for (let i = 0; i < 7; i++) {
    digits.push(rest % 31);
    rest = Math.floor(rest / 31);
  }
  return newRemark(Uint8Array.from(digits));
}

function put(lines: Lines, table: Table, cells: readonly Cell[]): void {
  lines[table].push(cells.map(text).join('\t'));
}
