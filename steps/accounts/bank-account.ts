import { type AccountLimits, type AccountMode, type AmountFloat, problemOfFloat } from '../../domain/bank-account';
import { invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals } from '../../domain/money';
import type * as db from '../../db/accounts/bank-accounts';

/** A float as asked for. */
type AskedFloat = Omit<AmountFloat, 'quarantineMinutes'> & {
  readonly quarantineMinutes?: number | null;
};

/** The float after a change. @throws INVALID_FIELD */
export function floatOf(input: AskedFloat, currencyCode: string): AmountFloat {
  const { step, up, down, quarantineMinutes } = input;
  const minutes = quarantineMinutes ?? LIMITS.quarantineMinutes.default;
  const float = { step, up, down, quarantineMinutes: minutes };
  const problem = problemOfFloat(float, currencyDecimals(currencyCode) ?? 0);
  if (problem) throw invalidField('float', problem);
  return float;
}

/** The float of an account in its mode. @throws INVALID_FIELD */
export function floatInMode(
  mode: AccountMode,
  input: AskedFloat | null | undefined,
  currencyCode: string,
): AmountFloat | null {
  if ((mode === 'FLOAT') !== Boolean(input))
    throw invalidField(
      'float',
      mode === 'FLOAT' ? 'is required' : 'is allowed only in mode FLOAT',
      mode === 'FLOAT' ? 'REQUIRED' : 'NOT_ALLOWED',
    );
  return input ? floatOf(input, currencyCode) : null;
}

/** After how many minutes without a heartbeat an account's agents count as silent. @throws INVALID_FIELD */
export function silentIn({ silentMinutes }: { silentMinutes?: number | null }): number | null | undefined {
  if (silentMinutes && (silentMinutes < 0 || silentMinutes > 1_440))
    throw invalidField('silentMinutes', 'must be 0-1440', 'OUT_OF_RANGE');
  return silentMinutes;
}

export const limitsIn = (account: AccountLimits): AccountLimits => ({
  minAmount: account.minAmount,
  maxAmount: account.maxAmount,
  maxDailyAmount: account.maxDailyAmount,
  maxMonthlyAmount: account.maxMonthlyAmount,
  maxDailyCount: account.maxDailyCount,
  maxMonthlyCount: account.maxMonthlyCount,
  maxBalance: account.maxBalance,
  maxOpenDeposits: account.maxOpenDeposits,
});

export const nameOf = ({ bankCode, accountNo }: db.BankAccountRow): string => `${bankCode} ${accountNo}`;

export function checkLength(field: string, text: string, max: number): void {
  const points = Array.from(text).length;
  if (text.trim() === '' || points > max) throw invalidField(field, `must be 1-${max} characters`, 'OUT_OF_RANGE');
}
