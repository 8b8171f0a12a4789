import { parseUrl } from '../../domain/url';
import { contentPolicy, PAGE_HEADERS } from '../../runtime/page-headers';

/** The logo's host, if there is one: a merchant who names no logo has a page that asks nobody else for anything. */
const logoSource = (logoUrl: string | null): string =>
  logoUrl !== null && parseUrl(logoUrl)?.protocol === 'https:' ? ` ${new URL(logoUrl).origin}` : '';

/** What a cashier page may do: run and show what comes from here, with this answer's nonce, at top level. */
export const cashierPolicy = (nonce: string, logoUrl: string | null): string =>
  contentPolicy({
    'script-src': `'nonce-${nonce}'`,
    'style-src': `'nonce-${nonce}'`,
    'img-src': `data:${logoSource(logoUrl)}`,
    'connect-src': "'self'",
    'form-action': "'self'",
  });

/** On every answer below /cashier/: the address holds the token, so no page that is left for learns it. */
export const GUARDS: Readonly<Record<string, string>> = {
  ...PAGE_HEADERS,
  'x-robots-tag': 'noindex, nofollow',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};
