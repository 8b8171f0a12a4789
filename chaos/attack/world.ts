import type { Place } from './wire';

/** A merchant that may create deposits in USD without a fee, with callbacks only to https. */
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

/** The attacked platform, and what the oracle knows of it. */
export interface World {
  /** The public listener. */
  readonly gateway: Place;
  /** The operators' listener; the attack has no login there. */
  readonly graph: Place;
  /** The merchant whose requests are mutated. */
  readonly merchant: KnownMerchant;
  /** Another merchant: its key and orders must never serve the first. */
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
