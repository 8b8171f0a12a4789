import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** Whose address a request comes from; null once the connection is gone. */
export type AddressOf = (request: IncomingMessage) => string | null;

/**
 * Reads X-Forwarded-For as far as proxies of ours wrote it: what others write there proves nothing.
 * @param proxies addresses and networks of ours, such as 10.0.0.0/8; with none the other end of the connection counts
 * @throws TypeError for what is no address
 */
export function addressBehind(proxies: readonly string[]): AddressOf {
  const ours = proxyAddr.compile([...proxies]);
  return (request) =>
    request.socket.remoteAddress === undefined ? null : proxyAddr(request, ours);
}
