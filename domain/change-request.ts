import { CatalogueError } from './errors';
import type { Money } from './money';
import { type Authority, mayApprove, type Permission, reaches } from './permissions';

/** The kinds of changes on which two people decide. */
export const CHANGE_KINDS = [
  'CREATE_MERCHANT',
  'UPDATE_MERCHANT',
  'ISSUE_API_KEY',
  'ROTATE_API_KEY',
  'REVOKE_API_KEY',
  'CREATE_BANK_ACCOUNT',
  'UPDATE_BANK_ACCOUNT',
  'SET_BANK_ACCOUNT_STATUS',
  'CREATE_CHANNEL',
  'UPDATE_CHANNEL',
  'SET_CHANNEL_ENABLED',
  'RESOLVE_PAYOUT',
  'CREATE_AGENT_KEY',
  'REVOKE_AGENT_KEY',
  'TOP_UP_BALANCE',
  'ADJUST_BALANCE',
  'MATCH_TRANSFER',
  'COMBINE_TRANSFERS',
  'SPLIT_TRANSFER',
  'COMPLETE_TRANSFER',
  'RECALL_DEPOSIT',
  'CREATE_SETTLEMENT_ACCOUNT',
  'DISABLE_SETTLEMENT_ACCOUNT',
  'PUT_SETTLEMENT_PLAN',
  'END_SETTLEMENT_PLAN',
  'PUT_CALENDAR',
  'INVITE_OPERATOR',
  'SET_OPERATOR_ACCESS',
  'SET_OPERATOR_DISABLED',
  'CREATE_ROLE',
  'UPDATE_ROLE',
  'DELETE_ROLE',
  'PUT_BANKS',
  'PUT_POOL',
  'PUT_CHANNEL_MAPPING',
  'PUT_TEXT_PATTERN',
  'PUT_STATEMENT_RULE',
  'PUT_FEE_SCHEDULE',
  'PUT_COMMISSION_RATE',
  'PUT_ROUTING_RULES',
  'PUT_REVIEW_RULES',
  'LIST_BENEFICIARY',
  'UNLIST_BENEFICIARY',
  'PUT_PAYER_RULES',
  'LIST_PAYER',
  'UNLIST_PAYER',
  'PUT_EVENT_ADDRESSES',
  'END_RECOVERY',
  'EXPLAIN_FINDINGS',
  'EXPLAIN_STATEMENT',
  'DROP_OUTBOX_ROW',
  'ERASE_PERSON',
  'CREDIT_LATE_MONEY',
  'CREDIT_TOP_UP',
  'WRITE_OFF_MONEY',
  'RETURN_LATE_MONEY',
  'DISMISS_DUPLICATE',
  'POST_INTEREST',
  'RETURN_PAYOUT',
  'RETURN_MONEY',
  'REFUND_DEPOSIT',
  'COMPLETE_RETURN',
  'POST_BANK_CHARGE',
  'TAKE_PROFIT',
  'PAY_COMMISSION',
  'MOVE_OWN_MONEY',
  'OPEN_BOOK',
  'CORRECT_BOOK',
  'POST_CHANNEL_CHARGE',
  'SETTLE_CHANNEL_CLAIM',
  'WRITE_OFF_CHANNEL_CLAIM',
  'REVERSE_POSTING',
] as const;
/** One of CHANGE_KINDS. */
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** PROPOSED waits for another person; the others are final. Only APPLIED had an effect. */
export const CHANGE_STATUSES = ['PROPOSED', 'APPLIED', 'REJECTED', 'WITHDRAWN', 'EXPIRED'] as const;
/** The status of a change. */
export type ChangeStatus = (typeof CHANGE_STATUSES)[number];

/** The kinds of subjects of changes. */
export const SUBJECT_KINDS = [
  'merchant',
  'api_key',
  'bank_account',
  'bank_transfer',
  'bank_debit',
  'posting',
  'payer_return',
  'channel',
  'deposit',
  'settlement_account',
  'calendar',
  'withdrawal',
  'agent_key',
  'operator',
  'role',
  'bank_directory',
  'pool',
  'text_pattern',
  'statement',
  'statement_rule',
  'routing_rules',
  'review_rules',
  'beneficiary',
  'payer_rules',
  'listed_payer',
  'event_addresses',
  'platform',
  'outbox_row',
] as const;
/** One of SUBJECT_KINDS. */
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/**
 * Why one person was enough. CLOSING: the change only takes away powers or limits, and closing never waits. SANDBOX:
 * the setting ONE_PERSON_CHANGES, which production refuses.
 */
export const ALONE_REASONS = ['CLOSING', 'SANDBOX'] as const;
/** One of ALONE_REASONS. */
export type AloneReason = (typeof ALONE_REASONS)[number];

/** The facts that a decision on a change depends on. */
export interface ChangeCase {
  readonly status: ChangeStatus;
  readonly proposedBy: string;
  readonly expiresAt: Date;
  readonly subjectKind: SubjectKind;
  readonly subjectId: string;
  /** The merchant that it concerns; null if it concerns none or several. */
  readonly merchantId: string | null;
  /** The amount that it moves. */
  readonly money: { readonly currencyCode: string; readonly amount: Money } | null;
}

/** A change with the permission that deciding requires, from the table of authority; by default APPROVE. */
export interface RuledCase extends ChangeCase {
  readonly decides?: Permission;
}

