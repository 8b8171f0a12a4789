import type { Settings } from '../../domain/change-request';
import type { PlatformEvent } from '../../domain/platform-event';
import * as db from '../../db/platform-events/addresses';
import { effect } from '../changes/change-effect';
import { sendToOwner } from '../merchants/owner-link';

/** Addresses as a proposal stores them; the secret is sealed. */
export type AddressesPayload = Readonly<{
  id: string;
  event: PlatformEvent;
  merchantId: string | null;
  mails: readonly string[];
  webhookUrl: string | null;
  sealedSecret: string | null;
  secretId: string | null;
  allowInsecure: boolean;
  createdBy: string;
  /** The merchant's owner fetches the secret by a link. */
  toOwner?: true;
  /** Another person than the proposer fetches the secret. */
  toAnother?: true;
}>;

/** Addresses as an approver compares them, without the secret. */
export const addressFields = ({
  mails,
  webhookUrl,
  allowInsecure,
}: Pick<db.EventAddressesRow, 'mails' | 'webhookUrl' | 'allowInsecure'>): Settings => ({
  mails,
  webhookUrl,
  allowInsecure,
});

/** The basis of a proposal: the newest version. */
export const basisOf = (newest: db.EventAddressesRow | undefined): Settings => ({
  ...(newest && addressFields(newest)),
  version: newest?.version ?? 0,
});

/** When a person got the secret of the next version: of one that stays as before, of a new one if it was answered. */
const takenAt = (
  { secretId }: Pick<AddressesPayload, 'secretId'>,
  newest: db.EventAddressesRow | undefined,
  { shown, now }: { readonly shown: boolean; readonly now: Date },
): Date | null => {
  if (secretId === null) return null;
  if (secretId === newest?.secretId) return newest.secretTakenAt;
  return shown ? now : null;
};

/** Adds the next version of the addresses, in force at once. */
export const putEventAddresses = effect<AddressesPayload>({
  basis: async (tx, payload) => basisOf(await db.lockNewestAddresses(tx, payload)),
  apply: async (tx, { toOwner, toAnother, ...payload }, applied) => {
    const { id: changeId, now } = applied;
    const newest = await db.lockNewestAddresses(tx, payload);
    await db.insertAddresses(tx, {
      ...payload,
      changeId,
      version: (newest?.version ?? 0) + 1,
      createdAt: now,
      secretTakenAt: takenAt(payload, newest, { shown: !toOwner && !toAnother, now }),
    });
    const { id: subjectId, merchantId } = payload;
    if (toOwner === true && merchantId !== null)
      await sendToOwner(tx, { kind: 'WEBHOOK_SECRET', merchantId, subjectId, overlapSeconds: null }, applied);
  },
});
