import { type KnownTrait, LISTED_FORMS, type PayerTrait } from '../domain/payer-lists';
import { listedPayerOf } from '../domain/sealed-for';
import { blindIndexes } from './blind-index';
import type { Lookup } from './lookup';
import { type KeptIndexed, openPersonal, sealIndexed, type Seals } from './personal';
import type { Sealer } from './seal';

/** A trait with all keys that entries about it may have: its blind index under each key of the ring. */
interface SoughtTrait extends KnownTrait {
  readonly keys: readonly string[];
}

/** What entries about a payer are found by. */
export const soughtTrait = (lookup: Lookup, { trait, key }: KnownTrait): SoughtTrait => {
  const { name } = LISTED_FORMS[trait];
  return { trait, key, keys: blindIndexes(lookup, { name, of: (same) => same }, key) };
};

/** The value of an entry as its row keeps it. */
export const sealListedPayer = (
  seals: Seals,
  { id, trait, value }: { readonly id: string; readonly trait: PayerTrait; readonly value: string },
): KeptIndexed => sealIndexed(seals, value, listedPayerOf(id), LISTED_FORMS[trait]);

/** The value of an entry in clear. @throws Error if it is sealed and does not open */
export const openListedPayer = (
  sealer: Sealer,
  { id, value }: { readonly id: string; readonly value: string },
): string => openPersonal(sealer, value, listedPayerOf(id));
