import { createHash } from 'node:crypto';
import type { Fields, Incoming, OutgoingReport, Reply, Report, Style, Upstream } from '../style';
import { centsOf, decimalOf } from './decimals';

/*
 * A gateway as https://www.showdoc.com.cn/fantian describes it ("支付商户文档"): the fields as a query string in ASCII
 * order, followed by `&` and the merchant's key, MD5 in lower-case hex. Amounts are cents, times Unix seconds. Queries are
 * GETs with a token in `Authorization`.
 */

/** A merchant of it. */
export interface Md5QueryMerchant {
  readonly platformId: string;
  readonly key: string;
  /** What its queries send as `Authorization`. */
  readonly token: string;
}

/** The signature of a request or a report: over every field except `sign` that is not empty. */
export function signMd5Query(fields: Fields, key: string): string {
  const text = Object.keys(fields)
    .filter((name) => name !== 'sign' && fields[name] !== null && fields[name] !== '')
    .sort()
    .map((name) => `${name}=${String(fields[name])}&`)
    .join('');
  return createHash('md5')
    .update(text + key, 'utf8')
    .digest('hex');
}

const OK = '0000';
const PAYMENT_STATUS = { opened: 0, matched: 1, completed: 2, failed: 3, refused: 4 } as const;
const PAYOUT_STATUS = { accepted: 1, completed: 3, failed: 4, refused: 5, returned: 6 } as const;
const CURRENCY = 'THB';

const error = (code: string, message: string): Reply => [200, { error_code: code, error_msg: message }];

/** The style of a provider that signs a query string by MD5. */
export const md5QueryStyle = ({ platformId, key, token }: Md5QueryMerchant): Style => ({
  answer(request: Incoming, upstream: Upstream): Reply {
    const { method, url, headers } = request;
    if (method === 'GET') {
      if (headers.authorization !== token) return error('0003', 'no permission');
      return find(url, upstream);
    }
    const fields = JSON.parse(request.body) as Record<string, string>;
    if (fields['platform_id'] !== platformId) return error('0002', 'no such platform');
    if (fields['sign'] !== signMd5Query(fields, key)) return error('0004', '验签错误!');
    const late = Math.abs(Date.now() / 1000 - Number(fields['request_time']));
    if (!(late < 300)) return error('0005', 'request_time is too far off');
    const amount = decimalOf(Number(fields['amount']));
    if (url.pathname === '/gateway/api/v1/payments') {
      const reference = fields['payment_cl_id'] ?? '';
      const taken = upstream.takeDeposit({ reference, amount, currency: CURRENCY }, fields);
      if (taken === 'lost') return 'drop';
      if (taken === 'error') return [500, {}];
      if (taken.state === 'refused') return error('0011', 'the service takes no order');
      return [200, { error_code: OK, data: opened(taken.channelOrderNo, reference, amount) }];
    }
    if (url.pathname === '/gateway/api/v2/payouts') {
      const reference = fields['payout_cl_id'] ?? '';
      const taken = upstream.takePayout({ reference, amount, currency: CURRENCY });
      if (taken === 'lost') return 'drop';
      if (taken === 'error') return [500, {}];
      if (taken.state === 'refused') return error('0011', 'the service takes no order');
      return [200, { error_code: OK, data: { payout_id: taken.channelOrderNo } }];
    }
    return [404, {}];
  },

  report(report: Report, _id: string, forged: boolean): OutgoingReport {
    const fields = {
      ...(report.kind === 'deposit'
        ? { payment_id: report.channelOrderNo, payment_cl_id: report.reference }
        : { payout_id: report.channelOrderNo, payout_cl_id: report.reference }),
      platform_id: platformId,
      amount: centsOf(report.amount),
      real_amount: report.state === 'completed' ? centsOf(report.amount) : 0,
      fee: 0,
      status: statusOf(report.kind, report.state),
      update_time: Math.floor(Date.now() / 1000),
    };
    const sign = signMd5Query(fields, forged ? `not ${key}` : key);
    return {
      headers: () => ({ 'content-type': 'application/json;charset=utf-8' }),
      body: JSON.stringify({ ...fields, sign }),
    };
  },
});

function statusOf(kind: Report['kind'], state: string): number {
  const known: Readonly<Record<string, number>> = kind === 'deposit' ? PAYMENT_STATUS : PAYOUT_STATUS;
  return known[state] ?? -1;
}

/** What the payer needs. */
const opened = (paymentId: string, reference: string, amount: string): Fields => ({
  link: `https://pay.example/gateway/portal/v2/payments/?payment_id=${paymentId}`,
  payment_info: {
    amount: centsOf(amount),
    payment_id: paymentId,
    payment_cl_id: reference,
    receiver: {
      card_name: 'Upstream Ltd.',
      card_number: '9876543210',
      bank_name: 'Simulated Bank',
      bank_branch: 'Main',
    },
  },
});

/** Queries: the orders that a filter finds, here at most one. */
function find(url: URL, upstream: Upstream): Reply {
  const now = Math.floor(Date.now() / 1000);
  const fee = upstream.cost === null ? 0 : centsOf(upstream.cost);
  const list = (order: Fields | undefined): Reply => [
    200,
    { error_code: OK, data: order ? [order] : [], total: order ? 1 : 0 },
  ];
  switch (url.pathname) {
    case '/gateway/api/v1/payments': {
      const deposit = upstream.findDeposit(url.searchParams.get('payment_cl_id') ?? '');
      if (!deposit) return list(undefined);
      const shown = upstream.saysWrongAmount(deposit.reference) ? 1 : centsOf(deposit.amount);
      return list({
        amount: shown,
        real_amount: deposit.state === 'completed' ? centsOf(deposit.paidAmount) : 0,
        fee,
        payment_id: deposit.channelOrderNo,
        payment_cl_id: deposit.reference,
        status: statusOf('deposit', deposit.state),
        memo: deposit.reason ?? '',

        create_time: now,
        update_time: now,
        link: opened(deposit.channelOrderNo, '', '0')['link'],
      });
    }
    case '/gateway/api/v1/payouts': {
      const payment = upstream.findPayout(url.searchParams.get('payout_cl_id') ?? '');
      if (!payment) return list(undefined);
      const shown = upstream.saysWrongAmount(payment.reference) ? 1 : centsOf(payment.amount);
      return list({
        amount: shown,
        fee,
        payout_id: payment.channelOrderNo,
        payout_cl_id: payment.reference,
        status: statusOf('payout', payment.state),
        memo: payment.reason ?? '',
        create_time: now,
        update_time: now,
      });
    }
    case '/gateway/api/v1/platforms/balance': {
      const balance = upstream.balance(CURRENCY);
      return [200, { error_code: OK, data: { total_balance: balance === null ? null : centsOf(balance) } }];
    }
    default:
      return [404, {}];
  }
}
