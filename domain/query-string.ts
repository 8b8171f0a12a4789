import type { SignedParameters } from './signing';

/** A request line holds printable ASCII; other bytes must be percent-encoded. */
const PRINTABLE = /^[!-~]*$/;

/** Form decoding: `+` is a space, `%XX` are UTF-8 bytes. Undefined where the bytes are not UTF-8. */
function decode(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * Parses a form-encoded query string. Each key occurs at most once, because a signature covers one value a key. A key
 * without `=` has the value ""; empty pieces between `&` are skipped.
 * @param rawQuery the request line after its `?`, undecoded
 * @returns key → value, or what is wrong with the query
 */
export function parseQuery(rawQuery: string): { readonly fields: SignedParameters } | { problem: string } {
  if (!PRINTABLE.test(rawQuery)) return { problem: 'must be percent-encoded' };
  const fields = new Map<string, string>();
  for (const piece of rawQuery.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const key = decode(equals < 0 ? piece : piece.slice(0, equals));
    const value = decode(equals < 0 ? '' : piece.slice(equals + 1));
    if (key === undefined || value === undefined) return { problem: 'must be percent-encoded UTF-8' };
    if (key.includes('\0') || value.includes('\0')) return { problem: 'must not contain NUL characters' };
    if (fields.has(key)) return { problem: 'must not name a key twice' };
    fields.set(key, value);
  }
  return { fields };
}
