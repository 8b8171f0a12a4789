import { invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { isMasked } from '../../domain/personal';

/** Where money goes back to. */
export interface Payee {
  readonly name: string;
  readonly account: string;
  readonly bank?: string | null | undefined;
}

/** The payee of a return, as it is stored. @throws INVALID_FIELD if money cannot be sent there */
export function checkedPayee({ name, account, bank }: Payee): {
  readonly payeeName: string;
  readonly payeeAccount: string;
  readonly payeeBank: string | null;
} {
  const [payeeName, payeeAccount] = [name.trim(), account.trim()];
  if (payeeName === '' || payeeName.length > LIMITS.beneficiaryName)
    throw invalidField('payee.name', `must have 1-${LIMITS.beneficiaryName} characters`);
  if (payeeAccount === '' || payeeAccount.length > LIMITS.beneficiaryAccount)
    throw invalidField('payee.account', `must have 1-${LIMITS.beneficiaryAccount} characters`);
  if (isMasked(payeeName) || isMasked(payeeAccount)) throw invalidField('payee', 'is masked: reveal the payer first');
  return { payeeName, payeeAccount, payeeBank: bank?.trim() || null };
}
