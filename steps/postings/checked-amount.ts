import { invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, type Money } from '../../domain/money';

/** @throws INVALID_FIELD for an amount that the currency does not have, or that is too large */
export function checkedAmount(amount: Money, currencyCode: string, signed = false): Money {
  const decimals = currencyDecimals(currencyCode);
  if (decimals === undefined)
    throw invalidField('currencyCode', `${currencyCode} is not an ISO 4217 currency`, 'UNKNOWN_VALUE');
  if (signed ? amount.isZero() : !amount.gt(0))
    throw invalidField('amount', signed ? 'must not be zero' : 'must be greater than 0', 'OUT_OF_RANGE');
  if (amount.decimalPlaces() > decimals)
    throw invalidField('amount', `must have at most ${decimals} decimal places`, 'OUT_OF_RANGE');
  if (amount.trunc().abs().toFixed().length > LIMITS.amountIntegerDigits)
    throw invalidField('amount', `must have at most ${LIMITS.amountIntegerDigits} integer digits`, 'OUT_OF_RANGE');
  return amount;
}
