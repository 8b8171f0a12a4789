import { parseUrl } from './url';
import ipaddr from 'ipaddr.js';
import { LIMITS } from './limits';

/** Where a merchant's callbacks may go. */
export interface TargetPolicy {
  /** Allows `http:` and loopback. A merchant setting, off by default and refused in production. */
  readonly allowInsecure: boolean;
  /** The only hosts that may be called, exact names without port; null: any host. */
  readonly allowedHosts: readonly string[] | null;
  /** False accepts any certificate. A merchant setting, true by default and always in production. */
  readonly verifyTls?: boolean;
}

/** Why a text is not a valid callback URL, for people. */
export const CALLBACK_URL_PROBLEMS = {
  url_length: `must be 1-${LIMITS.callbackUrl} characters`,
  url_malformed: 'must be an absolute URL with a host',
  url_scheme: 'must be an HTTPS URL',
  url_userinfo: 'must not carry a user name or password',
  url_host: 'must name a host that DNS can resolve, and a port other than 0',
} as const;
/** A key of CALLBACK_URL_PROBLEMS. */
export type CallbackUrlProblem = keyof typeof CALLBACK_URL_PROBLEMS;

const AUTHORITY = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]+)/i;

/** Characters that URL parsers drop or interpret differently: spaces, control characters, backslashes. */
const AMBIGUOUS = /[\s\p{Cc}\\]/u;

/**
 * Whether a text may be stored as `callback_url` (contract, "POST /orders/deposit": HTTPS, 1-500 code points). Any port
 * is allowed. A fragment is accepted and, as in all of HTTP, never sent. Addresses are checked later: what a name
 * resolves to is known only when the socket connects.
 */
export function checkCallbackUrl(
  text: string,
  { allowInsecure }: Pick<TargetPolicy, 'allowInsecure'>,
): 'ok' | CallbackUrlProblem {
  const length = Array.from(text).length;
  if (length < 1 || length > LIMITS.callbackUrl) return 'url_length';
  const [, scheme, authority] = AUTHORITY.exec(text) ?? [];
  if (scheme === undefined || authority === undefined) return 'url_malformed';
  if (AMBIGUOUS.test(text) || parseUrl(text) === null) return 'url_malformed';
  const secure = scheme.toLowerCase() === 'https';
  if (!secure && !(allowInsecure && scheme.toLowerCase() === 'http')) return 'url_scheme';
  if (authority.includes('@')) return 'url_userinfo';
  return isNameable(text, authority) ? 'ok' : 'url_host';
}

/** What DNS allows (RFC 1035): labels of 1 to 63 characters, 253 in all; one dot may end the name. */
const DNS_NAME = /^(?=.{1,254}$)([^.]{1,63}\.)*[^.]{1,63}\.?$/;

/** Whether any resolver could name the host. Escapes are for paths: parsers disagree on what they mean in a host. */
function isNameable(text: string, authority: string): boolean {
  const url = parseUrl(text);
  if (url === null || url.port === '0' || authority.includes('%')) return false;
  return url.hostname.startsWith('[') || DNS_NAME.test(url.hostname);
}

const bareHost = (host: string): string => host.toLowerCase().replace(/\.$/, '');

/**
 * Whether the merchant's allowlist names this host. Exact names: no wildcards, no subdomains.
 * @param hostname as a parsed URL gives it: lower case, punycode, IPv6 in brackets
 */
export function isHostAllowed(hostname: string, { allowedHosts }: Pick<TargetPolicy, 'allowedHosts'>): boolean {
  return allowedHosts?.some((allowed) => bareHost(allowed) === bareHost(hostname)) ?? true;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/**
 * Accepts only the spellings that sockets and resolvers produce: no octal, hexadecimal or short forms, and no zone id.
 */
function parseAddress(ip: string): Address | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(ip)) return ipaddr.IPv4.parse(ip);
  if (!ip.includes(':') || ip.includes('%') || !ipaddr.IPv6.isValid(ip)) return null;
  return ipaddr.IPv6.parse(ip);
}

/** Azure serves its virtual machines' metadata here, although the address is public by its number. */
const AZURE_METADATA = '168.63.129.16';

/** The range that IANA assigned to global unicast. Mapped, compatible and NAT64 addresses lie outside it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is plain global unicast, the only kind that a callback may reach. Not public are private,
 * loopback, link-local, metadata, shared (CGNAT), multicast, reserved, documentation and benchmark ranges, every IPv6
 * form that carries an IPv4 address, and text that is not an address.
 */
export function isPublicAddress(ip: string): boolean {
  const address = parseAddress(ip);
  if (address === null || address.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' ? ip !== AZURE_METADATA : address.match(GLOBAL_UNICAST);
}

/** Whether a socket may connect to this address: a public one or, with `allowInsecure`, loopback. */
export function isAddressAllowed(ip: string, { allowInsecure }: Pick<TargetPolicy, 'allowInsecure'>): boolean {
  return isPublicAddress(ip) || (allowInsecure && parseAddress(ip)?.range() === 'loopback');
}
