import { BUILT_IN_ROLES } from '../../domain/permissions';
import type { Database } from '../../db/client';
import * as db from '../../db/operators/operator-links';
import { newLinkIds } from './operator-link';

/** Invites an owner of this deployment, with every built-in role, unless invited before. */
export async function ensureOwnerInvited(database: Database, email: string, now: Date): Promise<void> {
  if (await db.isInvitedOrHere(database, email, now)) return;
  await database.transaction(async (tx) => {
    await db.mailLink(
      tx,
      {
        ...newLinkIds(),
        purpose: 'INVITE',
        email,
        operatorId: null,
        merchantIds: null,
        createdBy: null,
        roles: Object.keys(BUILT_IN_ROLES),
      },
      now,
    );
  });
}
