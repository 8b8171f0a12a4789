import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** The client's address of a request; null once the connection is gone. */
export type AddressOf = (request: IncomingMessage) => string | null;

/**
 * Reads from X-Forwarded-For only what our own proxies wrote; anybody can write the rest.
 * @param proxies our addresses and networks, such as 10.0.0.0/8; with none, the peer of the connection counts
 * @throws TypeError for an invalid address
 */
export function addressBehind(proxies: readonly string[]): AddressOf {
  const ours = proxyAddr.compile([...proxies]);
  return (request) => (request.socket.remoteAddress === undefined ? null : proxyAddr(request, ours));
}

/** Of each: an address in every /8 of IPv4, and in every /11 of the IPv6 that is given out (2000::/3). */
const EVERYWHERE = [
  Array.from({ length: 256 }, (_, n) => `${n}.113.57.19`),
  Array.from({ length: 256 }, (_, n) => `${(0x2000 + 32 * n).toString(16)}:113:57::19`),
];
/** So many of them are a sixteenth of the internet: no proxies of anybody. */
const STRANGERS = 16;

/**
 * Whether these networks are so wide that clients are among them, each of which could then write any address of its own.
 * @throws TypeError for an invalid address, or a network of all addresses
 */
export function trustsStrangers(proxies: readonly string[]): boolean {
  const ours = proxyAddr.compile([...proxies]);
  return EVERYWHERE.some((all) => all.filter((one) => ours(one, 0)).length >= STRANGERS);
}

/** The networks of a setting. */
export const proxiesOf = (setting: string | undefined): string[] =>
  (setting?.split(',') ?? []).map((proxy) => proxy.trim());
