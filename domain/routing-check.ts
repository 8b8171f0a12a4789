import { WALLET_CURRENCY } from './channel-deposit';
import { invalidField } from './errors';
import type { Money } from './money';
import type { RoutedKind, RouteTarget, RoutingRule } from './routing-rules';

/** The most of each in a version of rules. */
export const MOST_ROUTING = { rules: 100, groups: 10, targets: 50, merchants: 500, weight: 1_000 };

const MOST_NAME = 64;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

function checkBounds({ minAmount, maxAmount }: RoutingRule, at: string, decimals: number): void {
  const isAmount = (amount: Money | null): boolean =>
    amount === null || (amount.gt(0) && amount.decimalPlaces() <= decimals);
  if (!isAmount(minAmount) || !isAmount(maxAmount))
    throw invalidField(
      `${at}.minAmount`,
      `must be above 0, with at most ${decimals} decimal places, as must maxAmount`,
      'OUT_OF_RANGE',
    );
  if (minAmount && maxAmount && minAmount.gt(maxAmount))
    throw invalidField(`${at}.minAmount`, 'must not be above maxAmount', 'OUT_OF_RANGE');
}

function checkTargets(targets: readonly RouteTarget[], at: string, kind: RoutedKind): void {
  if (targets.length === 0 || targets.length > MOST_ROUTING.targets)
    throw invalidField(at, `must be 1-${MOST_ROUTING.targets}`, 'OUT_OF_RANGE');
  const named = targets.map((target) => `${target.kind} ${target.id ?? ''}`);
  if (new Set(named).size < named.length) throw invalidField(at, 'must not contain one twice', 'DUPLICATE');
  for (const { kind: named, id, weight } of targets) {
    if (!Number.isInteger(weight) || weight < 1 || weight > MOST_ROUTING.weight)
      throw invalidField(`${at}.weight`, `must be 1-${MOST_ROUTING.weight}`, 'OUT_OF_RANGE');
    if (named !== 'POOL' && id === null) throw invalidField(`${at}.id`, 'only a pool may be without one', 'REQUIRED');
    if (named === 'ACCOUNT' && kind === 'PAYOUT')
      throw invalidField(at, 'operators choose the account of a manual payout', 'NOT_ALLOWED');
  }
}

function checkRule(rule: RoutingRule, at: string, kind: RoutedKind, currencyCode: string, decimals: number): void {
  const { name, hours, groups, refuses, merchantIds, walletKinds } = rule;
  if (name.trim() === '' || Array.from(name).length > MOST_NAME)
    throw invalidField(`${at}.name`, `must have 1-${MOST_NAME} characters`, 'OUT_OF_RANGE');
  checkBounds(rule, at, decimals);
  if (merchantIds.length > MOST_ROUTING.merchants)
    throw invalidField(`${at}.merchantIds`, `must be at most ${MOST_ROUTING.merchants}`, 'OUT_OF_RANGE');
  if (walletKinds.length > 0 && currencyCode !== WALLET_CURRENCY)
    throw invalidField(`${at}.walletKinds`, `are of ${WALLET_CURRENCY} alone`, 'NOT_ALLOWED');
  if (hours && !(TIME_OF_DAY.test(hours.from) && TIME_OF_DAY.test(hours.to)))
    throw invalidField(`${at}.hours`, 'must be times of day, HH:MM');
  if (hours?.from === hours?.to && hours)
    throw invalidField(`${at}.hours`, 'must not begin and end at the same time', 'OUT_OF_RANGE');
  if (refuses && (groups.length > 0 || rule.stickyPayer))
    throw invalidField(`${at}.refuses`, 'cannot be combined with groups or a sticky payer', 'NOT_ALLOWED');
  if (!refuses && (groups.length === 0 || groups.length > MOST_ROUTING.groups))
    throw invalidField(`${at}.groups`, `must be 1-${MOST_ROUTING.groups}`, 'OUT_OF_RANGE');
  for (const [index, { targets }] of groups.entries()) checkTargets(targets, `${at}.groups.${index}.targets`, kind);
}

/** @throws INVALID_FIELD for rules that cannot be. @param decimals of the currency */
export function checkRules(
  rules: readonly RoutingRule[],
  kind: RoutedKind,
  currencyCode: string,
  decimals: number,
): void {
  if (rules.length > MOST_ROUTING.rules)
    throw invalidField('rules', `must be at most ${MOST_ROUTING.rules}`, 'OUT_OF_RANGE');
  const names = rules.map(({ name }) => name);
  if (new Set(names).size < names.length) throw invalidField('rules', 'must have different names', 'DUPLICATE');
  for (const [index, rule] of rules.entries()) checkRule(rule, `rules.${index}`, kind, currencyCode, decimals);
}
