import type { AlertKind } from '../alert';
import type { Plain } from '../change-request';
import type { Permission } from '../permissions';
import { words } from '../words';
import { DECISIVE } from './powers';
import type { MoneyStep, SecurityAlert } from './step';
import type { AuthorityTable } from './table';

/** A step that is an alert, and what it was in words. */
interface AlertOfStep {
  readonly kind: SecurityAlert;
  readonly reason: string;
}

/** What stands in for a person, or makes one: of steps that need nobody else (harmless.ts). */
const OWN_ALERTS: Readonly<Record<string, AlertOfStep>> = {
  createApiToken: { kind: 'NEW_API_TOKEN', reason: 'a token for programs was made' },
  confirmTotp: { kind: 'SECOND_FACTOR_CHANGED', reason: 'an authenticator app was added' },
  removeTotp: { kind: 'SECOND_FACTOR_CHANGED', reason: 'the authenticator app was removed' },
  newRecoveryCodes: { kind: 'SECOND_FACTOR_CHANGED', reason: 'new recovery codes were made' },
  addPasskey: { kind: 'SECOND_FACTOR_CHANGED', reason: 'a passkey was added' },
  removePasskey: { kind: 'SECOND_FACTOR_CHANGED', reason: 'a passkey was removed' },
  acceptInvitation: { kind: 'POWERS_GRANTED', reason: 'an invitation was accepted' },
};

/** The fields of a change, as they are after it. */
type Changed = Readonly<Record<string, Plain>>;

const alertOfRow = ({ alerts }: MoneyStep, after: Changed): SecurityAlert | null => {
  if (!alerts) return null;
  if (alerts.unless && after[alerts.unless] === true) return null;
  return alerts.where === undefined || alerts.where in after ? alerts.kind : null;
};

/**
 * The alert that a step is, or null: its row of the table says so, or OWN_ALERTS for what is in none.
 * @param after what it changed; a row may name a field that makes it an alert
 */
export function alertOfStep(table: AuthorityTable, step: string, after: Changed): AlertOfStep | null {
  const row = table[step];
  if (!row) return OWN_ALERTS[step] ?? null;
  const kind = alertOfRow(row, after);
  // Nothing of the change itself, which may name a payer: alerts are mailed and sent away.
  return kind && { kind, reason: words(step) };
}

/** Powers to decide are new: the grant is one of an approver or an admin, which people look at first. */
export const kindOfGrant = (before: readonly Permission[], after: readonly Permission[]): AlertKind =>
  DECISIVE.some((one) => after.includes(one) && !before.includes(one)) ? 'NEW_APPROVER' : 'POWERS_GRANTED';
