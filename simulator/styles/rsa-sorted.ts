import { createSign, createVerify, type KeyLike, randomBytes } from 'node:crypto';
import type { Fields, Incoming, OutgoingReport, Reply, Report, Style, Upstream } from '../style';
import { centsOf, decimalOf } from './decimals';

/*
 * A provider as https://doc.revenuemonster.my/docs/quickstart/signature-algorithm describes it: the fields data (base64
 * of the body, its keys sorted), method, nonceStr, requestUrl, signType and timestamp are sorted, joined as a query
 * string, and signed by SHA256withRSA. Amounts are cents. Its document has no payouts: those here have the same form.
 */

/** A merchant of it, and the provider's own key. */
export interface RsaSortedMerchant {
  readonly token: string;
  /** The merchant's public key, PEM. */
  readonly merchantKey: KeyLike;
  /** The provider's private key, PEM. */
  readonly providerKey: KeyLike;
  /** A stranger's private key, for forgeries. */
  readonly strangersKey: KeyLike;
}

/** The signed parts of a message. */
export interface SignedParts {
  /** The body; empty if there is none. */
  readonly body: string;
  readonly method: string;
  readonly nonceStr: string;
  /** Null in reports. */
  readonly requestUrl?: string;
  readonly timestamp: string;
}

/** The signed text. */
export function textOfParts({ body, method, nonceStr, requestUrl, timestamp }: SignedParts): string {
  const parts: string[] = [];
  if (body !== '') parts.push(`data=${Buffer.from(body).toString('base64')}`);
  parts.push(`method=${method.toLowerCase()}`, `nonceStr=${nonceStr}`);
  if (requestUrl !== undefined) parts.push(`requestUrl=${requestUrl}`);
  parts.push('signType=sha256', `timestamp=${timestamp}`);
  return parts.join('&');
}

/** The signature of a message, as its header has it. */
export const signRsaSorted = (parts: SignedParts, key: KeyLike): string =>
  `sha256 ${createSign('RSA-SHA256').update(textOfParts(parts)).sign(key, 'base64')}`;

const STATUS: Readonly<Record<string, string>> = {
  matched: 'IN_PROCESS',
  accepted: 'IN_PROCESS',
  completed: 'SUCCESS',
  failed: 'FAILED',
  refused: 'FAILED',
  returned: 'REFUNDED',
};

const error = (status: number, code: string): Reply => [status, { error: { code, message: code } }];

/** JSON with sorted keys, compact, as it is signed. */
function sorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${sorted(one)}`);
  return `{${members.join(',')}}`.replace(/[<>&]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);
}

/** The style of a provider that signs sorted fields by RSA. */
export const rsaSortedStyle = (merchant: RsaSortedMerchant): Style => ({
  answer(request: Incoming, upstream: Upstream): Reply {
    const { method, url, headers, body } = request;
    if (headers.authorization !== `Bearer ${merchant.token}`) return error(401, 'UNAUTHORIZED');
    const [signType, signature = ''] = String(headers['x-signature'] ?? '').split(' ');
    const parts = {
      body,
      method,
      requestUrl: url.href,
      nonceStr: String(headers['x-nonce-str'] ?? ''),
      timestamp: String(headers['x-timestamp'] ?? ''),
    };
    const verifier = createVerify('RSA-SHA256').update(textOfParts(parts));
    if (signType !== 'sha256' || !verifier.verify(merchant.merchantKey, signature, 'base64'))
      return error(400, 'INVALID_REQUEST_SIGNATURE');
    if (body !== '' && sorted(JSON.parse(body)) !== body) return error(400, 'INVALID_REQUEST_SIGNATURE');
    if (method === 'GET') return find(url.pathname, upstream);
    const { order } = JSON.parse(body) as { order: Record<string, string | number> };
    const reference = String(order['id']);
    const amount = decimalOf(Number(order['amount']));
    const currency = String(order['currencyType']);
    const pays = url.pathname === '/v3/payout';
    if (!pays && url.pathname !== '/v3/payment/online') return error(404, 'NOT_FOUND');
    const taken = pays
      ? upstream.takePayout({ reference, amount, currency })
      : upstream.takeDeposit({ reference, amount, currency }, order);
    if (taken === 'lost') return 'drop';
    if (taken === 'error') return [500, {}];
    if (taken.state === 'refused') return error(400, 'STORE_NOT_ACTIVE');
    const { channelOrderNo } = taken;
    const item = pays
      ? { transactionId: channelOrderNo }
      : {
          checkoutId: channelOrderNo,
          url: `https://pay.example/checkout?checkoutId=${channelOrderNo}`,
        };
    return [200, { item, code: 'SUCCESS' }];
  },

  report(report: Report, _id: string, forged: boolean): OutgoingReport {
    const { reference, channelOrderNo, amount, currency, state, kind } = report;
    const data = itemOf(reference, channelOrderNo, centsOf(amount), currency, state, null);
    const eventType = kind === 'payout' ? 'PAYOUT' : 'PAYMENT_WEB_ONLINE';
    const body = sorted({ data, eventType });
    const key = forged ? merchant.strangersKey : merchant.providerKey;
    return {
      headers: () => {
        const nonceStr = randomBytes(16).toString('hex');
        const timestamp = String(Math.floor(Date.now() / 1000));
        const signature = signRsaSorted({ body, method: 'post', nonceStr, timestamp }, key);
        return {
          'content-type': 'application/json',
          'x-nonce-str': nonceStr,
          'x-timestamp': timestamp,
          'x-signature': signature,
        };
      },
      body,
    };
  },
});

const itemOf = (
  reference: string,
  transactionId: string,
  cents: number,
  currencyType: string,
  state: string,
  fee: number | null,
): Fields => ({
  transactionId,
  referenceId: `P${transactionId}`,
  currencyType,
  fee,
  order: { id: reference, title: 'Order', detail: '', amount: cents },
  status: STATUS[state] ?? 'UNKNOWN',
  platform: 'OPEN_API',
});

/** What it knows of an order. A payment that nobody has begun has no transaction yet. */
function find(path: string, upstream: Upstream): Reply {
  const [, place, id = ''] = /^\/v3\/(payment\/transaction|payout)\/order\/([^/]+)$/.exec(path) ?? [];
  if (place === undefined) return error(404, 'NOT_FOUND');
  const reference = decodeURIComponent(id);
  const found = place === 'payout' ? upstream.findPayout(reference) : upstream.findDeposit(reference);
  if (!found || found.state === 'opened') return error(404, 'TRANSACTION_NOT_FOUND');
  const cents = upstream.saysWrongAmount(reference) ? 1 : centsOf(found.amount);
  const fee = upstream.cost === null ? null : centsOf(upstream.cost);
  const { channelOrderNo, currency, state } = found;
  return [200, { item: itemOf(reference, channelOrderNo, cents, currency, state, fee), code: 'SUCCESS' }];
}
