import type { Place } from './wire';

/** A merchant that may create deposits in USD at no fee, with callbacks to https alone. */
export interface KnownMerchant {
  readonly id: string;
  readonly apiKey: string;
  /** An order of its own, made before the attack. */
  readonly order: { readonly orderNo: string; readonly merchantOrderNo: string };
}

/** A key that reports on one USD account, without ceilings. */
export interface KnownAgent {
  readonly keyId: string;
  readonly secret: string;
  readonly accountId: string;
}

/** What is under attack, and what the oracle knows of it. */
export interface World {
  /** The public listener. */
  readonly gateway: Place;
  /** The operators' listener, where nobody of the attack is logged in. */
  readonly graph: Place;
  /** Whose requests are mutated. */
  readonly merchant: KnownMerchant;
  /** Whose key and orders must never serve the other. */
  readonly stranger: KnownMerchant;
  /** A key of the first merchant that was revoked before the attack. */
  readonly revokedKey: string;
  readonly agent: KnownAgent;
  /** An agent's key for another account. */
  readonly otherAgent: KnownAgent;
  /** The platform's clock. */
  readonly now: () => Date;
  /** How many rows there are. */
  readonly count: () => Promise<{ readonly deposits: number; readonly transfers: number }>;
}
