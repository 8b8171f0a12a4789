/**
 * Parses a URL, or gives null where it is not valid. Not URL.canParse: after some thousand calls in Node.js 20 it
 * refuses every address with a letter such as ü.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
