import { parseUrl } from '../../domain/url';
import { contentPolicy, PAGE_HEADERS } from '../../runtime/page-headers';

/** The logo's origin, the only other host that a page may contact. */
const logoSource = (logoUrl: string | null): string =>
  logoUrl !== null && parseUrl(logoUrl)?.protocol === 'https:' ? ` ${new URL(logoUrl).origin}` : '';

/** The Content-Security-Policy: own content with this answer's nonce, never framed. */
export const cashierPolicy = (nonce: string, logoUrl: string | null): string =>
  contentPolicy({
    'script-src': `'nonce-${nonce}'`,
    'style-src': `'nonce-${nonce}'`,
    'img-src': `data:${logoSource(logoUrl)}`,
    'connect-src': "'self'",
    'form-action': "'self'",
  });

/** On every answer below /cashier/: the address holds the token, which must not leak as a referrer. */
export const GUARDS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'x-robots-tag': 'noindex, nofollow',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};
