import { Resolver } from 'node:dns/promises';

/**
 * Every address of a host name, IPv4 before IPv6. Rejects when the look-up fails.
 * @param abandoned aborts when the answer is no longer needed
 */
export type Lookup = (hostname: string, abandoned: AbortSignal) => Promise<readonly string[]>;

const LOOPBACK = ['127.0.0.1', '::1'];
const LOCALHOST = /(^|\.)localhost\.?$/i;

/**
 * Queries DNS directly. The system's getaddrinfo would hold one of Node's few pool threads for as long as a receiver's
 * name server hangs; and hosts files and search domains must not resolve receivers.
 * @param servers address:port of name servers; by default those of the system
 */
export function dnsLookup(servers?: readonly string[]): Lookup {
  return async (hostname, abandoned) => {
    // RFC 6761: these names never leave the machine.
    if (LOCALHOST.test(hostname)) return LOOPBACK;
    // A new resolver each time, so that a changed resolv.conf is read.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers !== undefined) resolver.setServers(servers);
    const cancel = (): void => {
      resolver.cancel();
    };
    abandoned.addEventListener('abort', cancel);
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    abandoned.removeEventListener('abort', cancel);
    const found = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
    return found;
  };
}
