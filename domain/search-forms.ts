import { accountNumberKey, beneficiaryForm } from './account-number';

/*
 * The forms in which sealed values are searched. Two values that a search takes for the same have one form; each is its
 * own form, so a search may begin with either.
 */

/** How the values of a column are compared. */
export interface SearchForm {
  /** Keeps blind indexes apart: one value has another index in each column. It never changes. */
  readonly name: string;
  /** Any text, also one that no search looks for, has a form. */
  readonly of: (value: string) => string;
}

/** Only the letters A to Z are folded, and spaces cut: an address is any text. */
export const PAYER_EMAIL: SearchForm = {
  name: 'payer_email',
  of: (email) => email.replace(/^ +| +$/g, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
};

/** Its digits. */
export const PAYER_MOBILE: SearchForm = {
  name: 'payer_mobile',
  of: (mobile) => mobile.replace(/[^0-9]/g, ''),
};

/** Its letters and digits without leading zeros. */
export const PAYER_ACCOUNT: SearchForm = {
  name: 'payer_account',
  of: (account) =>
    account
      .normalize('NFKC')
      .replace(/[^A-Za-z0-9]/g, '')
      .toUpperCase()
      .replace(/^0+/, ''),
};

/** The account of a credit as the bank prints it, and that to which a rule sends it back: the proof compares both. */
export const CREDIT_ACCOUNT: SearchForm = {
  name: 'credit_account',
  of: (account) => account.trim(),
};

/** Cards as JSON: each with its fields in order, as the database compares them. */
export const PAYER_CARDS: SearchForm = {
  name: 'payer_bank_cards',
  of: (json) => {
    const cards = JSON.parse(json) as readonly Readonly<Record<string, string>>[];
    const inOrder = cards.map((card) => Object.entries(card).sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
    return JSON.stringify(inOrder.map((fields) => Object.fromEntries(fields)));
  },
};

/** A beneficiary's number, in any spelling, as it is counted. */
export const BENEFICIARY_ACCOUNT: SearchForm = { name: 'beneficiary_account', of: beneficiaryForm };

/** The number of a beneficiary on a list, in any spelling. */
export const LISTED_BENEFICIARY: SearchForm = { name: 'listed_beneficiary', of: accountNumberKey };

/** A beneficiary's number exactly as the merchant wrote it. */
export const EXACT_BENEFICIARY: SearchForm = { name: 'exact_beneficiary', of: (value) => value };
