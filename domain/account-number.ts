/**
 * A beneficiary's number in the form that lists and daily limits compare: people write one with spaces, dots and hyphens,
 * in either case, and one who wants to pass a denylist writes it as nobody would. Letters and digits count; a number
 * without any is as it is written.
 */
export const accountNumberKey = (accountNo: string): string =>
  accountNo
    .normalize('NFKC')
    .replace(/[^\p{Alphabetic}\p{Nd}]/gu, '')
    .toUpperCase() || accountNo;

/** The same without zeros before it, which some banks print and others do not. One of zeros alone stays. */
export const beneficiaryForm = (accountNo: string): string => accountNumberKey(accountNo).replace(/^0+(?=.)/u, '');
