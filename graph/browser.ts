import type { IncomingHttpHeaders } from 'node:http';
import { readCookie, writeCookie } from '../runtime/cookies';

/**
 * A header that scripts of our own pages send with the value 1. Pages of other sites cannot send it without our
 * leave, which nobody gets.
 */
export const CONSOLE_HEADER = 'x-causeway-console';

/** Names of this machine, which no stranger's page has as its own host. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** What keeps other sites out of an operator's browser session. */
export interface ConsoleSite {
  /** Where the console is, such as `https://ops.example.com/console`. */
  readonly url: URL;
  /** https: the cookie goes over nothing else. */
  readonly secure: boolean;
  readonly cookieName: string;
  /** Of the cookie by which a browser is known again. */
  readonly deviceCookieName: string;
}

/** @param consoleUrl https, or any on this machine's own loopback (config.ts) */
export function consoleSite(consoleUrl: string): ConsoleSite {
  const url = new URL(consoleUrl);
  const secure = url.protocol === 'https:';
  // Browsers take a name that begins with __Host- from this host alone, over https, for all its paths.
  const cookieName = secure ? '__Host-causeway' : 'causeway';
  return { url, secure, cookieName, deviceCookieName: `${cookieName}-device` };
}

/** Whether a request comes from one of our pages. Browsers set these headers; pages cannot change them. */
export function isFromOurPage(site: ConsoleSite, headers: IncomingHttpHeaders): boolean {
  const { origin, host = '' } = headers;
  if (origin === undefined) return false;
  if (origin === site.url.origin) return true;
  // On one's own machine the console is the same at localhost and at 127.0.0.1.
  return !site.secure && LOOPBACK.test(host) && origin === `http://${host}`;
}

/** The session's token in a Cookie header. */
export const tokenOfCookie = (
  { cookieName }: ConsoleSite,
  headers: IncomingHttpHeaders,
): string | undefined => readCookie(headers.cookie, cookieName);

/** A Set-Cookie header that keeps the token until then. */
export const keepCookie = (
  { cookieName, secure }: ConsoleSite,
  token: string,
  seconds: number,
): string =>
  writeCookie(cookieName, token, { path: '/', maxAgeSeconds: seconds, sameSite: 'Strict', secure });

/** A Set-Cookie header that forgets it. */
export const dropCookie = (site: ConsoleSite): string => keepCookie(site, '', 0);

/** By what the browser is known again, in a Cookie header. */
export const deviceOfCookie = (
  { deviceCookieName }: ConsoleSite,
  headers: IncomingHttpHeaders,
): string | undefined => readCookie(headers.cookie, deviceCookieName);

/** A Set-Cookie header by which the browser is known until then. It opens nothing. */
export const deviceCookie = (
  { deviceCookieName, secure }: ConsoleSite,
  device: string,
  seconds: number,
): string =>
  writeCookie(deviceCookieName, device, {
    ...({ path: '/', maxAgeSeconds: seconds, sameSite: 'Strict', secure } as const),
  });

/** The cookies of the browser that asks: its session's, and the one by which it is known again. */
export interface BrowserSession {
  /** Of the page that asks: one of ours. */
  readonly origin: string;
  readonly device: string | undefined;
  readonly know: (device: string, seconds: number) => void;
  readonly keep: (token: string, seconds: number) => void;
  readonly drop: () => void;
}

/** Where a request comes from, as far as that is known. */
export interface Origin {
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** Nowhere in particular: from within the process. */
export const INSIDE: Origin = { address: null, userAgent: null };
