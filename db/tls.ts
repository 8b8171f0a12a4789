import { isIP } from 'node:net';
import { parseUrl } from '../domain/url';
import type { Tls } from '../runtime/tls';

/** The TLS settings of PostgreSQL. */
export interface DatabaseAddress {
  readonly url: string;
  /** False: without TLS. Null or undefined: as the URL says. */
  readonly tls?: Tls | false | null | undefined;
}

/** The driver's options for TLS. */
export function sslOf({ url, tls = null }: DatabaseAddress): { ssl?: object | false } {
  if (tls === null) return {};
  if (tls === false) return { ssl: false };
  const { ca, client, serverName } = tls;
  const host = serverName ?? ipOf(url);
  return {
    ssl: {
      ...(ca && { ca }),
      ...client,
      // The driver sets a host's name itself. For an IP address it sets none, and Node would verify "localhost".
      ...(host !== null && { host, ...(isIP(host) === 0 && { servername: host }) }),
    },
  };
}

/** The host if it is an IP address. */
function ipOf(url: string): string | null {
  const host = parseUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(host) === 0 ? null : host;
}
