import { isIP } from 'node:net';
import { parseUrl } from '../domain/url';
import type { Tls } from '../runtime/tls';

/** How PostgreSQL is reached. */
export interface DatabaseAddress {
  readonly url: string;
  /** False: without TLS. Null or nothing: as the URL says. */
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
      // The driver gives a host's name itself. Without one, of an address in numbers, Node would ask for "localhost".
      ...(host !== null && { host, ...(isIP(host) === 0 && { servername: host }) }),
    },
  };
}

/** The host where it is an address in numbers. */
function ipOf(url: string): string | null {
  const host = parseUrl(url)?.hostname.replace(/^\[|\]$/g, '') ?? '';
  return isIP(host) === 0 ? null : host;
}
