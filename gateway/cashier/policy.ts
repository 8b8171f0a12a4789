import { parseUrl } from '../../domain/url';

/** The logo's host, if there is one: a merchant who names no logo has a page that asks nobody else for anything. */
const logoSource = (logoUrl: string | null): string =>
  logoUrl !== null && parseUrl(logoUrl)?.protocol === 'https:' ? ` ${new URL(logoUrl).origin}` : '';

/** What a cashier page may do: run and show what comes from here, with this answer's nonce, at top level. */
export const contentPolicy = (nonce: string, logoUrl: string | null): string =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `img-src data:${logoSource(logoUrl)}`,
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** On every answer below /cashier/: the address holds the token, so no page that is left for learns it. */
export const GUARDS: Readonly<Record<string, string>> = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};
