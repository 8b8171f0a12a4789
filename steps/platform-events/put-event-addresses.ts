import { uuidv7 } from 'uuidv7';
import { newWebhookSecret } from '../../crypto/tokens';
import { propose, type Evidence, type ProposalNeeds } from '../changes/propose';
import { goesToOwner, ownersAddresses } from '../merchants/owner-link';
import { actorName, requireReach } from '../access/caller';
import type { Needs } from '../context';
import { CALLBACK_URL_PROBLEMS, checkCallbackUrl } from '../../domain/callback-target';
import { isEmail } from '../../domain/email';
import { invalidField, businessError, notFound } from '../../domain/errors';
import {
  MOST_EVENT_MAILS,
  bringsLink,
  hasAddresses,
  isOfMerchant,
  type PlatformEvent,
} from '../../domain/platform-event';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/platform-events/addresses';
import { type AddressesPayload, addressFields, basisOf } from './address-effects';

/** @throws INVALID_FIELD */
function checkedMails(mails: readonly string[]): string[] {
  const once = new Map(mails.map((mail) => [mail.trim().toLowerCase(), mail.trim()]));
  if (once.size > MOST_EVENT_MAILS) throw invalidField('mails', `must be at most ${MOST_EVENT_MAILS}`, 'OUT_OF_RANGE');
  for (const mail of once.values()) if (!isEmail(mail)) throw invalidField('mails', `${mail} is no mail address`);
  return [...once.values()];
}

/** @throws INVALID_FIELD */
function checkUrl(url: string, allowInsecure: boolean): void {
  const problem = checkCallbackUrl(url, { allowInsecure });
  if (problem !== 'ok') throw invalidField('webhookUrl', CALLBACK_URL_PROBLEMS[problem]);
}

/** A link to a secret goes to one person, by mail. @throws INVALID_FIELD */
function checkOwners(mails: readonly string[], webhookUrl: string | null): void {
  if (mails.length > 1) throw invalidField('mails', 'must be one: it is the owner', 'OUT_OF_RANGE');
  if (webhookUrl !== null) throw invalidField('webhookUrl', 'must be null: links are mailed', 'NOT_ALLOWED');
}

/** Whether addresses are only removed. */
const closes = (payload: AddressesPayload, newest: db.EventAddressesRow | undefined): boolean =>
  newest !== undefined &&
  payload.mails.every((mail) => newest.mails.includes(mail)) &&
  (payload.webhookUrl === null || payload.secretId === newest.secretId) &&
  (!payload.allowInsecure || newest.allowInsecure);

/** The addresses that an event shall have; omitted ones are removed. */
export interface AddressesRequest {
  readonly event: PlatformEvent;
  readonly merchantId?: string | null | undefined;
  readonly mails?: readonly string[] | null | undefined;
  readonly webhookUrl?: string | null | undefined;
  readonly newSecret?: boolean | null | undefined;
  readonly allowInsecure?: boolean | null | undefined;
  readonly toOwner?: boolean | null | undefined;
}

/** Proposed addresses; none while the change is not applied. */
export interface ProposedAddresses {
  readonly change: ChangeRow;
  /** A new secret, shown this once; null where there is none, or another person fetches it. */
  readonly secret: string | null;
  readonly addresses: db.EventAddressesRow | null;
}

/** The merchant of the event, by its code; null: the platform's own event. @throws NOT_FOUND, INVALID_FIELD */
async function merchantOf(
  { actor, loaders }: Needs<'actor' | 'loaders'>,
  { event, merchantId }: AddressesRequest,
): Promise<{ readonly id: string; readonly merchantCode: string } | null> {
  if (isOfMerchant(event) !== (merchantId != null))
    throw invalidField(
      'merchantId',
      isOfMerchant(event) ? 'is required: each merchant has its own' : 'must be null: it is nobody’s',
      isOfMerchant(event) ? 'REQUIRED' : 'NOT_ALLOWED',
    );
  if (merchantId == null) return null;
  const merchant = await loaders.merchants.load(merchantId);
  if (!merchant) throw notFound('merchant');
  requireReach(actor, merchantId, 'merchant');
  return merchant;
}

