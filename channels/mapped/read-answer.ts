import type { DepositAnswer } from '../../domain/channel-deposit';
import { holds } from '../../domain/mapping/conditions';
import { readAmount } from '../../domain/mapping/amounts';
import { textAt, type Values } from '../../domain/mapping/document';
import type { Condition, Mapping, MoneyFormat } from '../../domain/mapping/schema';
import { money, type Money } from '../../domain/money';
import { isPaymentUrl } from '../../domain/payment-url';
import type { PayoutAnswer } from '../../domain/payout';
import type { PayoutQuery } from '../channel';
import { MOST_TEXT, MOST_URL } from '../http-answer';

/** A provider's answer. */
export interface Answered {
  readonly http: number;
  readonly values: Values;
}

type Operations = Mapping['operations'];
type Open = NonNullable<Operations['openDeposit']>;
type QueryDeposit = NonNullable<Operations['queryDeposit']>;
type QueryPayout = NonNullable<Operations['queryPayout']>;
type Named = Pick<Open['answer'], 'reference' | 'amount' | 'currency' | 'channelOrderNo' | 'reason'>;

const short = (text: string | null): string | null => text?.slice(0, MOST_TEXT) ?? null;
const unknown = (reason: string) => ({ kind: 'UNKNOWN', reason }) as const;

/** Reads answers as a mapping says. */
export class AnswerReader {
  constructor(
    private readonly mapping: Mapping,
    private readonly allowInsecure: boolean,
  ) {}

  /** The answer to a request to open a deposit. It makes nothing final but a refusal: the query does. */
  opened(operation: Open, asked: PayoutQuery, answered: Answered): DepositAnswer {
    const taken = this.taken(operation, asked, answered);
    if (taken !== null) return taken;
    const details = this.details(operation.answer, answered.values);
    return typeof details === 'string'
      ? unknown(details)
      : {
          kind: 'OPENED',
          channelOrderNo: this.number(operation.answer, asked, answered),
          ...details,
        };
  }

  /** The answer to a request for a payout. */
  sent(operation: Open, asked: PayoutQuery, answered: Answered): PayoutAnswer {
    return (
      this.taken(operation, asked, answered) ?? {
        kind: 'ACCEPTED',
        channelOrderNo: this.number(operation.answer, asked, answered),
      }
    );
  }

  /** The state of a deposit. */
  deposit(operation: QueryDeposit, asked: PayoutQuery, answered: Answered): DepositAnswer {
    const { answer } = operation;
    if (this.any(answer.notFound, answered)) return { kind: 'NOT_FOUND' };
    const problem = this.notAbout(answer, operation.money, asked, answered);
    if (problem !== null) return unknown(problem);
    const { values } = answered;
    const channelOrderNo = this.number(answer, asked, answered);
    switch (stateOf(answer.statuses, textAt(values, answer.status))) {
      case 'opened': {
        if (answer.paymentUrl === undefined && answer.paymentInfo === undefined)
          return unknown('it is open, and a query returns no payment details');
        const details = this.details(answer, values);
        return typeof details === 'string' ? unknown(details) : { kind: 'OPENED', channelOrderNo, ...details };
      }
      case 'matched':
        return { kind: 'MATCHED', channelOrderNo };
      case 'completed': {
        const paid = textAt(values, answer.paidAmount);
        if (paid !== null && !this.amount(paid, operation.money)?.eq(asked.amount))
          return unknown('another amount was paid');
        return { kind: 'COMPLETED', channelOrderNo, ...this.cost(operation, asked, values) };
      }
      case 'failed':
        return { kind: 'FAILED', reason: this.reason(answer, values) };
      case undefined:
        return unknown('the answer has an unknown status');
    }
  }

  /** The state of a payout. */
  payout(operation: QueryPayout, asked: PayoutQuery, answered: Answered): PayoutAnswer | { kind: 'NOT_FOUND' } {
    const { answer } = operation;
    if (this.any(answer.notFound, answered)) return { kind: 'NOT_FOUND' };
    const problem = this.notAbout(answer, operation.money, asked, answered);
    if (problem !== null) return unknown(problem);
    const { values } = answered;
    const channelOrderNo = this.number(answer, asked, answered);
    const reason = this.reason(answer, values);
    switch (stateOf(answer.statuses, textAt(values, answer.status))) {
      case 'accepted':
        return { kind: 'ACCEPTED', channelOrderNo };
      case 'completed':
        return {
          kind: 'COMPLETED',
          channelOrderNo,
          bankReference: short(textAt(values, answer.bankReference)),
          ...this.cost(operation, asked, values),
        };
      case 'failed':
        return { kind: 'FAILED', reason, channelOrderNo };
      case 'returned':
        return { kind: 'RETURNED', channelOrderNo, reason };
      case undefined:
        return unknown('the answer has an unknown status');
    }
  }

