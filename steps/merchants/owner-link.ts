import { uuidv7 } from 'uuidv7';
import { addressKey } from '../../domain/authority/powers';
import { businessError } from '../../domain/errors';
import type { LinkedSecret } from '../../domain/secret-link';
import type { Database, Transaction } from '../../db/client';
import { insertSecretLink } from '../../db/merchants/secret-links';
import { lockAddresses } from '../../db/operators/operator-links';
import { type EventAddressesRow, findNewestAddresses } from '../../db/platform-events/addresses';
import type { Applied } from '../changes/change-effect';
import type { Needs } from '../context';

/** Whether a merchant's secrets go to its owner by a link, and no operator sees them. */
export const goesToOwner = ({ environment }: Needs<'environment'>, wanted: boolean | null | undefined): boolean =>
  environment === 'production' || wanted === true;

/** The owner's address for a merchant's secrets. @throws NOT_ENABLED without an address */
export async function ownersAddresses(
  sql: Database['sql'] | Transaction,
  merchantId: string,
): Promise<EventAddressesRow & { readonly mail: string }> {
  const to = await findNewestAddresses(sql, { event: 'tenant_owner_invite', merchantId });
  const [mail] = to?.mails ?? [];
  if (!to || mail === undefined)
    throw businessError('NOT_ENABLED', "the merchant's owner has no address: put one for tenant_owner_invite");
  return { ...to, mail };
}

/** Checks that a link goes to none of ours. @param whose what the address is @throws NOT_ENABLED */
export async function requireOutsider(tx: Transaction, mail: string, whose: string, now: Date): Promise<void> {
  const ours = await lockAddresses(tx, now);
  if (ours.some(({ email }) => addressKey(email) === addressKey(mail)))
    throw businessError('NOT_ENABLED', `${whose} is an operator's`);
}

/**
 * Sends a merchant's owner a link to a secret.
 * @throws NOT_ENABLED without an address, for an operator's address, or during the cooling period of a changed one
 */
export async function sendToOwner(
  tx: Transaction,
  secret: {
    readonly kind: LinkedSecret;
    readonly merchantId: string;
    readonly subjectId: string;
    readonly overlapSeconds: number | null;
  },
  { id: changeId, now, coolingMs }: Applied,
): Promise<void> {
  const to = await ownersAddresses(tx, secret.merchantId);
  await requireOutsider(tx, to.mail, "the address of the merchant's owner", now);
  // A stolen change of the address must not give access to the keys at once; a first address has no cooling period.
  if (to.version > 1 && now.getTime() < to.createdAt.getTime() + coolingMs)
    throw businessError('NOT_ENABLED', "the address of the merchant's owner is cooling down");
  await insertSecretLink(tx, {
    id: uuidv7(),
    ...secret,
    addressesId: to.id,
    changeId,
    createdAt: now,
  });
}
