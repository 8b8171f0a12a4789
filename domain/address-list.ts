import ipaddr from 'ipaddr.js';

type Network = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Parses a network; an address is a network of one. Undefined if the text is neither. */
function networkOf(text: string): Network | undefined {
  const slash = text.indexOf('/');
  const address = slash < 0 ? text : text.slice(0, slash);
  const isPlain = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  if (!isPlain || address.includes('%')) return undefined;
  try {
    if (slash >= 0) return ipaddr.parseCIDR(text);
  } catch {
    return undefined;
  }
  const alone = ipaddr.parse(address);
  return [alone, alone.kind() === 'ipv4' ? 32 : 128];
}

/** Whether a text is an IP address or a network in CIDR notation. */
export const isNetwork = (text: string): boolean => networkOf(text) !== undefined;

/**
 * Whether an address is one of these, or in one of these networks.
 * @param address of the client; an IPv4 address may be written as IPv6
 */
export function isListed(address: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const client = ipaddr.process(address);
  return networks.some((text) => {
    const network = networkOf(text);
    return network?.[0].kind() === client.kind() && client.match(network[0], network[1]);
  });
}
