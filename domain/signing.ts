/** The parameters that a request or callback signs: key → text. Keys with the value null are already dropped. */
export type SignedParameters = ReadonlyMap<string, string>;

/** In UTF-16 surrogates sort below U+E000, in UTF-8 astral characters sort above U+FFFF: lift them. */
const utf8Rank = (unit: number): number => {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
};

/**
 * Compares two well-formed texts by their UTF-8 bytes, for `sort`. On ASCII this is the contract's "plain ASCII (C
 * locale) order"; JavaScript's own order differs where astral characters meet U+E000-U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const difference = utf8Rank(a.charCodeAt(i)) - utf8Rank(b.charCodeAt(i));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Sorts the keys and joins the pairs, without copies: this runs on every request. */
function joined(keys: string[], textOf: (key: string) => string | undefined): string {
  let text = '';
  for (const key of keys.sort(compareUtf8)) text += `${text === '' ? '' : '&'}${key}=${textOf(key) ?? ''}`;
  return text;
}

/**
 * The string that a callback signs: its body's fields alone, no timestamp (contract, "Callback request"), without the
 * api key.
 */
export const callbackSigningString = (parameters: SignedParameters): string =>
  joined([...parameters.keys()], (key) => parameters.get(key));

/**
 * The string that a merchant's request signs (contract, "Authentication", steps 1 to 4), without the api key.
 * @param timestamp X-Timestamp as sent. It replaces a parameter `timestamp`; the caller checks that the two agree.
 */
export function signingString(parameters: SignedParameters, timestamp: string): string {
  const keys = [...parameters.keys()];
  if (!parameters.has('timestamp')) keys.push('timestamp');
  return joined(keys, (key) => (key === 'timestamp' ? timestamp : parameters.get(key)));
}
