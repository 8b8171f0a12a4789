import type { IncomingHttpHeaders } from 'node:http';
import { readCookie, writeCookie } from '../runtime/cookies';

/**
 * A header that scripts of our own pages send with the value 1. Pages of other sites cannot send it without CORS
 * permission, which we give to none.
 */
export const CONSOLE_HEADER = 'x-causeway-console';

/** Names of this machine: no other site's page has one as its host. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Keeps other sites out of an operator's browser session. */
export interface ConsoleSite {
  /** Where the console is, such as `https://ops.example.com/console`. */
  readonly url: URL;
  /** https: the cookie is sent over nothing else. */
  readonly secure: boolean;
  readonly cookieName: string;
  /** The name of the cookie that identifies a browser used before. */
  readonly deviceCookieName: string;
}

/** @param consoleUrl https, or any on this machine's own loopback (config.ts) */
export function consoleSite(consoleUrl: string): ConsoleSite {
  const url = new URL(consoleUrl);
  const secure = url.protocol === 'https:';
  // Browsers accept a name with the prefix __Host- only from this host, over https, for all its paths.
  const cookieName = secure ? '__Host-causeway' : 'causeway';
  return { url, secure, cookieName, deviceCookieName: `${cookieName}-device` };
}

/** Whether a request comes from one of our pages. Browsers set these headers; pages cannot change them. */
export function isFromOurPage(site: ConsoleSite, headers: IncomingHttpHeaders): boolean {
  const { origin, host = '' } = headers;
  if (origin === undefined) return false;
  if (origin === site.url.origin) return true;
  // On the operator's own machine localhost and 127.0.0.1 are the same console.
  return !site.secure && LOOPBACK.test(host) && origin === `http://${host}`;
}

/** The session's token in a Cookie header. */
export const tokenOfCookie = ({ cookieName }: ConsoleSite, headers: IncomingHttpHeaders): string | undefined =>
  readCookie(headers.cookie, cookieName);

/** A Set-Cookie header that keeps the token until then. */
export const keepCookie = ({ cookieName, secure }: ConsoleSite, token: string, seconds: number): string =>
  writeCookie(cookieName, token, { path: '/', maxAgeSeconds: seconds, sameSite: 'Strict', secure });

/** A Set-Cookie header that forgets it. */
export const dropCookie = (site: ConsoleSite): string => keepCookie(site, '', 0);

/** The device token in a Cookie header, which identifies a browser used before. */
export const deviceOfCookie = ({ deviceCookieName }: ConsoleSite, headers: IncomingHttpHeaders): string | undefined =>
  readCookie(headers.cookie, deviceCookieName);

/** A Set-Cookie header that identifies the browser until then. It grants nothing. */
export const deviceCookie = ({ deviceCookieName, secure }: ConsoleSite, device: string, seconds: number): string =>
  writeCookie(deviceCookieName, device, {
    ...({ path: '/', maxAgeSeconds: seconds, sameSite: 'Strict', secure } as const),
  });
