/**
 * An address in its parts, or null for what is none. Not URL.canParse: in Node.js 20 it denies every address with a
 * letter such as ü as soon as it has been called some thousand times.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
