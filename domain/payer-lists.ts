import { accountKey, nameKey } from './payer';
import { PAYER_ACCOUNT, PAYER_EMAIL, PAYER_MOBILE, type SearchForm } from './search-forms';

/*
 * Payers that are known to be good, bad, or worth a look, over all merchants or of one. What closes (DENY, WATCH) is
 * found wherever a bank is not known; what opens (ALLOW) only where all is.
 */

/** What an entry does. Of several that fit the first counts. */
export const PAYER_LISTS = ['DENY', 'WATCH', 'ALLOW'] as const;
/** One of PAYER_LISTS. */
export type PayerList = (typeof PAYER_LISTS)[number];

/** By what a payer is listed, or counted. The contract has no more of payers than these. */
export const PAYER_TRAITS = ['NAME', 'ACCOUNT', 'USER', 'EMAIL', 'MOBILE'] as const;
/** One of PAYER_TRAITS. */
export type PayerTrait = (typeof PAYER_TRAITS)[number];

/** Traits in words. */
export const TRAIT_WORDS: Readonly<Record<PayerTrait, string>> = {
  NAME: 'name',
  ACCOUNT: 'account',
  USER: 'user',
  EMAIL: 'e-mail address',
  MOBILE: 'mobile number',
};

const FEWEST_DIGITS = 5;
const mobileKey = (mobile: string): string | null => {
  const digits = PAYER_MOBILE.of(mobile);
  return digits.length < FEWEST_DIGITS ? null : digits;
};

/** A trait as lists and counts compare it; null where it tells nothing that could be compared. */
export function traitKey(trait: PayerTrait, text: string | null): string | null {
  if (text === null) return null;
  switch (trait) {
    case 'NAME':
      return nameKey(text);
    case 'ACCOUNT':
      return accountKey(text);
    case 'USER':
      return text || null;
    case 'EMAIL':
      return PAYER_EMAIL.of(text) || null;
    case 'MOBILE':
      return mobileKey(text);
  }
}

/** How orders with a trait are found, where it is sealed. The key of a trait is in its form. */
export const TRAIT_FORMS: Readonly<Partial<Record<PayerTrait, SearchForm>>> = {
  ACCOUNT: PAYER_ACCOUNT,
  EMAIL: PAYER_EMAIL,
  MOBILE: PAYER_MOBILE,
};

/** How the value of an entry is found, by its trait: each list's look-up begins with a key. */
export const LISTED_FORMS = Object.fromEntries(
  PAYER_TRAITS.map((trait): [PayerTrait, SearchForm] => [
    trait,
    { name: `listed_payer_${trait.toLowerCase()}`, of: (value) => traitKey(trait, value) ?? '' },
  ]),
) as Readonly<Record<PayerTrait, SearchForm>>;

/** A trait of a payer with its key. */
export interface KnownTrait {
  readonly trait: PayerTrait;
  readonly key: string;
}

/** What is said of a payer, in full. */
export type SaidTraits = Readonly<Partial<Record<PayerTrait, string | null | undefined>>>;

/** What of it can be looked up. */
export const traitsOf = (said: SaidTraits): KnownTrait[] =>
  PAYER_TRAITS.flatMap((trait) => {
    const key = traitKey(trait, said[trait] ?? null);
    return key === null ? [] : [{ trait, key }];
  });

/** An entry of a list. */
export interface PayerEntry extends KnownTrait {
  readonly list: PayerList;
  /** The entry counts for this merchant alone; null: for all. */
  readonly merchantId: string | null;
  /** Of an account: at this bank alone; null: at any. */
  readonly bankCode: string | null;
  readonly reason: string;
  /** From then on it counts no more; null: it stays. */
  readonly expiresAt: Date | null;
}

/** Of whom entries are asked: a payer at a merchant. */
export interface ListedCase {
  readonly merchantId: string;
  readonly traits: readonly KnownTrait[];
  /** Of the payer's account; null where nobody said. */
  readonly bankCode: string | null;
  readonly now: Date;
}

const fits = (entry: PayerEntry, { merchantId, traits, bankCode, now }: ListedCase): boolean =>
  (entry.expiresAt === null || entry.expiresAt.getTime() > now.getTime()) &&
  (entry.merchantId === null || entry.merchantId === merchantId) &&
  traits.some(({ trait, key }) => trait === entry.trait && key === entry.key) &&
  (entry.bankCode === null || entry.bankCode === bankCode || (bankCode === null && entry.list !== 'ALLOW'));

/** The entry that counts for a payer: of those that fit the most careful one, and of these the first given. */
export function entryFor<Entry extends PayerEntry>(entries: readonly Entry[], of: ListedCase): Entry | null {
  const fitting = entries.filter((entry) => fits(entry, of));
  for (const list of PAYER_LISTS) {
    const found = fitting.find((entry) => entry.list === list);
    if (found) return found;
  }
  return null;
}

const LIST_WORDS: Readonly<Record<PayerList, string>> = {
  DENY: 'denylist',
  WATCH: 'watchlist',
  ALLOW: 'allowlist',
};

/** An entry as a finding. */
export const entryWords = ({ list, trait, reason }: PayerEntry): string =>
  `the payer’s ${TRAIT_WORDS[trait]} is on the ${LIST_WORDS[list]}: ${reason}`;
