import { createHmac } from 'node:crypto';
import type { Fields, Incoming, OutgoingReport, Reply, Report, Style, Upstream } from '../style';

/*
 * A provider as https://docs.cryptoprocessing.com/api-reference describes it: every request is a POST of JSON, whose
 * exact bytes are signed by HMAC-SHA512 in lower-case hex (`X-Processing-Signature`), beside the name of the key
 * (`X-Processing-Key`). Amounts are decimal texts. Its callbacks are signed in the same way.
 */

/** A merchant of it. */
export interface HmacJsonMerchant {
  readonly apiKey: string;
  readonly secret: string;
}

/** The signature of a body. */
export const signHmacJson = (body: string, secret: string): string =>
  createHmac('sha512', secret).update(body).digest('hex');

const DEPOSIT_STATUS = {
  opened: 'created',
  matched: 'not_confirmed',
  completed: 'confirmed',
  failed: 'cancelled',
  refused: 'declined',
} as const;
const PAYOUT_STATUS = {
  accepted: 'processing',
  completed: 'confirmed',
  failed: 'cancelled',
  refused: 'declined',
  returned: 'refunded',
} as const;

const errors = (status: number, what: Fields): Reply => [status, { errors: what }];

/** The style of a provider that signs JSON by HMAC. */
export const hmacJsonStyle = ({ apiKey, secret }: HmacJsonMerchant): Style => ({
  answer({ url, headers, body }: Incoming, upstream: Upstream): Reply {
    if (headers['x-processing-key'] !== apiKey) return errors(403, { key: 'unknown' });
    if (headers['x-processing-signature'] !== signHmacJson(body, secret))
      return errors(403, { signature: 'Bad signature header' });
    const fields = JSON.parse(body) as Record<string, string>;
    const { foreign_id: reference = '', amount = '', currency = '' } = fields;
    switch (url.pathname) {
      case '/api/v2/invoices/create': {
        const taken = upstream.takeDeposit({ reference, amount, currency }, fields);
        if (taken === 'lost') return 'drop';
        if (taken === 'error') return [500, {}];
        if (taken.state === 'refused') return errors(422, { code: 'not_accepted' });
        const { channelOrderNo } = taken;
        const address = `https://pay.example/en/invoice/${channelOrderNo}`;
        const named = { id: channelOrderNo, url: address, foreign_id: reference };
        return [200, { data: { ...named, status: 'created', amount, currency } }];
      }
      case '/api/v2/withdrawal/crypto': {
        const taken = upstream.takePayout({ reference, amount, currency });
        if (taken === 'lost') return 'drop';
        if (taken === 'error') return [500, {}];
        if (taken.state === 'refused') return errors(422, { code: 'not_accepted' });
        const money = { amount, sender_amount: amount, sender_currency: currency };
        const named = { id: taken.channelOrderNo, foreign_id: reference, type: 'withdrawal' };
        return [200, { data: { ...named, status: 'processing', ...money } }];
      }
      case '/api/v2/transactions/info':
        return info(reference, upstream);
      case '/api/v2/accounts/list': {
        const of = fields['currency'] ?? '';
        return [200, { data: [{ currency: of, type: 'fiat', balance: upstream.balance(of) ?? '0' }] }];
      }
      case '/api/v2/ping':
        return [200, { status: 'success' }];
      default:
        return [404, {}];
    }
  },

  report(report: Report, _id: string, forged: boolean): OutgoingReport {
    const { reference, channelOrderNo, amount, currency, state, reason, kind } = report;
    const body = JSON.stringify({
      id: channelOrderNo,
      foreign_id: reference,
      type: kind === 'payout' ? 'withdrawal' : 'invoice',
      currency_sent: { currency, amount },
      currency_received: { currency, amount },
      error: reason ?? '',
      status: statusOf(kind, state),
    });
    const signature = signHmacJson(body, forged ? `not ${secret}` : secret);
    return {
      headers: () => ({
        'content-type': 'application/json',
        'x-processing-key': apiKey,
        'x-processing-signature': signature,
      }),
      body,
    };
  },
});

function statusOf(kind: Report['kind'], state: string): string {
  const known: Readonly<Record<string, string>> = kind === 'deposit' ? DEPOSIT_STATUS : PAYOUT_STATUS;
  return known[state] ?? 'unknown';
}

/** What it knows of a transaction. */
function info(reference: string, upstream: Upstream): Reply {
  const deposit = upstream.findDeposit(reference);
  const payment = upstream.findPayout(reference);
  const found = deposit ?? payment;
  if (!found) return errors(404, { foreign_id: 'not found' });
  const amount = upstream.saysWrongAmount(reference) ? '0.01' : found.amount;
  const { currency } = found;
  return [
    200,
    {
      id: found.channelOrderNo,
      foreign_id: reference,
      error: found.reason ?? '',
      ...(deposit && { url: `https://pay.example/en/invoice/${found.channelOrderNo}` }),
      currency_sent: { currency, amount },
      currency_received: { currency, amount },
      fees: upstream.cost === null ? [] : [{ type: 'fee', currency, amount: upstream.cost }],
      status: statusOf(deposit ? 'deposit' : 'payout', found.state),
    },
  ];
}