  /** The balance that the provider holds for us. */
  balance(
    { answer, money: format }: NonNullable<Operations['balance']>,
    currencyCode: string,
    { values }: Answered,
  ): Money | null {
    const currency = textAt(values, answer.currency);
    if (answer.currency !== undefined && currency !== currencyCode) return null;
    return this.amount(textAt(values, answer.balance), format);
  }

  amount(text: string | null, format: MoneyFormat | undefined): Money | null {
    return readAmount(text, format ?? this.mapping.money);
  }

  any(conditions: readonly Condition[], { http, values }: Answered): boolean {
    return conditions.some((one) => holds(one, http, values));
  }

  all(conditions: readonly Condition[], { http, values }: Answered): boolean {
    return conditions.every((one) => holds(one, http, values));
  }

  /** Null if the provider accepted the request and names no other order. */
  private taken({ answer, money: format }: Open, asked: PayoutQuery, answered: Answered) {
    if (this.any(answer.refused, answered))
      return { kind: 'REFUSED', reason: this.reason(answer, answered.values) } as const;
    if (!this.all(answer.taken, answered))
      return unknown(`it does not confirm the request: ${this.reason(answer, answered.values)}`);
    const problem = this.contradiction(answer, format, asked, answered.values);
    return problem === null ? null : unknown(problem);
  }

  /** Why a query's answer proves nothing about this order, or null. */
  private notAbout(
    answer: Named & { readonly found: readonly Condition[] },
    format: MoneyFormat | undefined,
    asked: PayoutQuery,
    answered: Answered,
  ): string | null {
    const { values } = answered;
    if (!this.all(answer.found, answered)) return `it reports an error: ${this.reason(answer, values)}`;
    if (textAt(values, answer.reference) === null) return 'the answer names no order';
    if (textAt(values, answer.amount) === null) return 'the answer names no amount';
    if (answer.currency !== undefined && textAt(values, answer.currency) === null)
      return 'the answer names no currency';
    return this.contradiction(answer, format, asked, values);
  }

  /** The value in an answer that differs from the request, or null. */
  private contradiction(
    answer: Named,
    format: MoneyFormat | undefined,
    asked: PayoutQuery,
    values: Values,
  ): string | null {
    const reference = textAt(values, answer.reference);
    if (reference !== null && reference !== asked.reference) return 'the answer is about another order';
    const amount = textAt(values, answer.amount);
    if (amount !== null && !this.amount(amount, format)?.eq(asked.amount)) return 'the answer has another amount';
    const currency = textAt(values, answer.currency);
    return currency !== null && currency !== asked.currencyCode ? 'the answer has another currency' : null;
  }

  private number({ channelOrderNo }: Named, asked: PayoutQuery, { values }: Answered): string {
    return short(textAt(values, channelOrderNo)) ?? asked.reference;
  }

  private reason({ reason }: Pick<Named, 'reason'>, values: Values): string {
    return short(textAt(values, reason)) ?? 'no reason given';
  }

  /** The charge that counts; one beyond the bound is reported and not posted. */
  private cost(
    { answer, money: format }: Pick<QueryPayout, 'money'> & { readonly answer: { readonly cost?: string | undefined } },
    { amount }: PayoutQuery,
    values: Values,
  ): { readonly cost: Money | null; readonly excessiveCost?: Money } {
    const cost = this.amount(textAt(values, answer.cost), format);
    const bound = this.mapping.cost;
    if (cost === null || bound === undefined) return { cost };
    const most = amount.times(money(bound.maxPercent)).div(100).plus(money(bound.maxFixed));
    return cost.gt(most) ? { cost: null, excessiveCost: cost } : { cost };
  }

  /** The payment details from the provider; a text if they are invalid. */
  private details({ paymentUrl, paymentInfo }: Pick<Open['answer'], 'paymentUrl' | 'paymentInfo'>, values: Values) {
    const url = textAt(values, paymentUrl);
    if (url !== null && (url.length > MOST_URL || !isPaymentUrl(url, this.allowInsecure)))
      return 'it returns no valid address for a payer';
    const info = Object.entries(paymentInfo ?? {})
      .map(([name, pointer]) => [name, textAt(values, pointer)] as const)
      .filter(([, value]) => value !== null);
    return { paymentUrl: url, paymentInfo: info.length > 0 ? Object.fromEntries(info) : null };
  }
}

const stateOf = <State extends string>(
  statuses: Readonly<Record<string, State>>,
  status: string | null,
): State | undefined => (status !== null && Object.hasOwn(statuses, status) ? statuses[status] : undefined);
