import type { Settings } from '../../domain/change-request';
import { formatMoney, money } from '../../domain/money';
import type { StatementRule } from '../../domain/statement-rule';
import * as db from '../../db/statements/rules';
import { effect } from '../changes/change-effect';

/** A rule as a proposal stores it; amounts are texts. */
export type RulePayload = Readonly<
  Omit<StatementRule, 'maxAmount' | 'maxDayAmount'> & {
    id: string;
    name: string;
    maxAmount: string;
    maxDayAmount: string;
    active: boolean;
    createdBy: string;
  }
>;

/** A rule as an approver compares it. */
export const ruleFields = (rule: StatementRule & { readonly active: boolean }): Settings => ({
  action: rule.action,
  direction: rule.direction,
  memoPattern: rule.memoPattern,
  currencyCode: rule.currencyCode,
  maxAmount: formatMoney(rule.maxAmount),
  maxDayAmount: formatMoney(rule.maxDayAmount),
  accountId: rule.accountId,
  otherAccountId: rule.otherAccountId,
  active: rule.active,
});

/** Puts the next version of a rule in force, or ends the rule. */
export const putStatementRule = effect<RulePayload>({
  basis: async (tx, { name }) => {
    const newest = await db.lockRule(tx, name);
    return newest ? ruleFields(newest) : {};
  },
  apply: async (tx, rule, { now }) => {
    const newest = await db.lockRule(tx, rule.name);
    await db.putRule(tx, {
      ...rule,
      maxAmount: money(rule.maxAmount),
      maxDayAmount: money(rule.maxDayAmount),
      version: (newest?.version ?? 0) + 1,
      createdAt: now,
    });
  },
});
