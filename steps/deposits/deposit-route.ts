import { invalidField } from '../../domain/errors';
import { currencyDecimals, type Money, parseAmount } from '../../domain/money';

/** The requested amount of a deposit. @throws INVALID_FIELD */
export function askedAmount(asked: Money, currencyCode: string): Money {
  const amount = parseAmount(asked.toFixed(), currencyDecimals(currencyCode) ?? 4);
  if ('problem' in amount) throw invalidField('amount', amount.problem);
  return amount;
}

/** Why a candidate does not take the order. A candidate that is not planned is not in the rule. */
export const refusalOf = (reasons: ReadonlyMap<string, string | null>, id: string): string | null => {
  const reason = reasons.get(id);
  return reason === undefined ? 'NOT_IN_RULE' : reason;
};
