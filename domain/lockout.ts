import ipaddr from 'ipaddr.js';

/**
 * How long a login is locked, for one network or one known device, after this many failures in a row; seconds, and the
 * last value holds for all that follow. An unknown login is locked alike, so that the delay reveals nothing.
 */
export const LOGIN_DELAYS = [0, 0, 0, 0, 30, 60, 120, 240, 480, 900] as const;

/** The same for a network over all logins: many people may share it, so it allows more and never locks for long. */
export const NETWORK_DELAYS: readonly number[] = [...Array<number>(49).fill(0), 60];

/**
 * The same for a login over all networks. Long enough that many machines together can guess only some thousand
 * passwords a day, and short enough not to lock out a person at a new device.
 */
export const EVERYWHERE_DELAYS: readonly number[] = [...Array<number>(99).fill(0), 15];

/** Failures older than this no longer count, hours. */
export const FAILURES_FORGOTTEN_HOURS = 24;

/** How long a browser that has logged in stays known, days; each login renews its cookie. */
export const DEVICE_KNOWN_DAYS = 180;

const IPV6_NETWORK_PARTS = 4;

/**
 * The network by which failures are counted: an IPv4 address, or the /64 of an IPv6 address, which usually belongs to
 * one person.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return parsed.parts
    .slice(0, IPV6_NETWORK_PARTS)
    .map((part) => part.toString(16))
    .join(':');
}
