import type { Permission } from '../permissions';

/** Whose day's amounts a step counts against. */
export type Counter = 'MATCHER' | 'APPROVER' | 'MERCHANT' | 'BENEFICIARY';

/**
 * How many people a step takes. TWO: one proposes, another approves. TWO_UNLESS_CLOSING: one person alone where it only
 * takes away. ONE_BY_RULE: one person where the machine's rule would allow it, else two. SECOND: who takes it is the
 * second person of what somebody else started. ONE: it moves nothing that another step does not have to allow.
 */
export type People = 'TWO' | 'TWO_UNLESS_CLOSING' | 'ONE_BY_RULE' | 'SECOND' | 'ONE';

/**
 * What waits for the cooling period after a step. PEOPLE: who opened the way approves no withdrawal that may go it.
 * WITHDRAWALS: besides, none is approved by rules alone. OPERATOR: the operator who got new powers decides nothing.
 */
export type Cools = 'PEOPLE' | 'WITHDRAWALS' | 'OPERATOR';

/** A step that moves money or opens a way to it. */
export interface MoneyStep {
  /** The permissions that allow to take it: one of them is enough. */
  readonly power: readonly Permission[];
  /** The permission of the second person; null where there is none. */
  readonly decides: Permission | null;
  readonly people: People;
  /** What must speak for it: nothing, a reason in words, evidence, or a row that a bank's side reported. */
  readonly evidence: 'NONE' | 'REASON' | 'EVIDENCE' | 'BANK';
  readonly counts: readonly Counter[];
  readonly cools: Cools | null;
  /** Who may not take it, beside the proposer of what is approved, in words. */
  readonly apart: readonly string[];
  /** FRESH: whoever has a second factor has shown it within five minutes (fresh-factor.ts). */
  readonly factor: 'FRESH' | 'SESSION';
  /** The fields that an approver is shown even where they are not set. */
  readonly shows: readonly string[];
}
