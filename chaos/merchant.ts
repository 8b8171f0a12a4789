import type { Decimal } from 'decimal.js';
import type { Answer, Gateways } from './gateways';
import { Patience } from './patience';
import { type Fields, merchantSignature, unixSeconds } from './signing';

/** A merchant's side of the contract. */
export interface MerchantAccount {
  readonly id: string;
  readonly code: string;
  readonly apiKey: string;
  /** Its orders expire after a minute, with a callback. Nobody pays them. */
  readonly expires: boolean;
}

/** The payment details for the merchant's payer. */
export interface Promised {
  readonly orderNo: string;
  readonly amount: string;
  readonly accountNo: string;
  /** The text that the memo must contain; null if the exact amount identifies the payer. */
  readonly remark: string | null;
}

/** An order in the merchant's records: the request, and the promise. */
export interface Asked {
  readonly merchant: MerchantAccount;
  readonly number: string;
  readonly amount: Decimal;
  /** Creates that were answered 201. */
  created: number;
  promised?: Promised;
  /** An answer that contradicts the contract, such as 404 for a number that was just refused as used. */
  contradiction?: string;
}

const API = '/api/v1/merchant';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Creates deposits by the contract's "Idempotent retry pattern", and keeps its own records. */
export class Merchants {
  readonly book: Asked[] = [];

  constructor(
    private readonly gateways: Gateways,
    private readonly callbackUrl: string,
    private readonly currency: string,
  ) {}

  /**
   * Creates a deposit: retries the same number until there is an answer below 500.
   * @param impatient sends the first request twice at once, like a payer's double click
   * @param forMs after this the merchant gives up
   */
  async create(
    merchant: MerchantAccount,
    number: string,
    amount: Decimal,
    impatient: boolean,
    forMs: number,
  ): Promise<Asked> {
    const asked: Asked = { merchant, number, amount, created: 0 };
    this.book.push(asked);
    const patience = new Patience(forMs);
    let atOnce = impatient ? 2 : 1;
    while (!isAnswered(asked) && !patience.isOver) {
      await Promise.all(Array.from({ length: atOnce }, () => this.tryOnce(asked)));
      atOnce = 1;
      if (!isAnswered(asked)) await patience.pause();
    }
    return asked;
  }

  /** Whether the platform still knows an order that it promised: a restored database may have lost it. */
  async isLost({ merchant, promised }: Asked): Promise<boolean> {
    if (!promised) return false;
    const path = `/query/deposit/${promised.orderNo}`;
    const { status } = await this.call(merchant, 'GET', path, {});
    return status === 404;
  }

  private async tryOnce(asked: Asked): Promise<void> {
    const { status, data } = await this.call(asked.merchant, 'POST', '/orders/deposit', {
      merchant_order_no: asked.number,
      amount: asked.amount.toFixed(2),
      currency_code: this.currency,
      callback_url: `${this.callbackUrl}/${asked.merchant.code}`,
      extra_data: `for ${asked.number}`,
    });
    if (status === 201) {
      asked.created += 1;
      note(asked, {
        orderNo: text(data?.['order_no']),
        amount: text(data?.['amount']),
        accountNo: text(data?.['account_no']),
        remark: textOrNull(data?.['remark']),
      });
    } else if (status === 409) {
      await this.recall(asked);
    } else if (status !== 0 && status < 500) {
      asked.contradiction = `a create was answered ${status}`;
    }
  }

  /** The number is used, by our own unanswered request: queries its order. */
  private async recall(asked: Asked): Promise<void> {
    const query = new URLSearchParams({ merchant_order_no: asked.number }).toString();
    const { status, data } = await this.call(asked.merchant, 'GET', `/query/deposit?${query}`, {
      merchant_order_no: asked.number,
    });
    if (status === 200) {
      const account = data?.['account'] as Readonly<Record<string, unknown>> | null | undefined;
      note(asked, {
        orderNo: text(data?.['order_no']),
        amount: text(data?.['amount']),
        accountNo: text(account?.['account_no']),
        remark: textOrNull(data?.['expected_remark']),
      });
    } else if (status !== 0 && status < 500) {
      asked.contradiction = `the number is taken (409), but a query is answered ${status}`;
    }
  }

  private async call(
    { apiKey }: MerchantAccount,
    method: 'GET' | 'POST',
    path: string,
    fields: Fields,
  ): Promise<Answer> {
    const timestamp = unixSeconds();
    return await this.gateways.ask(
      method,
      API + path,
      {
        'x-api-key': apiKey,
        'x-timestamp': timestamp,
        'x-signature': merchantSignature({ ...fields, timestamp }, apiKey),
      },
      method === 'POST' ? JSON.stringify(fields) : undefined,
    );
  }
}

function note(asked: Asked, promised: Promised): void {
  const { orderNo } = (asked.promised ??= promised);
  if (promised.orderNo !== orderNo) asked.contradiction = `one number, two orders: ${orderNo} and ${promised.orderNo}`;
}

const isAnswered = ({ promised, contradiction }: Asked): boolean =>
  promised !== undefined || contradiction !== undefined;
