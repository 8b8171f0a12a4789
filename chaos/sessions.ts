import type { OperatorClient } from '../local/operator-client';
import type { Gateways } from './gateways';
import { Patience } from './patience';
import { CURRENCY } from './provision';
import { merchantSignature, unixSeconds } from './signing';
import type { Verdict } from './verdict';

/** The code of the merchant. */
export const SESSIONS_OF = 'CASHIER';
const PATIENCE_MS = 120_000;
const PATH = '/api/v1/merchant/orders/deposit/cashier';

/** A merchant that sends payers to the cashier; none of them chooses, so each session expires after a minute. */
export class Sessions {
  /** The numbers that were answered 201. */
  readonly book: string[] = [];
  private asked = 0;

  private constructor(
    readonly merchantId: string,
    private readonly gateways: Gateways,
    private readonly apiKey: string,
  ) {}

  static async provision(operator: OperatorClient, gateways: Gateways): Promise<Sessions> {
    const reason = 'chaos campaign';
    const { merchant } = await operator.run<{ merchant: { id: string } }>('CreateMerchant', {
      reason,
      input: {
        merchantCode: SESSIONS_OF,
        name: SESSIONS_OF,
        currencies: [{ currencyCode: CURRENCY, cashierAmounts: { denominations: ['100', '500'] } }],
        settings: { cashierSessionExpireMinutes: 1 },
      },
    });
    const { apiKey } = await operator.run<{ apiKey: string }>('IssueApiKey', {
      merchantId: merchant.id,
      reason,
    });
    return new Sessions(merchant.id, gateways, apiKey);
  }

  /** Opens a session, repeating the request until it is answered. */
  async open(): Promise<void> {
    const number = `session-${++this.asked}`;
    const fields = { merchant_order_no: number, currency_code: CURRENCY };
    const patience = new Patience(PATIENCE_MS);
    while (!patience.isOver) {
      const timestamp = unixSeconds();
      const { status, data } = await this.gateways.ask(
        ...(['POST', PATH] as const),
        {
          'x-api-key': this.apiKey,
          'x-timestamp': timestamp,
          'x-signature': merchantSignature({ ...fields, timestamp }, this.apiKey),
        },
        JSON.stringify(fields),
      );
      // 409: our own unanswered request has opened it.
      if (status === 201 || status === 409) {
        this.book.push(number);
        return;
      }
      if (status !== 0 && status < 500) throw new Error(`a session was answered ${status} ${JSON.stringify(data)}`);
      await patience.pause();
    }
  }

  /** @param statuses in the database, by number. @param listedAsLost numbers that a recovery lists */
  judge(statuses: ReadonlyMap<string, string>, listedAsLost: ReadonlySet<string> = new Set()): Verdict {
    const verdict: Verdict = { double: [], lost: [], stuck: [] };
    for (const number of this.book) {
      if (listedAsLost.has(number)) continue;
      const status = statuses.get(number);
      if (status === undefined) verdict.lost.push(`${number} has no session`);
      else if (status !== 'EXPIRED') verdict.stuck.push(`${number} is ${status}`);
    }
    return verdict;
  }
}
