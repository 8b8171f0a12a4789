import type { CallbackAnswer } from '../domain/callback-verdict';
import { isPaymentUrl } from '../domain/payment-url';
import type { DepositAnswer, JsonObject } from '../domain/channel-deposit';
import { money, type Money } from '../domain/money';
import type { PayoutAnswer } from '../domain/payout';
import type { SignedParameters } from '../domain/signing';
import { decodeUtf8Strict, type JsonValue, parseStrictObject, type StrictObject } from '../domain/strict-json';
import type { Channel, ChannelMessage, DepositQuery, ListedPayout, PayoutQuery } from './channel';
import { type HttpChannelDeps, isNeverSent, MOST_TEXT as MOST, MOST_URL, problemOf } from './http-answer';
import { forgery, SIGNATURE_HEADERS, signedHeaders, type SigningKey } from './signature';

/** A channel's address and signing key. The secret is in clear text, only in memory. */
export interface HttpChannelSettings extends SigningKey {
  readonly baseUrl: string;
  readonly timeoutSeconds: number;
  /** In a sandbox http pages for payers are accepted too. */
  readonly allowInsecure: boolean;
}

/**
 * Payouts in a page of a list, few enough to fit into the part of an answer that is read (4 KiB), and the most pages.
 */
const PAGE = '20';
const MOST_PAGES = 5_000;
const AMOUNT = /^(0|[1-9]\d{0,13})(\.\d{1,4})?$/;

const unknown = (reason: string): PayoutAnswer => ({ kind: 'UNKNOWN', reason });

/** A text that is present and not too long. */
function textOf(texts: SignedParameters, name: string): string | null {
  const text = texts.get(name)?.slice(0, MOST);
  return text === undefined || text === '' ? null : text;
}
function amountOf(texts: SignedParameters, name: string): Money | null {
  const text = texts.get(name) ?? '';
  return AMOUNT.test(text) ? money(text) : null;
}

/** A channel's answer about a payout, if it concerns this payout. */
function payoutAnswerOf(texts: SignedParameters, asked: PayoutQuery): PayoutAnswer {
  const amount = amountOf(texts, 'amount');
  if (texts.get('reference') !== asked.reference) return unknown('the answer is about another payout');
  if (!amount?.eq(asked.amount) || texts.get('currency') !== asked.currencyCode)
    return unknown('the answer has another amount or currency');
  const channelOrderNo = textOf(texts, 'channel_order_no');
  const reason = textOf(texts, 'reason') ?? 'no reason given';
  const status = texts.get('status');
  if (status === 'refused') return { kind: 'REFUSED', reason };
  if (status === 'failed') return { kind: 'FAILED', reason, channelOrderNo };
  if (channelOrderNo === null) return unknown('the answer has no channel_order_no');
  switch (status) {
    case 'accepted':
      return { kind: 'ACCEPTED', channelOrderNo };
    case 'completed':
      return {
        kind: 'COMPLETED',
        channelOrderNo,
        bankReference: textOf(texts, 'bank_reference'),
        cost: amountOf(texts, 'cost'),
      };
    case 'returned':
      return { kind: 'RETURNED', channelOrderNo, reason };
    default:
      return unknown('the answer has an unknown status');
  }
}

/** The payouts of a page of a list; null if one is malformed, because none may be missing without notice. */
function listedIn(texts: SignedParameters): ListedPayout[] | null {
  const page: unknown = JSON.parse(texts.get('payouts') ?? 'null');
  if (!Array.isArray(page)) return null;
  const payouts: ListedPayout[] = [];
  for (const one of page as unknown[]) {
    const { reference, amount, currency, status } = (one ?? {}) as Record<string, unknown>;
    if (typeof reference !== 'string' || reference === '' || reference.length > MOST) return null;
    if (typeof amount !== 'string' || !AMOUNT.test(amount)) return null;
    if (typeof currency !== 'string' || !/^[A-Z]{3}$/.test(currency)) return null;
    if (typeof status !== 'string' || !/^[a-z_]{1,32}$/.test(status)) return null;
    payouts.push({ reference, amount: money(amount), currencyCode: currency, status });
  }
  return payouts;
}

/** The most characters of payment details. */
const MOST_INFO = 32 * 1024;

/**
 * A JSON object of an answer; undefined if it is not an object, or too long. Only our own mock channel marks its
 * output.
 */
