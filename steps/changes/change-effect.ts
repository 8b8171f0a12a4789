import type { Seals } from '../../crypto/personal';
import type { Warrant } from '../../domain/authority/warrant';
import type { Decider, Plain, Settings } from '../../domain/change-request';
import type { Transaction } from '../../db/client';

/** The change that an effect applies. */
export interface Applied {
  /** The change request's id. */
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
  readonly proposedBy: string;
  /** Who approved it; for a change by one person, that person. */
  readonly decidedBy: string;
  /** The cooling period of what it opens, milliseconds. */
  readonly coolingMs: number;
  /** Whether two people are required. */
  readonly twoPeople: boolean;
  /** The warrant of its step, by the authority table. */
  readonly warrant: Warrant;
  /** Seals and opens what rows say of people. */
  readonly seals: Seals;
}

/** How one kind of change is applied. */
export interface ChangeEffect {
  /**
   * The present state of the subject, its row locked, for kinds that change an existing subject: a change is applied
   * only to the state that it was proposed for. Null if the subject does not exist.
   */
  readonly basis?: (tx: Transaction, payload: Plain) => Promise<Settings | null>;
  /**
   * Why this operator may not approve it, or null, such as for who entered the bank row. Called if two people decide.
   */
  readonly apart?: (tx: Transaction, payload: Plain, decider: Decider) => Promise<string | null>;
  /** Applies it. @throws the refusal of the change */
  readonly apply: (tx: Transaction, payload: Plain, applied: Applied) => Promise<void>;
}

/** An effect with the payload type of its own proposals. */
export const effect = <Payload extends Plain>(typed: {
  readonly basis?: (tx: Transaction, payload: Payload) => Promise<Settings | null>;
  readonly apart?: (tx: Transaction, payload: Payload, decider: Decider) => Promise<string | null>;
  readonly apply: (tx: Transaction, payload: Payload, applied: Applied) => Promise<void>;
}): ChangeEffect => typed as ChangeEffect;
