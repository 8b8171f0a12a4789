import { hash } from 'node:crypto';
import type { AuditSigner } from '../../crypto/audit-signer';
import { raiseAlert } from '../../db/alerts/alerts';
import { appendAudit, auditDigest, entryOfNobody } from '../../db/audit/audit-log';
import type { Database } from '../../db/client';
import { findLink, lockAddresses, mailLink } from '../../db/operators/operator-links';
import { addressKey } from '../../domain/authority/powers';
import type { BreakGlassRequest } from '../../domain/break-glass';
import { BUILT_IN_ROLES } from '../../domain/permissions';
import { newLinkIds } from './operator-link';

/** A request that key holders have signed. */
export interface SignedBreakGlass {
  readonly request: BreakGlassRequest;
  /** The signed text. */
  readonly text: string;
  /** The places of the signers' keys in BREAK_GLASS_KEYS, from 1. */
  readonly holders: readonly number[];
}

/** A UUID (version 8) of a text: the same text makes the same row, so it is accepted once. */
function uuidOf(text: string): string {
  const digits = hash('sha256', text);
  const [a, b, c, d, e] = [
    ...[digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`],
    ...[`a${digits.slice(17, 20)}`, digits.slice(20, 32)],
  ];
  return `${a}-${b}-${c}-${d}-${e}`;
}

/**
 * Invites a person with every built-in role, by mail, for when no operator is left who can. The audit log records it,
 * and an alert is raised. If changes take two people, the cooling period applies to the new powers to decide, as to
 * all.
 * @returns the id of the invitation
 * @throws if the request was used before, or an operator has the address
 */
export async function openBreakGlass(
  database: Database,
  { signer }: { readonly signer: Pick<AuditSigner, 'sign'> },
  { request, text, holders }: SignedBreakGlass,
  now: Date,
): Promise<string> {
  const { email, reason } = request;
  const id = uuidOf(text);
  const roles = Object.keys(BUILT_IN_ROLES);
  const subject = `invitation:${id}`;
  const link = {
    ...newLinkIds(id),
    ...({ purpose: 'INVITE', email, roles } as const),
    operatorId: null,
    merchantIds: null,
    createdBy: null,
    approvedAt: now,
  };
  const entry = entryOfNobody({
    at: now,
    action: 'breakGlass',
    subject,
    reason,
    traceId: id,
    after: { email, roles, holders: [...holders] },
  });
  await database.transaction(async (tx) => {
    const taken = (await lockAddresses(tx, now)).some(
      (known) => known.isOperator && addressKey(known.email) === addressKey(email),
    );
    if (taken) throw new Error('an operator has this address: name another');
    if (await findLink({ sql: tx }, id)) throw new Error('this request was used before');
    await mailLink(tx, link, now);
    const about = { email, reason };
    await raiseAlert({ sql: tx }, { kind: 'BREAK_GLASS', key: `break-glass:${id}`, about }, now);
    await appendAudit(tx, entry, auditDigest(signer.sign));
  });
  return id;
}
