import { setTimeout as sleep } from 'node:timers/promises';
import { Decimal } from 'decimal.js';
import type { Gateways } from './gateways';
import { Patience } from './patience';
import type { Random } from './random';
import { type Fields, merchantSignature, unixSeconds } from './signing';

/** A merchant that creates orders. */
export interface Asker {
  readonly id: string;
  readonly code: string;
  readonly apiKey: string;
}

/** A merchant's request. `orderNo` is null until an answer names it. */
export interface AskedOrder {
  readonly asker: Asker;
  readonly number: string;
  readonly amount: Decimal;
  orderNo: string | null;
  /** Orders with this number that a restored database has lost. */
  readonly lost: string[];
}

/** The kind of the orders: the contract's word for it, and the fields beside number and amount. */
export interface OrderKind {
  readonly kind: 'deposit' | 'withdrawal';
  readonly fields: (asker: Asker) => Fields;
}

const PATH = '/api/v1/merchant';
/** How long a merchant repeats a request. */
const PATIENCE_MS = 120_000;

/** Merchants that create orders by the contract's "Idempotent retry pattern", and keep their own records. */
export class Askers {
  readonly book: AskedOrder[] = [];

  constructor(
    private readonly gateways: Gateways,
    private readonly askers: readonly Asker[],
    private readonly random: Random,
    private readonly what: OrderKind,
  ) {}

  /** Creates one order, repeating the request until it is answered. */
  async ask(): Promise<void> {
    const n = this.book.length;
    const asker = this.askers[n % this.askers.length];
    if (!asker) throw new Error('there is no merchant');
    const amount = new Decimal(this.random.int(1_000, 99_999)).div(100);
    const number = `${this.what.kind}-${n + 1}`;
    const asked: AskedOrder = { asker, number, amount, orderNo: null, lost: [] };
    this.book.push(asked);
    await this.askUntilAnswered(asked);
  }

  /** Whether the platform has lost an order that it promised. */
  async isLost({ asker, orderNo }: AskedOrder): Promise<boolean> {
    if (orderNo === null) return false;
    const path = `/query/${this.what.kind}/${orderNo}`;
    return (await this.call(asker, 'GET', path, {})).status === 404;
  }

  /** Creates an order again, by the same number, after the platform lost it. */
  async askAgain(asked: AskedOrder): Promise<void> {
    if (asked.orderNo !== null) asked.lost.push(asked.orderNo);
    asked.orderNo = null;
    await this.askUntilAnswered(asked);
  }

  private async askUntilAnswered(asked: AskedOrder): Promise<void> {
    const patience = new Patience(PATIENCE_MS);
    for (;;) {
      await this.tryOnce(asked);
      if (isAnswered(asked) || patience.isOver) return;
      await patience.pause();
    }
  }

  /**
   * Creates this many orders, spread evenly over a time; returns when all are answered.
   * @param held waits while the platform is behind
   */
  async askAll(
    orders: number,
    overMs: number,
    signal: AbortSignal,
    held: () => Promise<void> = () => Promise.resolve(),
  ): Promise<void> {
    const asked: Promise<void>[] = [];
    for (let n = 0; n < orders && !signal.aborted; n++) {
      await held();
      asked.push(this.ask());
      await sleep(overMs / orders);
    }
    await Promise.all(asked);
  }

  private async tryOnce(asked: AskedOrder): Promise<void> {
    const { kind, fields } = this.what;
    const { status, data } = await this.call(asked.asker, 'POST', `/orders/${kind}`, {
      ...fields(asked.asker),
      merchant_order_no: asked.number,
      amount: asked.amount.toFixed(2),
    });
    if (status === 201) asked.orderNo = String(data?.['order_no']);
    else if (status === 409) await this.recall(asked);
    // A deposit that no channel takes is refused, but it still exists.
    else if (status === 400 && kind === 'deposit') await this.recall(asked);
    else if (status !== 0 && status < 500) throw new Error(`a ${kind} was answered ${status} ${JSON.stringify(data)}`);
  }

  private async recall(asked: AskedOrder): Promise<void> {
    const fields = { merchant_order_no: asked.number };
    const query = new URLSearchParams(fields).toString();
    const path = `/query/${this.what.kind}?${query}`;
    const { status, data } = await this.call(asked.asker, 'GET', path, fields);
    if (status === 200) asked.orderNo = String(data?.['order_no']);
  }

  private async call(
    { apiKey }: Asker,
    method: 'GET' | 'POST',
    path: string,
    fields: Fields,
  ): ReturnType<Gateways['ask']> {
    const timestamp = unixSeconds();
    const signature = merchantSignature({ ...fields, timestamp }, apiKey);
    const headers = { 'x-api-key': apiKey, 'x-timestamp': timestamp, 'x-signature': signature };
    const body = method === 'POST' ? JSON.stringify(fields) : undefined;
    return await this.gateways.ask(method, PATH + path, headers, body);
  }
}

const isAnswered = ({ orderNo }: AskedOrder): boolean => orderNo !== null;
