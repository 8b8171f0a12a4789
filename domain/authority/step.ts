import type { AlertKind } from '../alert';
import type { Permission } from '../permissions';

/** The counters of day's amounts that a step uses. */
export type Counter = 'MATCHER' | 'APPROVER' | 'MERCHANT' | 'BENEFICIARY';

/**
 * How many people a step needs. TWO: one proposes, another approves. TWO_UNLESS_CLOSING: one person alone if it only
 * removes permissions or limits. ONE_BY_RULE: one person if the automatic rule would allow it, else two. SECOND: it is
 * the second person's step in what another started. ONE: it moves nothing that another step does not have to allow.
 */
export type People = 'TWO' | 'TWO_UNLESS_CLOSING' | 'ONE_BY_RULE' | 'SECOND' | 'ONE';

/**
 * What a step's cooling period blocks. PEOPLE: those who opened a way for money may not approve withdrawals that may
 * use it. WITHDRAWALS: also, no withdrawal is approved by rules alone. OPERATOR: an operator with new permissions may
 * not decide.
 */
export type Cools = 'PEOPLE' | 'WITHDRAWALS' | 'OPERATOR';

/** Alerts about who may do what, and what stops them. */
export type SecurityAlert = Extract<
  AlertKind,
  'POWERS_GRANTED' | 'NEW_KEY' | 'NEW_API_TOKEN' | 'SECOND_FACTOR_CHANGED' | 'SAFEGUARD_CHANGED'
>;

/** A step that moves money, or opens a way for it. */
export interface MoneyStep {
  /** The permissions that allow it: one of them is enough. */
  readonly power: readonly Permission[];
  /** The permission of the second person; null if there is none. */
  readonly decides: Permission | null;
  readonly people: People;
  /** What it must be based on: nothing, a written reason, evidence, or a row that a bank's side reported. */
  readonly evidence: 'NONE' | 'REASON' | 'EVIDENCE' | 'BANK';
  readonly counts: readonly Counter[];
  readonly cools: Cools | null;
  /** Who may not do it, besides the proposer of what is approved, as text. */
  readonly apart: readonly string[];
  /** FRESH: operators with a second factor must have used it within five minutes (fresh-factor.ts). */
  readonly factor: 'FRESH' | 'SESSION';
  /** The fields that are shown to an approver even if they are not set. */
  readonly shows: readonly string[];
  /** The alert that it raises once it takes effect, unless it only closes (security-alert.ts). */
  readonly alerts?: {
    readonly kind: SecurityAlert;
    /** Only where this field changed. */
    readonly where?: string;
    /** Not where this field became true: it only takes away. */
    readonly unless?: string;
  };
}
