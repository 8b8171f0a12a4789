import type { ChangeKind } from './change-request';

/** An applied change of a merchant, as far as later decisions depend on it. */
export interface AppliedChange {
  readonly kind: ChangeKind;
  /** The settings that it changed. */
  readonly touches: readonly string[];
  /** Whether it only took away powers or limits. */
  readonly closing: boolean;
  readonly proposedBy: string;
  readonly approvedBy: string;
  readonly appliedAt: Date;
}

/** Settings that decide where callbacks go. */
const TARGETS: ReadonlySet<string> = new Set([
  'callbackHosts',
  'defaultCallbackUrl',
  'allowInsecureCallbacks',
  'webhookSslVerify',
]);

const isKey = ({ kind }: AppliedChange): boolean =>
  kind === 'ISSUE_API_KEY' || kind === 'ROTATE_API_KEY';
const isRules = ({ kind }: AppliedChange): boolean =>
  kind === 'CREATE_MERCHANT' || kind === 'UPDATE_MERCHANT';
const isTarget = (change: AppliedChange): boolean =>
  isRules(change) && change.touches.some((field) => TARGETS.has(field));

const endOf = ({ appliedAt }: AppliedChange, coolingMs: number): number =>
  appliedAt.getTime() + coolingMs;

/**
 * Until when a merchant's withdrawals need a person: for the cooling period after a new api key and after a change of
 * where its callbacks go (docs/two-people.md).
 * @returns null if they need none
 */
export function coolingUntil(
  changes: readonly AppliedChange[],
  coolingMs: number,
  now: Date,
): Date | null {
  const ends = changes
    .filter((change) => !change.closing && (isKey(change) || isTarget(change)))
    .map((change) => endOf(change, coolingMs));
  const last = Math.max(...ends);
  return ends.length > 0 && last > now.getTime() ? new Date(last) : null;
}

/**
 * Whether an operator proposed or approved a merchant's key or a change of its rules within the cooling period. Such an
 * operator does not approve the merchant's withdrawals.
 */
export const openedTheWay = (
  operatorId: string,
  changes: readonly AppliedChange[],
  coolingMs: number,
  now: Date,
): boolean =>
  changes.some(
    (change) =>
      !change.closing &&
      (isKey(change) || isRules(change)) &&
      (change.proposedBy === operatorId || change.approvedBy === operatorId) &&
      endOf(change, coolingMs) > now.getTime(),
  );
