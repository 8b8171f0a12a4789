import { Decimal } from 'decimal.js';
import type { Gateways } from '../gateways';
import { Patience } from '../patience';
import type { Random } from '../random';
import { type Fields, merchantSignature, unixSeconds } from '../signing';
import { CURRENCY, type Payer } from './provision';

/** A merchant's request. `orderNo` is null without an answer that names it. */
export interface AskedPayout {
  readonly payer: Payer;
  readonly number: string;
  readonly amount: Decimal;
  orderNo: string | null;
}

const PATH = '/api/v1/merchant';
/** How long a merchant repeats a request. */
const PATIENCE_MS = 120_000;

/** Merchants that create withdrawals by the contract's "Idempotent retry pattern", and keep their own book. */
export class Payers {
  readonly book: AskedPayout[] = [];

  constructor(
    private readonly gateways: Gateways,
    private readonly payers: readonly Payer[],
    private readonly random: Random,
  ) {}

  /** Creates one withdrawal, repeating the request until it is answered. */
  async ask(): Promise<void> {
    const n = this.book.length;
    const payer = this.payers[n % this.payers.length];
    if (!payer) throw new Error('nobody asks');
    const amount = new Decimal(this.random.int(1_000, 99_999)).div(100);
    const asked: AskedPayout = { payer, number: `payout-${n + 1}`, amount, orderNo: null };
    this.book.push(asked);
    const patience = new Patience(PATIENCE_MS);
    for (;;) {
      await this.tryOnce(asked);
      if (isAnswered(asked) || patience.isOver) return;
      await patience.pause();
    }
  }

  private async tryOnce(asked: AskedPayout): Promise<void> {
    const { status, data } = await this.call(asked.payer, 'POST', '/orders/withdrawal', {
      merchant_order_no: asked.number,
      amount: asked.amount.toFixed(2),
      currency_code: CURRENCY,
      beneficiary_name: 'Somchai',
      beneficiary_account: '1234567890',
      beneficiary_bank_code: 'KBANK',
    });
    if (status === 201) asked.orderNo = String(data?.['order_no']);
    else if (status === 409) await this.recall(asked);
    else if (status !== 0 && status < 500)
      throw new Error(`a withdrawal was answered ${status} ${JSON.stringify(data)}`);
  }

  private async recall(asked: AskedPayout): Promise<void> {
    const fields = { merchant_order_no: asked.number };
    const query = new URLSearchParams(fields).toString();
    const { status, data } = await this.call(
      asked.payer,
      'GET',
      `/query/withdrawal?${query}`,
      fields,
    );
    if (status === 200) asked.orderNo = String(data?.['order_no']);
  }

  private async call(
    { apiKey }: Payer,
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

const isAnswered = ({ orderNo }: AskedPayout): boolean => orderNo !== null;
