import { type AuditSigner, createAuditSigner } from '../crypto/audit-signer';
import { type CashierTokens, createCashierTokens } from '../crypto/cashier-token';
import { KeyRing } from '../crypto/key-ring';
import { createLookup, type Lookup } from '../crypto/lookup';
import { createSealer, type Sealer } from '../crypto/seal';
import type { Config } from '../config';

/** The ciphers and hashes of a process. */
export interface Secrets {
  readonly ring: KeyRing;
  readonly sealer: Sealer;
  readonly lookup: Lookup;
  readonly cashierTokens: CashierTokens;
  readonly signer: AuditSigner;
}

/** The secrets of one process, which share one ring. */
export function openSecrets({ environment, keys }: Pick<Config, 'environment' | 'keys'>): Secrets {
  const ring = new KeyRing(keys.ring);
  const { own, lookup } = keys.audit;
  return {
    ring,
    sealer: createSealer(ring),
    lookup: createLookup(ring),
    cashierTokens: createCashierTokens(ring, environment),
    // In production the look-up key does not sign the audit log, because every gateway has it.
    signer: createAuditSigner({ own, lookup: environment === 'production' ? null : lookup }),
  };
}

/**
 * The secrets of processes that write the audit log: all but gateways.
 * @throws in production without a key of its own
 */
export function requireAuditKey({ environment, keys }: Pick<Config, 'environment' | 'keys'>): void {
  if (environment === 'production' && keys.audit.own.length === 0)
    throw new Error('production requires CAUSEWAY_AUDIT_KEY: no gateway may have the key of the audit log');
}
