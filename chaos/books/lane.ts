import { randomUUID } from 'node:crypto';
import type { Random } from '../random';
import { eventually } from './hands';
import type { Cell } from './model';
import { coinsOf, type Currency, feeOf, plain, unitOf } from './money';
import type { OutsideAccount } from './outside';
import type { Merchant, World } from './world';

/** A deposit that was promised. */
export interface Order {
  readonly orderNo: string;
  readonly coins: bigint;
  readonly account: OutsideAccount;
  readonly remark: string;
  readonly at: number;
}

/** The part of a deposit's money that came to one account. */
interface Came {
  readonly account: OutsideAccount;
  readonly coins: bigint;
}

/** An order that was paid and credited. */
export interface Paid extends Order {
  readonly received: bigint;
  /** Where its money came; the largest part first. */
  readonly came: readonly [Came, ...Came[]];
  /** The part of its credit that is held. */
  held: bigint;
  /** What went back until now. */
  gone: bigint;
  recalled: boolean;
}

/** A bank credit of which a part waits. */
export interface Credit {
  readonly id: string;
  readonly account: OutsideAccount;
  readonly coins: bigint;
  rest: bigint;
}

interface Balances {
  readonly merchant: {
    readonly balances: readonly {
      readonly currencyCode: string;
      readonly available: string;
      readonly frozen: string;
      readonly receivable: string;
    }[];
  };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** One merchant's money in one currency: runs one scene after another, and has its own part of the model. */
export class Lane {
  readonly cell: Cell;
  readonly paid: Paid[] = [];
  readonly credits: Credit[] = [];
  /** Left to expire. */
  readonly left: Order[] = [];
  /** The fees that it has brought us and that were not withdrawn as profit. */
  earned = 0n;
  /** Settlements are paid to it. */
  settlementAccount: string | null = null;

  constructor(
    readonly world: World,
    readonly merchant: Merchant,
    readonly currency: Currency,
    readonly random: Random,
  ) {
    this.cell = world.model.cell(currency);
  }

  get name(): string {
    return `${this.merchant.code} ${this.currency}`;
  }

  /** A random one of the two. */
  get person(): World['people'][number] {
    const [first, second] = this.world.people;
    return this.random.pick([first, second]);
  }

  /** An amount of a deposit. */
  some(): bigint {
    return (
      BigInt(this.random.int(20, 1_999)) * unitOf(this.currency) +
      BigInt(this.random.int(0, Number(unitOf(this.currency)) - 1))
    );
  }

  /** An amount that no deposit has, so that no account matches it to one. */
  odd(): bigint {
    return this.some() + 3_000n * unitOf(this.currency);
  }

  /** A part of it; sometimes all. */
  part(coins: bigint): bigint {
    if (coins < 2n || this.random.chance(0.3)) return coins;
    return 1n + (coins * BigInt(this.random.int(1, 900))) / 1_000n;
  }

  plain(coins: bigint): string {
    return plain(coins, this.currency);
  }

  account(mode?: 'REMARK' | 'FLOAT'): OutsideAccount {
    const all = this.world.accounts.filter(
      (one) => one.currency === this.currency && (mode === undefined || one.mode === mode),
    );
    const account = all[this.random.int(0, all.length - 1)];
    if (!account) throw new Error('there is no account');
    return account;
  }

  /** Creates a deposit, one in four through the cashier. */
  async order(coins = this.some()): Promise<Order> {
    const { hands, code } = this.merchant;
    const cashier = this.random.chance(0.25);
    const number = randomUUID();
    const callback = { callback_url: `${this.world.callbackUrl}/${code}` };
    const path = cashier ? '/orders/deposit/cashier' : '/orders/deposit';
    const created = await hands.ask('POST', path, {
      merchant_order_no: number,
      amount: this.plain(coins),
      currency_code: this.currency,
      ...callback,
    });
    this.world.count(cashier ? 'opened a cashier session' : 'created a deposit');
    // After a lost answer the number is taken.
    if (created.status !== 201 && created.status !== 409)
      throw new Error(`a deposit was answered ${JSON.stringify(created)}`);
    const query = `/query/deposit?merchant_order_no=${number}`;
    const { data } = await hands.ask('GET', query, { merchant_order_no: number });
    const shown = (data?.['account'] ?? {}) as Readonly<Record<string, unknown>>;
    const account = this.world.accounts.find(({ accountNo }) => accountNo === text(shown['account_no']));
    if (!account) throw new Error(`a deposit is shown as ${JSON.stringify(data)}`);
    return {
      orderNo: text(data?.['order_no']),
      coins: coinsOf(text(data?.['amount']), this.currency),
      account,
      remark: text(data?.['expected_remark']),
      at: Date.now(),
    };
  }

