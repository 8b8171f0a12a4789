import type { ReactNode } from 'react';
import { decimalsOf, formatMoney, isNegative } from '../format/money';

/** An amount with its currency. The figure can be copied as it stands. */
export function Money({
  amount,
  currency,
  signed = false,
}: {
  amount: string;
  currency: string;
  /** Shows a plus sign for incoming money. */
  signed?: boolean;
}): ReactNode {
  const figure = formatMoney(amount, decimalsOf(currency));
  return (
    <span className={isNegative(amount) ? 'money negative' : 'money'}>
      {signed && !isNegative(amount) ? '+' : ''}
      {figure}
      <span className="currency"> {currency}</span>
    </span>
  );
}
