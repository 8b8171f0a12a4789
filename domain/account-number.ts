/**
 * A beneficiary's number in the form of account_number_key of the database: letters and digits count, in either case; a
 * number without any is as it is written.
 */
export const accountNumberKey = (accountNo: string): string =>
  accountNo
    .normalize('NFKC')
    .replace(/[^\p{Alphabetic}\p{Nd}]/gu, '')
    .toUpperCase() || accountNo;

/** The same without zeros before it, which some banks print and others do not. One of zeros alone stays. */
export const beneficiaryForm = (accountNo: string): string =>
  accountNumberKey(accountNo).replace(/^0+(?=.)/u, '');