function infoOf(value: JsonValue | undefined): JsonObject | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) return undefined;
  if (JSON.stringify(value).length > MOST_INFO) return undefined;
  const { mock: _, ...info } = value as Record<string, JsonValue>;
  return info;
}

/** The payment details from the channel; a text if they are invalid. */
function detailsOf({ texts, fields }: StrictObject, allowInsecure: boolean) {
  const paymentUrl = texts.get('payment_url') ?? null;
  if (paymentUrl !== null && (paymentUrl.length > MOST_URL || !isPaymentUrl(paymentUrl, allowInsecure)))
    return 'payment_url is not a valid address for a payer';
  const paymentInfo = infoOf(fields.get('payment_info'));
  return paymentInfo === undefined ? 'payment_info is not an object, or too long' : { paymentUrl, paymentInfo };
}

/** A channel's answer about a deposit, if it concerns this deposit. */
function depositAnswerOf(answer: StrictObject, asked: DepositQuery, allowInsecure: boolean): DepositAnswer {
  const { texts } = answer;
  const unclear = (reason: string): DepositAnswer => ({ kind: 'UNKNOWN', reason });
  if (texts.get('reference') !== asked.reference) return unclear('the answer is about another deposit');
  const status = texts.get('status');
  if (status === 'not_found') return { kind: 'NOT_FOUND' };
  const amount = amountOf(texts, 'amount');
  if (!amount?.eq(asked.amount) || texts.get('currency') !== asked.currencyCode)
    return unclear('the answer has another amount or currency');
  const reason = textOf(texts, 'reason') ?? 'no reason given';
  if (status === 'refused') return { kind: 'REFUSED', reason };
  if (status === 'failed') return { kind: 'FAILED', reason };
  const channelOrderNo = textOf(texts, 'channel_order_no');
  if (channelOrderNo === null) return unclear('the answer has no channel_order_no');
  switch (status) {
    case 'opened': {
      const details = detailsOf(answer, allowInsecure);
      return typeof details === 'string' ? unclear(details) : { kind: 'OPENED', channelOrderNo, ...details };
    }
    case 'matched':
      return { kind: 'MATCHED', channelOrderNo };
    case 'completed': {
      const paid = texts.has('paid_amount') ? amountOf(texts, 'paid_amount') : amount;
      return paid?.eq(amount)
        ? { kind: 'COMPLETED', channelOrderNo, cost: amountOf(texts, 'cost') }
        : unclear('another amount was paid');
    }
    default:
      return unclear('the answer has an unknown status');
  }
}

const REPORTS: Readonly<Record<string, ChannelMessage['reported']>> = {
  accepted: 'ACCEPTED',
  opened: 'OPENED',
  matched: 'MATCHED',
  completed: 'COMPLETED',
  failed: 'FAILED',
  returned: 'RETURNED',
};

