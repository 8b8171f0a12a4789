import { coolsAfter } from './authority/table';
import type { ChangeKind } from './change-request';

/** The data of an applied change, of one merchant or of all, on which later decisions depend. */
export interface AppliedChange {
  readonly kind: ChangeKind;
  /** The settings that it changed. */
  readonly touches: readonly string[];
  /** Whether it only removed permissions or lowered limits. */
  readonly closing: boolean;
  readonly proposedBy: string;
  readonly approvedBy: string;
  readonly appliedAt: Date;
}

/** Settings of callback targets and of the addresses of requests. */
const TARGETS: ReadonlySet<string> = new Set([
  'allowedAddresses',
  'callbackHosts',
  'defaultCallbackUrl',
  'allowInsecureCallbacks',
  'webhookSslVerify',
]);

/** Whether withdrawals wait for a person after it: keys, rules, lists, callback targets, addresses of requests. */
const stopsRules = ({ kind, touches }: AppliedChange): boolean =>
  coolsAfter(kind) === 'WITHDRAWALS' ||
  ((kind === 'CREATE_MERCHANT' || kind === 'UPDATE_MERCHANT') && touches.some((field) => TARGETS.has(field)));

/** Whether it opened a way for money to leave. */
const opensWay = ({ kind }: AppliedChange): boolean => {
  const cools = coolsAfter(kind);
  return cools === 'WITHDRAWALS' || cools === 'PEOPLE';
};

const endOf = ({ appliedAt }: AppliedChange, coolingMs: number): number => appliedAt.getTime() + coolingMs;

/**
 * Until when a merchant's withdrawals need a person: for the cooling period after a new api key, other review rules or
 * lists, and after a change of where its callbacks go or its requests may come from (docs/two-people.md).
 * @returns null if they need none
 */
export function coolingUntil(changes: readonly AppliedChange[], coolingMs: number, now: Date): Date | null {
  const ends = changes
    .filter((change) => !change.closing && stopsRules(change))
    .map((change) => endOf(change, coolingMs));
  const last = Math.max(...ends);
  return ends.length > 0 && last > now.getTime() ? new Date(last) : null;
}

/**
 * Whether an operator proposed or approved a change that opened a way for a merchant's money within the cooling period:
 * its keys, settings, rules, lists, settlement accounts, the banks or the channels. Such an operator does not approve
 * the merchant's withdrawals.
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
      opensWay(change) &&
      (change.proposedBy === operatorId || change.approvedBy === operatorId) &&
      endOf(change, coolingMs) > now.getTime(),
  );