  /** A deposit on an account that identifies payments by remarks. */
  async remarkOrder(coins?: bigint): Promise<Order> {
    for (;;) {
      const order = await this.order(coins);
      if (order.account.mode === 'REMARK') return order;
      await this.pay(order);
    }
  }

  /** Its payer pays it as promised, and it is credited. */
  async pay(order: Order, times = 1): Promise<Paid> {
    const memo = order.remark === '' ? '' : `for ${order.remark}`;
    const { matched, reason } = await order.account.move(order.coins, { memo, times });
    if (!matched) throw new Error(`the credit of ${order.orderNo} waits: ${reason ?? ''}`);
    this.came(order.account, order.coins);
    return await this.credited(order, order.coins);
  }

  /** The model: a bank credit came. */
  came(account: OutsideAccount, coins: bigint): void {
    const { model } = this.world;
    model.put('BANK', account.id, this.currency, coins);
    model.add('SUSPENSE', this.currency, coins);
  }

  /**
   * A deposit is credited: first in the model, then checked on the platform.
   * @param came where its money came, if not where it was expected; the largest part first
   */
  async credited(
    order: Order,
    received: bigint,
    came: Paid['came'] = [{ account: order.account, coins: received }],
  ): Promise<Paid> {
    const { model } = this.world;
    const fee = this.fee(received);
    model.add('SUSPENSE', this.currency, -received);
    this.earn(fee);
    const kept = this.cell.gets(received - fee);
    const held = this.merchant.holds ? kept : 0n;
    this.cell.freezes(held);
    await this.reaches(order.orderNo, 'completed');
    const paid = { ...order, came, received, held, gone: 0n, recalled: false };
    this.paid.push(paid);
    if (this.paid.length > 40) this.paid.shift();
    return paid;
  }

  fee(received: bigint): bigint {
    return feeOf(received, this.merchant.fee);
  }

  earn(fee: bigint): void {
    this.earned += fee;
    this.world.model.add('FEE_INCOME', this.currency, fee);
  }

  /** Waits until an order is in a status. */
  async reaches(orderNo: string, ...wanted: readonly string[]): Promise<string> {
    let last = '';
    return await eventually(`${wanted.join(' or ')} of ${orderNo}`, async () => {
      last = (await this.look(orderNo)).status;
      return wanted.includes(last) ? last : null;
    }).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}: it is ${last}`);
    });
  }

  /** An order as its merchant sees it; a settlement as operators see it. */
  async look(orderNo: string): Promise<{ readonly status: string; readonly method: string }> {
    const kind = orderNo.startsWith('D') ? 'deposit' : 'withdrawal';
    const { status, data } = await this.merchant.hands.ask('GET', `/query/${kind}/${orderNo}`);
    if (status === 200) return { status: text(data?.['status']), method: text(data?.['payout_method']) };
    const order = await this.world.people[0].does<{ status: string; payoutMethod: string | null }>(
      ...(['Withdrawal', { orderNo }] as const),
    );
    return {
      status: order.status.toLowerCase(),
      method: (order.payoutMethod ?? '').toLowerCase(),
    };
  }

  /** The merchant's balances, from the operators' API. */
  async shown(): Promise<string> {
    const { balances } = await this.world.people[0].does<Balances['merchant']>('Merchant', {
      id: this.merchant.id,
    });
    const found = balances.find(({ currencyCode }) => currencyCode === this.currency);
    const coins = (amount: string | undefined): bigint => coinsOf(amount ?? '0', this.currency);
    return `available ${coins(found?.available)} frozen ${coins(found?.frozen)} owed ${coins(found?.receivable)}`;
  }

  /** Waits until the platform's balances equal the model's. @throws if they do not */
  async agrees(): Promise<void> {
    let last = '';
    await eventually('agreement', async () => {
      last = await this.shown();
      return last === String(this.cell) ? last : null;
    }).catch(() => {
      throw new Error(`the model has ${String(this.cell)}, the platform ${last}`);
    });
  }
}