/** The secret of a URL: the present one, or a new one. */
function secretOf(
  { sealer }: Needs<'sealer'>,
  id: string,
  { webhookUrl, newSecret }: AddressesRequest,
  newest: db.EventAddressesRow | undefined,
): Pick<AddressesPayload, 'sealedSecret' | 'secretId'> & { readonly secret: string | null } {
  if (!webhookUrl) return { secret: null, sealedSecret: null, secretId: null };
  if (newest?.webhookUrl === webhookUrl && newSecret !== true)
    return { secret: null, sealedSecret: newest.sealedSecret, secretId: newest.secretId };
  const secret = newWebhookSecret();
  return { secret, sealedSecret: sealer.seal(secret, `event_addresses:${id}`), secretId: id };
}

/**
 * Proposes the addresses of an event, which replace all present ones.
 * @throws NOT_FOUND, INVALID_FIELD; NO_CHANGE where there is no address before or after
 */
export async function putEventAddresses(
  context: ProposalNeeds & Needs<'environment' | 'loaders'>,
  input: AddressesRequest,
  { reason, evidence }: { readonly reason: string; readonly evidence?: Evidence | null | undefined },
): Promise<ProposedAddresses> {
  const { actor, database, environment } = context;
  const { event } = input;
  const allowInsecure = input.allowInsecure ?? false;
  if (allowInsecure && environment === 'production')
    throw invalidField('allowInsecure', 'only sandboxes allow it', 'NOT_ALLOWED');
  if (!hasAddresses(event))
    throw invalidField('event', 'has no addresses: the address of its owner comes with each agent', 'NOT_ALLOWED');
  const merchant = await merchantOf(context, input);
  const merchantId = merchant?.id ?? null;
  const mails = checkedMails(input.mails ?? []);
  const webhookUrl = input.webhookUrl || null;
  if (webhookUrl !== null) checkUrl(webhookUrl, allowInsecure);
  if (bringsLink(event)) checkOwners(mails, webhookUrl);
  const newest = await db.findNewestAddresses(database.sql, { event, merchantId });
  const id = uuidv7();
  const { secret, ...sealed } = secretOf(context, id, input, newest);
  const hidden = secret !== null && goesToOwner(context, input.toOwner);
  const toOwner = hidden && merchantId !== null;
  // Who proposes where alerts go must not be able to forge them.
  const toAnother = hidden && merchantId === null;
  const payload: AddressesPayload = {
    id,
    event,
    merchantId,
    mails,
    webhookUrl,
    ...sealed,
    allowInsecure,
    createdBy: actorName(actor),
    ...(toOwner && { toOwner }),
    ...(toAnother && { toAnother }),
  };
  if (!newest && mails.length === 0 && webhookUrl === null) throw businessError('NO_CHANGE', 'it has no address');
  const of = merchant === null ? event : `${event} of ${merchant.merchantCode}`;
  const change = await propose(context, {
    kind: 'PUT_EVENT_ADDRESSES',
    subject: { kind: 'event_addresses', id: `${event}:${merchantId ?? 'platform'}`, name: of },
    merchantId,
    summary: mails.length === 0 && webhookUrl === null ? `Deliver ${of} nowhere` : `Deliver ${of} to other addresses`,
    before: basisOf(newest),
    after: {
      ...addressFields(payload),
      version: (newest?.version ?? 0) + 1,
      ...(secret !== null && { secret: 'a new one' }),
      ...(toAnother && { secretFetchedBy: 'another person than who proposes' }),
      ...(toOwner && { secretSentTo: (await ownersAddresses(database.sql, merchantId)).mail }),
    },
    payload,
    reason,
    evidence,
    alone: closes(payload, newest) ? 'CLOSING' : null,
  });
  const addresses = (await db.findAddressesById(database, id)) ?? null;
  return { change, secret: hidden ? null : secret, addresses };
}