/** A channel that speaks our own protocol over signed HTTP (docs/channels.md). */
export function httpChannel(settings: HttpChannelSettings, { post, clock }: HttpChannelDeps): Channel {
  /** Every request is a POST of JSON, so that the signature covers all of it. */
  async function ask(
    target: string,
    fields: Readonly<Record<string, JsonValue>>,
    signal: AbortSignal | undefined,
  ): Promise<CallbackAnswer> {
    const body = JSON.stringify(fields);
    const headers = signedHeaders(settings, target, body, clock());
    const url = `${settings.baseUrl.replace(/\/+$/, '')}/${target}`;
    return await post({ url, headers, body, timeoutMs: settings.timeoutSeconds * 1000 }, signal);
  }

  /** The object of an answer, or why there is none. A refusal is in the body, whatever the status. */
  function readObject(answer: CallbackAnswer): StrictObject | string {
    const problem = problemOf(answer);
    if (problem !== null || answer.kind !== 'answered') return problem ?? 'no answer';
    const parsed = parseStrictObject(answer.body);
    return 'problem' in parsed ? `HTTP ${answer.status} without JSON` : parsed;
  }
  function read(answer: CallbackAnswer): SignedParameters | string {
    const found = readObject(answer);
    return typeof found === 'string' ? found : found.texts;
  }
  const nameOf = ({ reference, amount, currencyCode }: PayoutQuery) => ({
    reference,
    amount: amount.toFixed(),
    currency: currencyCode,
  });

  return {
    async sendPayout(request, signal) {
      const answer = await ask(
        'payouts',
        {
          ...nameOf(request),
          bank_code: request.bankCode,
          bank_branch: request.bankBranch,
          beneficiary_name: request.beneficiaryName,
          beneficiary_account: request.beneficiaryAccount,
        },
        signal,
      );
      const fields = read(answer);
      if (typeof fields !== 'string') return payoutAnswerOf(fields, request);
      return isNeverSent(answer) ? { kind: 'REFUSED', reason: fields } : unknown(fields);
    },

    async queryPayout(query, signal) {
      const fields = read(await ask('payouts/query', nameOf(query), signal));
      return typeof fields === 'string' ? unknown(fields) : payoutAnswerOf(fields, query);
    },

    async findPayout(query, signal) {
      const fields = read(await ask('payouts/query', nameOf(query), signal));
      if (typeof fields === 'string') return unknown(fields);
      const isNone = fields.get('status') === 'not_found';
      return isNone && fields.get('reference') === query.reference
        ? { kind: 'NOT_FOUND' }
        : payoutAnswerOf(fields, query);
    },

    async listPayouts(since, signal) {
      const payouts: ListedPayout[] = [];
      let after: string | null = null;
      for (let page = 0; page < MOST_PAGES; page++) {
        const answer = await ask('payouts/list', { since: since.toISOString(), after, limit: PAGE }, signal);
        if (answer.kind === 'answered' && answer.status === 404) return { kind: 'NO_LIST' };
        const fields = read(answer);
        if (typeof fields === 'string') return { kind: 'UNKNOWN', reason: fields };
        const listed = listedIn(fields);
        if (listed === null) return { kind: 'UNKNOWN', reason: 'the answer is not a list of payouts' };
        payouts.push(...listed);
        after = textOf(fields, 'next');
        if (after === null) return { kind: 'LISTED', payouts };
      }
      return { kind: 'UNKNOWN', reason: `the list has more than ${MOST_PAGES} pages` };
    },

    async openDeposit(request, signal) {
      const { contact, account, expireAt } = request;
      const answer = await ask(
        'deposits',
        {
          ...nameOf(request),
          expire_at: expireAt.toISOString(),
          contact_mobile: contact.mobile,
          contact_email: contact.email,
          account: account && {
            bank_code: account.bankCode,
            account_no: account.accountNo,
            remark: account.remark,
          },
        },
        signal,
      );
      const found = readObject(answer);
      if (typeof found !== 'string') return depositAnswerOf(found, request, settings.allowInsecure);
      return { kind: isNeverSent(answer) ? 'REFUSED' : 'UNKNOWN', reason: found };
    },

    async queryDeposit(query, signal) {
      const found = readObject(await ask('deposits/query', nameOf(query), signal));
      return typeof found === 'string'
        ? { kind: 'UNKNOWN', reason: found }
        : depositAnswerOf(found, query, settings.allowInsecure);
    },

    webhookHeaders: SIGNATURE_HEADERS,
    readWebhook(webhook, now) {
      const problem = forgery(settings, webhook, now);
      if (problem !== null) return { kind: 'forged', problem };
      const text = decodeUtf8Strict(webhook.body);
      const parsed = text === undefined ? { problem: 'must be UTF-8' } : parseStrictObject(text);
      if ('problem' in parsed) return { kind: 'malformed', problem: `the body ${parsed.problem}` };
      const { texts } = parsed;
      const messageId = textOf(texts, 'message_id');
      const reference = textOf(texts, 'reference');
      const reported = REPORTS[texts.get('status') ?? ''];
      if (messageId === null || reference === null || reported === undefined)
        return { kind: 'malformed', problem: 'message_id, reference and status are required' };
      return { kind: 'message', message: { messageId, reference, reported } };
    },

    async balance(currencyCode, signal) {
      const fields = read(await ask('balance', { currency: currencyCode }, signal));
      if (typeof fields === 'string' || fields.get('currency') !== currencyCode) return null;
      return amountOf(fields, 'balance');
    },

    async health(signal) {
      const fields = read(await ask('health', {}, signal));
      if (typeof fields === 'string') return { health: 'DOWN', reason: fields };
      return fields.get('status') === 'up'
        ? { health: 'UP', reason: null }
        : {
            health: 'DOWN',
            reason: textOf(fields, 'reason') ?? 'the channel does not report that it is up',
          };
    },
  };
}
