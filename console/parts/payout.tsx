import type { ReactNode } from 'react';
import { sumOf } from '../format/money';
import { count, inWords, NO_LIMIT } from '../format/words';
import type { ReviewReason, SessionQuery } from '../generated/operations';
import { Money } from './money';
import { Facts } from './page';

/** A payout as a dialog shows it; the beneficiary may be masked. */
interface Payout {
  readonly orderNo: string;
  readonly amount: string;
  readonly currencyCode: string;
  readonly beneficiaryName: string;
  readonly beneficiaryAccount: string;
  readonly beneficiaryBankName: string;
  readonly merchant: { readonly name: string };
}

/** A payout that waits for a decision. */
export interface Waiting extends Payout {
  readonly reviewReasons: readonly ReviewReason[];
  readonly reviewRulesVersion: number | null;
}

/** What an operator may approve at most, by currency; null: any amount. */
type Limits = SessionQuery['me']['approveLimits'];

/** The findings of the review in words. */
export const reasonsInWords = (reasons: readonly ReviewReason[]): string =>
  reasons.map(inWords).join(', ') || 'No rule applies';

/** The rules of the review in words. */
export const rulesInWords = (version: number | null): string =>
  version === null ? 'none set' : `version ${String(version)}`;

/** What the operator may approve at most in a currency. */
function ownLimit(limits: Limits, currency: string): ReactNode {
  if (limits === null) return NO_LIMIT;
  const own = limits.find(({ currencyCode }) => currencyCode === currency);
  return own ? <Money amount={own.amount} currency={currency} /> : 'nothing';
}

/** Amount and beneficiary of one payout, and why it waits for a person. @param more facts that only a decision needs */
export function PayoutFacts({
  of,
  why,
  more = [],
}: {
  of: Payout;
  why: string | null;
  more?: readonly (readonly [string, ReactNode])[];
}): ReactNode {
  return (
    <Facts
      of={[
        ['Amount', <Money amount={of.amount} currency={of.currencyCode} />],
        ['To', of.beneficiaryName],
        ['Account', <span className="mono">{of.beneficiaryAccount}</span>],
        ['Bank', of.beneficiaryBankName],
        ['Merchant', of.merchant.name],
        ['Why it waits', why ?? 'No reason was recorded.'],
        ...more,
      ]}
    />
  );
}

interface Decided {
  readonly of: readonly Waiting[];
  /** Of who approves; undefined at a rejection, which has none. */
  readonly limits: Limits | undefined;
}

/** The sum per currency of several payouts, how many have findings, and each of them. */
function Sums({ of, limits }: Decided): ReactNode {
  const currencies = [...new Set(of.map(({ currencyCode }) => currencyCode))].sort();
  const found = of.filter(({ reviewReasons }) => reviewReasons.length > 0).length;
  return (
    <>
      <Facts
        of={[
          ...currencies.map((currency) => {
            const amounts = of.filter((one) => one.currencyCode === currency);
            return [
              `Sum in ${currency}`,
              <>
                <Money amount={sumOf(amounts.map(({ amount }) => amount))} currency={currency} />{' '}
                <span className="dim">in {count(amounts.length, 'withdrawal')}</span>
              </>,
            ] as const;
          }),
          ['With findings', `${String(found)} of ${String(of.length)}`],
          ...(limits === undefined
            ? []
            : currencies.map((currency) => [`Your limit each, ${currency}`, ownLimit(limits, currency)] as const)),
        ]}
      />
      <details>
        <summary>Amount, beneficiary and findings of each</summary>
        <ul className="outcomes" aria-label="Withdrawals to decide">
          {of.map((one) => (
            <li key={one.orderNo}>
              <Money amount={one.amount} currency={one.currencyCode} /> to {one.beneficiaryName},{' '}
              <span className="mono">{one.beneficiaryAccount}</span>, {one.beneficiaryBankName}
              <p className="dim">
                <span className="mono">{one.orderNo}</span>: {reasonsInWords(one.reviewReasons)}
              </p>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** What a decision is about, above its buttons: one payout, or the sums of several. */
export function ToDecide({ of, limits }: Decided): ReactNode {
  const [first, ...others] = of;
  if (!first) return null;
  if (others.length > 0) return <Sums of={of} limits={limits} />;
  return (
    <PayoutFacts
      of={first}
      why={reasonsInWords(first.reviewReasons)}
      more={[
        ['Rules', rulesInWords(first.reviewRulesVersion)],
        ...(limits === undefined ? [] : [['Your limit', ownLimit(limits, first.currencyCode)] as const]),
      ]}
    />
  );
}
