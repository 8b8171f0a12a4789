import type { SearchForm } from '../domain/search-forms';
import type { Lookup } from './lookup';

/** Half of a hash: 128 bits still tell all values apart, and each index entry is shorter. */
const CHARACTERS = 32;

const shortened = (hash: string): string => hash.slice(0, hash.indexOf('.') + 1 + CHARACTERS);
const named = ({ name, of }: SearchForm, value: string): string => `${name}:${of(value)}`;

/**
 * What a sealed value is found by: a keyed hash of its form under the current key, `<key id>.<32 hexadecimal
 * characters>`, without the id under the key from before the ring. It tells which rows have one value, and no more.
 */
export const blindIndex = (lookup: Lookup, form: SearchForm, value: string): string =>
  shortened(lookup(named(form, value)));

/** The same under each key of the ring: rows that `keys:rotate` has not come to yet have one of an older key. */
export const blindIndexes = (lookup: Lookup, form: SearchForm, value: string): string[] =>
  lookup.all(named(form, value)).map(shortened);
