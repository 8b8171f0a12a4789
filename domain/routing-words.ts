import type { Money } from './money';
import type { RoutedKind, RouteTarget, RoutingRule } from './routing-rules';

/*
 * Routing in words, for operators: which orders a rule is for, and where they go.
 */

/** What rules name by ids, as people call it. */
export interface RouteNames {
  readonly target: (target: Pick<RouteTarget, 'kind' | 'id'>) => string;
  readonly merchant: (id: string) => string;
}

const amount = (value: Money, decimals: number): string => value.toFixed(decimals);

function wordsOfAmount({ minAmount, maxAmount }: RoutingRule, decimals: number): string[] {
  if (minAmount && maxAmount) return [`from ${amount(minAmount, decimals)} to ${amount(maxAmount, decimals)}`];
  if (minAmount) return [`from ${amount(minAmount, decimals)}`];
  return maxAmount ? [`up to ${amount(maxAmount, decimals)}`] : [];
}

/** Which orders a rule is for. @param decimals of the currency */
export function wordsOfCondition(rule: RoutingRule, names: RouteNames, decimals: number): string {
  const { merchantIds, payerTiers, walletKinds, hours } = rule;
  const conditions = [
    ...wordsOfAmount(rule, decimals),
    ...(merchantIds.length > 0 ? [`of ${merchantIds.map(names.merchant).join(' or ')}`] : []),
    ...(payerTiers.length > 0 ? [`by payers who are ${payerTiers.join(' or ')}`] : []),
    ...(walletKinds.length > 0 ? [`with ${walletKinds.join(' or ')}`] : []),
    ...(hours ? [`between ${hours.from} and ${hours.to} in ${hours.timeZone}`] : []),
  ];
  return conditions.length === 0 ? 'all' : conditions.join(', ');
}

const wordsOfTarget = (target: RouteTarget, alone: boolean, names: RouteNames): string =>
  alone ? names.target(target) : `${names.target(target)} (weight ${target.weight})`;

/** Where the orders of a rule go. */
export function wordsOfWay({ refuses, stickyPayer, groups }: RoutingRule, kind: RoutedKind, names: RouteNames): string {
  if (refuses) return kind === 'DEPOSIT' ? 'refused' : 'to no channel: they are paid by hand';
  const asked = groups.map(({ targets }) =>
    targets.map((target) => wordsOfTarget(target, targets.length === 1, names)).join(' or '),
  );
  return [...(stickyPayer ? ['where the payer paid before'] : []), ...asked].join(', else ');
}

/** A rule in one line. @param decimals of the currency */
export const wordsOfRule = (rule: RoutingRule, kind: RoutedKind, names: RouteNames, decimals: number): string =>
  `${rule.name}: ${wordsOfCondition(rule, names, decimals)} → ${wordsOfWay(rule, kind, names)}`;

const REASONS: Readonly<Record<string, string>> = {
  NOT_IN_RULE: 'is not named by the rule',
  NOT_IN_POOL: 'is not in the pool of the merchant',
  NOT_ACTIVE: 'is paused or disabled',
  BELOW_MINIMUM: 'accepts no amount this low',
  ABOVE_MAXIMUM: 'accepts no amount this high',
  DAILY_LIMIT: 'would exceed its amount of a day',
  DAILY_COUNT: 'would exceed its number of bank credits of a day',
  MONTHLY_LIMIT: 'would exceed its amount of a month',
  MONTHLY_COUNT: 'would exceed its number of bank credits of a month',
  TOO_MANY_OPEN: 'has its maximum of open deposits',
  NO_FLOAT_SPACE: 'has assigned every amount near this one',
  ACCOUNT_CHANGED: 'changed meanwhile',
  DISABLED: 'is disabled',
  OTHER_CURRENCY: 'does not take the currency',
  OTHER_WALLET: 'is another wallet, or the merchant uses only a wallet',
  OF_AN_ACCOUNT: 'only reports on an account',
  NOT_ITS_AMOUNT: 'is a mock channel that accepts only other amounts',
  DOWN: 'did not answer its last health check',
  BALANCE_LIMIT: 'would exceed the balance that it may hold',
  OUTAGE: 'has an outage',
  AGENT_SILENT: 'has an agent that sends no heartbeat',
  UNHEALTHY: 'failed too often: its breaker is open',
  TRIED_BEFORE: 'was tried before',
  BANK_NOT_SERVED: 'does not serve the bank of the beneficiary',
  LOW_BALANCE: 'has too low a balance',
};

/** Why something does not take an order, as the end of a sentence. */
export const wordsOfRefusal = (reason: string): string => REASONS[reason] ?? reason.toLowerCase().replaceAll('_', ' ');
