import { noteSeenAlert, raiseAlert } from '../../db/alerts/alerts';
import type { AuditEntry } from '../../db/audit/audit-log';
import type { Transaction } from '../../db/client';
import { findRoles } from '../../db/operators/roles';
import { alertOfStep, kindOfGrant } from '../../domain/authority/security-alert';
import type { Plain } from '../../domain/change-request';
import type { Permission } from '../../domain/permissions';
import type { Needs } from '../context';
import type { AuditNote } from './audit-trail';
import { takesTwo } from '../authority/row';

type Fields = Readonly<Record<string, Plain>>;

const fieldsOf = (state: Plain | undefined): Fields =>
  typeof state === 'object' && state !== null && !Array.isArray(state) ? (state as Fields) : {};

const namesIn = (value: Plain | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The permissions of these roles, or of this role. */
async function permissionsOf(tx: Transaction, { roles, permissions }: Fields): Promise<Permission[]> {
  const named = await findRoles(tx, namesIn(roles));
  return [...(namesIn(permissions) as Permission[]), ...named.flatMap((role) => [...role.permissions])];
}

/**
 * Raises the alert that the authority table has for an action, in the transaction of its row in the audit log. In a
 * sandbox for one person the operator has seen it: the alert is stored, and sent to nobody.
 */
export async function raiseSecurityAlert(
  context: Needs<'authority' | 'changes' | 'now'>,
  tx: Transaction,
  { id, action, login, operatorId, outcome, subject }: AuditEntry,
  { after, before, applied }: AuditNote,
): Promise<void> {
  if (outcome !== 'OK') return;
  const changed = fieldsOf(after);
  const { authority, now } = context;
  const step = applied?.step ?? action;
  // Proposals change nothing yet, and changes that only close raise no alert.
  if (!applied && step in authority) return;
  const found = alertOfStep(authority, step, changed);
  if (!found) return;
  const kind =
    found.kind === 'POWERS_GRANTED'
      ? kindOfGrant(await permissionsOf(tx, fieldsOf(before)), await permissionsOf(tx, changed))
      : found.kind;
  const about = {
    reason: found.reason,
    operator: login,
    subject,
    ...(applied && { changeId: applied.changeId }),
  };
  const alert = { kind, key: `security:${id}`, about, merchantId: applied?.merchantId ?? null };
  if (takesTwo(context) || operatorId === null) await raiseAlert({ sql: tx }, alert, now);
  else await noteSeenAlert(tx, alert, operatorId, now);
}
