import { HARMLESS } from '../../domain/authority/harmless';
import { issueWarrant } from '../../domain/authority/issue';
import { DECISIVE } from '../../domain/authority/powers';
import type { AuthorityTable, MoneyStepName } from '../../domain/authority/table';
import type { Warrant } from '../../domain/authority/warrant';
import type { Role } from '../access/authorization';
import type { GraphContext } from '../context';
import { refused, rowOf, takesTwo } from '../../steps/authority/row';

/**
 * The caller's warrant for a step that moves money.
 * @throws AUTHORIZATION_ERROR if the step has no row, if the caller lacks the row's permission, or for an API token,
 * which acts for a person who may be absent
 */
export function warrantOf<Step extends MoneyStepName>(
  context: Pick<GraphContext, 'actor' | 'authority' | 'changes' | 'now'>,
  step: Step,
): Warrant<Step> {
  const { actor } = context;
  const row = rowOf(context, step);
  if (actor.kind === 'operator') {
    if (!row.power.some((power) => actor.operator.permissions.has(power)))
      throw refused('you are not allowed to do this');
    const { decidesFrom } = actor.operator;
    if (decidesFrom && decidesFrom > context.now && DECISIVE.some((one) => row.power.includes(one)))
      throw refused(`your permission to decide is new: it is valid from ${decidesFrom.toISOString()}`);
    if (actor.via === 'token' && takesTwo(context)) throw refused('an api token holds no power over money: log in');
  }
  return issueWarrant(step);
}

/** Refuses a mutation without a row. @throws AUTHORIZATION_ERROR */
export function requireRow(context: GraphContext, mutation: string): void {
  if (mutation in HARMLESS) return;
  // Agents only report what a bank shows: they have no permissions.
  warrantOf(context, mutation as MoneyStepName);
}

/**
 * The fault of a mutation's entry in the authority table, or null: it must be in exactly one of the two lists, with the
 * permissions of its row.
 */
export function problemOfPlace(table: AuthorityTable, mutation: string, roles: readonly Role[]): string | null {
  const row = table[mutation];
  if (mutation in HARMLESS) return row ? `${mutation} moves money and is called harmless at once` : null;
  if (!row) return `${mutation} has no row in domain/authority/table.ts and no reason in harmless.ts`;
  const people = roles.filter((role) => role !== 'AGENT');
  const same = people.length === row.power.length && row.power.every((power) => people.includes(power));
  return same ? null : `${mutation} is for ${people.join()}, and its row for ${row.power.join()}`;
}
