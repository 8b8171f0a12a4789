import type { BankAccountRow } from '../../db/accounts/bank-accounts';

/** A managed account as bookkeeping names it: its bank and number. */
export const managedAccount = (
  account: Pick<BankAccountRow, 'bankCode' | 'accountNo'> | undefined,
): string | undefined => account && `${account.bankCode} ${account.accountNo}`;
