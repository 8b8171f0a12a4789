/** The options of our cookies. Scripts can read none of them. */
export interface CookieAttributes {
  readonly path: string;
  readonly maxAgeSeconds: number;
  readonly sameSite: 'Strict' | 'Lax';
  /** Sent only over https. */
  readonly secure: boolean;
}

/** The value that a Cookie header gives a name; undefined if it is absent or empty. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key = '', value = ''] = pair.trim().split('=');
    if (key === name && value !== '') return value;
  }
  return undefined;
}

/**
 * A Set-Cookie header.
 * @param value of characters that need no escape: letters, digits, `-` and `_`
 */
export const writeCookie = (
  name: string,
  value: string,
  { path, maxAgeSeconds, sameSite, secure }: CookieAttributes,
): string =>
  [
    `${name}=${value}`,
    `Path=${path}`,
    `Max-Age=${Math.floor(maxAgeSeconds)}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
    ...(secure ? ['Secure'] : []),
  ].join('; ');
