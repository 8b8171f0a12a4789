import { beneficiaryKey, type Subject } from '../domain/authority/day-amounts';
import { plainNumber } from '../domain/debit-match';
import { maskedText } from '../domain/personal';
import { beneficiaryAccountOf } from '../domain/sealed-for';
import { BENEFICIARY_ACCOUNT, EXACT_BENEFICIARY, LISTED_BENEFICIARY } from '../domain/search-forms';
import { blindIndex, blindIndexes } from './blind-index';
import type { Lookup } from './lookup';
import { openListed, sealIndexed, type Seals } from './personal';

/* A beneficiary as counts know it: its bank, and the keyed hash of its number in any spelling. */

/** The hash that a new order has. */
export const keyOfBeneficiary = ({ lookup }: Pick<Seals, 'lookup'>, accountNo: string): string =>
  blindIndex(lookup, BENEFICIARY_ACCOUNT, accountNo);

/** The account of a new withdrawal's beneficiary, as its row keeps it. */
export function sealBeneficiary(seals: Seals, orderNo: string, accountNo: string) {
  const { kept, index } = sealIndexed(seals, accountNo, beneficiaryAccountOf(orderNo), EXACT_BENEFICIARY);
  return {
    beneficiaryAccount: kept,
    beneficiaryAccountIndex: index,
    beneficiaryAccountKey: keyOfBeneficiary(seals, accountNo),
  };
}

/** What finds the withdrawals to an account: its blind index under each key of the ring; of settlements, itself in clear. */
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

/** Everything under which withdrawals of a day may be counted: by each key of the ring. */
const countedAs = (lookup: Lookup, bankCode: string, accountNo: string): string[] =>
  blindIndexes(lookup, BENEFICIARY_ACCOUNT, accountNo).map((key) => `${bankCode}:${key}`);

/** Of whom an approval for a beneficiary counts on its day. */
export function subjectOfBeneficiary(seals: Seals, bankCode: string, accountNo: string): Subject {
  return {
    subject: `${bankCode}:${keyOfBeneficiary(seals, accountNo)}`,
    // Nothing is counted under the last, in clear: processes with other keys wait for each other by it.
    also: [...countedAs(seals.lookup, bankCode, accountNo), beneficiaryKey(bankCode, accountNo)],
    shown: `${bankCode}:${maskedText(plainNumber(accountNo), 'NUMBER')}`,
  };
}