/** The operator who decides. */
export interface Decider extends Authority {
  readonly id: string;
  /** An api token acts for a person who may be absent: it cannot decide. */
  readonly via: 'session' | 'token';
  /** The names of its roles. */
  readonly roles: readonly string[];
  /** May not decide before then; null: at once. */
  readonly decidesFrom?: Date | null;
}

const FINAL: Record<Exclude<ChangeStatus, 'PROPOSED'>, string> = {
  APPLIED: 'the change was already approved and applied',
  REJECTED: 'the change was already rejected',
  WITHDRAWN: 'the change was already withdrawn by its proposer',
  EXPIRED: 'the change has expired',
};

const refused = (why: string): CatalogueError => new CatalogueError('AUTHORIZATION_ERROR', why);

/** The status of a change at this time: an undecided one expires. */
export const statusAt = ({ status, expiresAt }: Pick<ChangeCase, 'status' | 'expiresAt'>, now: Date): ChangeStatus =>
  status === 'PROPOSED' && expiresAt.getTime() <= now.getTime() ? 'EXPIRED' : status;

/** Why a change can no longer be decided, or null while it is open. */
export function problemOfDeciding(change: Pick<ChangeCase, 'status' | 'expiresAt'>, now: Date): CatalogueError | null {
  const status = statusAt(change, now);
  return status === 'PROPOSED' ? null : new CatalogueError('CONFLICT', FINAL[status]);
}

/** The checks that approving and rejecting share. */
function problemOfDecider(change: RuledCase, decider: Decider, now: Date): CatalogueError | null {
  const { merchantId, decides = 'APPROVE' } = change;
  if (decider.via === 'token') return refused('an api token cannot decide: log in');
  if (!decider.permissions.has(decides)) return refused(`the permission ${decides} is required`);
  if (decider.decidesFrom && decider.decidesFrom.getTime() > now.getTime())
    return refused(`your permission to decide is new: it is valid from ${decider.decidesFrom.toISOString()}`);
  // An operator who is restricted to some merchants cannot decide a change over all merchants.
  if (decider.merchantIds !== null && (merchantId === null || !reaches(decider, merchantId)))
    return refused('the change concerns merchants outside your restriction');
  return problemOfDeciding(change, now);
}

/** Whether a change is about this operator's own permissions. */
const concerns = ({ subjectKind, subjectId }: ChangeCase, { id, roles }: Decider): boolean =>
  (subjectKind === 'operator' && subjectId === id) || (subjectKind === 'role' && roles.includes(subjectId));

/**
 * Why an operator may not approve a change, or null. Nobody approves their own change, a change to their own
 * permissions, money above their limit, or anything by an api token (docs/two-people.md).
 * @param alone whether the proposer's own approval counts
 */
export function problemOfApproval(
  change: RuledCase,
  approver: Decider,
  alone: boolean,
  now: Date,
): CatalogueError | null {
  const { money, proposedBy } = change;
  const problem = problemOfDecider(change, approver, now);
  if (problem) return problem;
  if (!alone && proposedBy === approver.id) return refused('you cannot approve your own change');
  if (!alone && concerns(change, approver)) return refused('you cannot approve a change to your own permissions');
  const limited = (change.decides ?? 'APPROVE') === 'APPROVE';
  if (limited && money && !mayApprove(approver, money.currencyCode, money.amount.abs()))
    return refused(`${money.amount.abs().toFixed()} ${money.currencyCode} is above your limit`);
  return null;
}

/** Why an operator may not reject a change, or null. The proposer withdraws it instead. */
export function problemOfRejection(change: RuledCase, decider: Decider, now: Date): CatalogueError | null {
  const problem = problemOfDecider(change, decider, now);
  if (problem) return problem;
  return change.proposedBy === decider.id ? refused('withdraw your own change instead') : null;
}

/** Why an operator may not withdraw a change, or null: only its proposer may. */
export function problemOfWithdrawal(change: ChangeCase, operatorId: string, now: Date): CatalogueError | null {
  if (change.proposedBy !== operatorId) return refused('only the operator who proposed a change can withdraw it');
  return problemOfDeciding(change, now);
}

/** Plain JSON data. */
export type Plain = string | number | boolean | null | readonly Plain[] | { readonly [key: string]: Plain };

/** One text for equal data, whatever the order of its keys. */
export function canonical(value: Plain): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
      .join()}}`;
  return JSON.stringify(value);
}

/** The settings of a subject by name. */
export type Settings = Readonly<Record<string, Plain>>;

/** The fields that differ between two states; a field that only one side has is null on the other. */
export function difference(
  before: Settings,
  after: Settings,
): { readonly before: Settings; readonly after: Settings; readonly fields: readonly string[] } {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((field) => canonical(before[field] ?? null) !== canonical(after[field] ?? null))
    .sort();
  const of = (state: Settings): Settings => Object.fromEntries(fields.map((field) => [field, state[field] ?? null]));
  return { before: of(before), after: of(after), fields };
}

/**
 * The refusal of a change whose subject has changed since the proposal.
 * @param fields that differ
 */
export const staleChange = (fields: readonly string[]): CatalogueError =>
  new CatalogueError(
    'CONFLICT',
    `the subject has changed since the change was proposed (${fields.join(', ')}): propose it again`,
  );
