import { accountNumberKey } from '../domain/account-number';
import { beneficiaryKey, type Subject } from '../domain/authority/day-amounts';
import { plainNumber } from '../domain/debit-match';
import { maskedText } from '../domain/personal';
import { beneficiaryAccountOf } from '../domain/sealed-for';
import { BENEFICIARY_ACCOUNT, EXACT_BENEFICIARY, LISTED_BENEFICIARY } from '../domain/search-forms';
import { blindIndex, blindIndexes } from './blind-index';
import type { Lookup } from './lookup';
import { openListed, sealIndexed, type Seals } from './personal';

/*
 * A beneficiary as counts know it: its bank, and the keyed hash of its number. What was counted before there were hashes
 * is under the number itself.
 */

/** The hash that a new order has. */
export const keyOfBeneficiary = ({ lookup }: Pick<Seals, 'lookup'>, accountNo: string): string =>
  blindIndex(lookup, BENEFICIARY_ACCOUNT, accountNo);

/** The account of a new withdrawal's beneficiary, as its row keeps it. */
export function sealBeneficiary(seals: Seals, orderNo: string, accountNo: string) {
  const { kept, index } = sealIndexed(
    seals,
    accountNo,
    beneficiaryAccountOf(orderNo),
    EXACT_BENEFICIARY,
  );
  return {
    beneficiaryAccount: kept,
    beneficiaryAccountIndex: index,
    beneficiaryAccountKey: keyOfBeneficiary(seals, accountNo),
  };
}

/** What finds the withdrawals to an account: itself in clear, or its blind index under each key of the ring. */
export const soughtAccount = (lookup: Lookup, account: string) => ({
  account,
  indexes: blindIndexes(lookup, EXACT_BENEFICIARY, account),
});

/** What a review of a withdrawal asks the database by. */
export const soughtAs = ({ sealer, lookup }: Seals, bankCode: string, accountNo: string) => ({
  countedAs: countedAs(lookup, bankCode, accountNo),
  sought: soughtAccount(lookup, accountNo),
  listedAs: blindIndexes(lookup, LISTED_BENEFICIARY, accountNo),
  open: (listed: Parameters<typeof openListed>[1]): string => openListed(sealer, listed),
});

/** Everything under which withdrawals of a day may be counted: each key of the ring, and the number. */
const countedAs = (lookup: Lookup, bankCode: string, accountNo: string): string[] =>
  [...blindIndexes(lookup, BENEFICIARY_ACCOUNT, accountNo), accountNumberKey(accountNo)].map(
    (key) => `${bankCode}:${key}`,
  );

/** Of whom an approval for a beneficiary counts on its day. */
export function subjectOfBeneficiary(seals: Seals, bankCode: string, accountNo: string): Subject {
  const inClear = beneficiaryKey(bankCode, accountNo);
  const hashes = blindIndexes(seals.lookup, BENEFICIARY_ACCOUNT, accountNo);
  return {
    subject: `${bankCode}:${keyOfBeneficiary(seals, accountNo)}`,
    also: [...hashes.map((hash) => `${bankCode}:${hash}`), inClear],
    shown: `${bankCode}:${maskedText(plainNumber(accountNo), 'NUMBER')}`,
  };
}
