import { invalidField } from './errors';
import type { Money } from './money';

/** What a rule says that a line of a statement is. */
export const RULE_ACTIONS = ['BANK_CHARGE', 'INTEREST', 'OWN_TRANSFER'] as const;
/** One of RULE_ACTIONS. */
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** Which lines of statements a rule explains, and as what. */
export interface StatementRule {
  readonly action: RuleAction;
  readonly direction: 'CREDIT' | 'DEBIT';
  /** The account whose lines it explains; null: all of its currency. */
  readonly accountId: string | null;
  /** Of an own transfer: the account at the other end. */
  readonly otherAccountId: string | null;
  /** A regular expression of RE2 that the text of a line has to fit somewhere. */
  readonly memoPattern: string;
  readonly currencyCode: string;
  /** The most that it explains of one line. */
  readonly maxAmount: Money;
  /** The most that it explains on one UTC day. */
  readonly maxDayAmount: Money;
}

/** The direction of each action but the own transfer, which a line may show at either end. */
const DIRECTION: Readonly<Partial<Record<RuleAction, StatementRule['direction']>>> = {
  BANK_CHARGE: 'DEBIT',
  INTEREST: 'CREDIT',
};

/** @throws INVALID_FIELD for a rule that says something else than its action can be */
export function checkRule(rule: StatementRule): void {
  const { action, direction, accountId, otherAccountId, maxAmount, maxDayAmount } = rule;
  const only = DIRECTION[action];
  if (only !== undefined && direction !== only)
    throw invalidField('direction', `must be ${only} of ${action}`, 'NOT_ALLOWED');
  if (action === 'OWN_TRANSFER' && (accountId === null || otherAccountId === null))
    throw invalidField('otherAccountId', 'is required with accountId of an own transfer', 'REQUIRED');
  if (action !== 'OWN_TRANSFER' && otherAccountId !== null)
    throw invalidField('otherAccountId', 'is only for own transfers', 'NOT_ALLOWED');
  if (accountId !== null && accountId === otherAccountId)
    throw invalidField('otherAccountId', 'must be another account', 'NOT_ALLOWED');
  if (maxDayAmount.lt(maxAmount)) throw invalidField('maxDayAmount', 'must not be below maxAmount', 'OUT_OF_RANGE');
}

/** A line of a statement, as rules see it. */
export interface RuledLine {
  readonly accountId: string;
  readonly direction: 'CREDIT' | 'DEBIT' | null;
  readonly currencyCode: string;
}

/** Whether a rule is about such lines, whatever they say. */
export const isAbout = (rule: StatementRule, line: RuledLine): boolean =>
  rule.direction === line.direction &&
  rule.currencyCode === line.currencyCode &&
  (rule.accountId === null || rule.accountId === line.accountId);

/** Whether a rule about the line at the other end of an own transfer may explain this one. */
export const isAboutOtherEnd = (rule: StatementRule, line: RuledLine): boolean =>
  rule.otherAccountId === line.accountId &&
  line.direction !== null &&
  rule.direction !== line.direction &&
  rule.currencyCode === line.currencyCode;
