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
  return (request) =>
    request.socket.remoteAddress === undefined ? null : proxyAddr(request, ours);
}
