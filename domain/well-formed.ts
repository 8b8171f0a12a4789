/** Neither PostgreSQL nor UTF-8 can store these. With the u flag a surrogate matches only when it is alone. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** What is wrong with a text that is not storable. */
export const MALFORMED_TEXT = 'must not contain NUL characters or lone surrogates';

/** Whether PostgreSQL and UTF-8 can store a text unchanged. */
export const isStorable = (text: string): boolean => !UNSTORABLE.test(text);

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
};

/**
 * The place of the first text that is not storable: a value, or the key of an object, at any depth.
 * @param value of JSON, not nested deeper than the stack allows
 * @returns the names on the way, a wrong key left out; undefined if there is none
 */
export function placeOfMalformed(value: unknown, place: readonly string[] = []): readonly string[] | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : place;
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && !isPlain(value)) return undefined;
  for (const [key, inside] of Object.entries(value)) {
    if (!isStorable(key)) return place;
    const found = placeOfMalformed(inside, [...place, key]);
    if (found) return found;
  }
  return undefined;
}
