import { type LookupFunction, isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { buildConnector } from 'undici';
import { isAddressAllowed, type TargetPolicy } from '../../domain/callback-target';
import type { Lookup } from './lookup';

/** The target's address is refused: no socket was opened to it. */
export class BlockedTargetError extends Error {
  override readonly name = 'BlockedTargetError';
  readonly code = 'CALLBACK_TARGET_BLOCKED';
}

/** The host name has no address, or the look-up failed. */
export class LookupError extends Error {
  override readonly name = 'LookupError';
  readonly code = 'CALLBACK_LOOKUP_FAILED';
}

export interface ConnectorOptions {
  /** Verify the receiver's certificate and name (setting webhook_ssl_verify). */
  readonly verifyTls: boolean;
  readonly lookup: Lookup;
  /** Certificate authorities to trust besides the public ones, PEM. */
  readonly ca: readonly string[];
}

/**
 * Opens sockets only to permitted addresses. The check sits between the socket's own name look-up and its connect, so
 * the checked address is the connected one. One refused address refuses the name: a public name that also points inside
 * is an attack or a mistake.
 * @param life ends every socket of this connector, even while it is still connecting
 */
export function guardedConnector(
  { verifyTls, lookup, ca }: ConnectorOptions,
  policy: Pick<TargetPolicy, 'allowInsecure'>,
  life: AbortSignal,
): buildConnector.connector {
  const connect = buildConnector({
    lookup: guardedLookup(async (host) => await lookup(host, life), policy),
    signal: life,
    // Explicit: otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 would switch it off.
    rejectUnauthorized: verifyTls,
    ...(ca.length > 0 && { ca: [...rootCertificates, ...ca] }),
    autoSelectFamily: true,
    // A resumed TLS session would not show its certificate again.
    maxCachedSessions: 0,
    // The attempt's own deadline covers connecting.
    timeout: 0,
  });
  return (options, callback) => {
    // A socket looks up no literal address.
    if (isIP(options.hostname) !== 0 && !isAddressAllowed(options.hostname, policy)) {
      callback(new BlockedTargetError(`address ${options.hostname} is refused`), null);
    } else {
      connect(options, callback);
    }
  };
}

function guardedLookup(
  lookup: (hostname: string) => Promise<readonly string[]>,
  policy: Pick<TargetPolicy, 'allowInsecure'>,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname).then(
      (found) => {
        const [first] = found;
        const refused = found.find((address) => !isAddressAllowed(address, policy));
        if (first === undefined) {
          callback(new LookupError(`${hostname} has no address`), []);
        } else if (refused !== undefined) {
          callback(new BlockedTargetError(`${hostname} resolves to ${refused}`), []);
        } else if (options.all === true) {
          callback(
            null,
            found.map((address) => ({ address, family: isIP(address) })),
          );
        } else {
          callback(null, first, isIP(first));
        }
      },
      (error: unknown) => {
        const code = (error as { code?: string } | null)?.code ?? 'lookup failed';
        callback(new LookupError(`${hostname}: ${code}`), []);
      },
    );
  };
}
