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

/**
 * An address that others open, without a trailing slash.
 * @param name of the setting that it is
 * @throws where it is neither https nor loopback
 */
export function publicAddress(name: string, text: string): string {
  const url = parseUrl(text);
  const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '');
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && loopback))
    throw new Error(`${name} must be https, or http on loopback`);
  return url.href.replace(/\/+$/, '');
}
