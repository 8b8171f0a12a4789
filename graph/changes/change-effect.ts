import type { Warrant } from '../../domain/authority/warrant';
import type { Decider, Plain, Settings } from '../../domain/change-request';
import type { Transaction } from '../../db/client';

/** The change that an effect carries out. */
export interface Applied {
  /** The change request's. */
  readonly id: string;
  readonly reason: string;
  readonly now: Date;
  readonly proposedBy: string;
  /** Who approved it; of a change that one person made, that person. */
  readonly decidedBy: string;
  /** How long what it opens waits, milliseconds. */
  readonly coolingMs: number;
  /** Whether two people are required. */
  readonly twoPeople: boolean;
  /** The leave of its step's row in the table of authority. */
  readonly warrant: Warrant;
}

/** How one kind of change is carried out. */
export interface ChangeEffect {
  /**
   * The subject as it stands, its row locked, for kinds that change what is there: a change is applied only to what it
   * was proposed against. Null where there is no such subject.
   */
  readonly basis?: (tx: Transaction, payload: Plain) => Promise<Settings | null>;
  /** Why this operator may not approve it, or null: who else it must be apart from. Asked where two people decide. */
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
