import {
  Arg,
  Authorized,
  Ctx,
  Field,
  ID,
  InputType,
  Mutation,
  ObjectType,
  Resolver,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { newWebhookSecret } from '../../crypto/tokens';
import { businessError, invalidField, notFound } from '../../domain/errors';
import {
  bringsLink,
  hasAddresses,
  isOfMerchant,
  MOST_EVENT_MAILS,
  type PlatformEvent,
} from '../../domain/platform-event';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/platform-events/addresses';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { goesToOwner, ownersAddresses } from '../../steps/merchants/owner-link';
import {
  type AddressesPayload,
  addressFields,
  basisOf,
} from '../../steps/platform-events/address-effects';
import { EventAddresses } from './event-addresses';
import { PlatformEventEnum } from './event-enums';
import { actorName, requireReach } from '../../steps/access/caller';
import {
  checkedMails,
  checkOwners,
  checkUrl,
  closes,
} from '../../steps/platform-events/put-event-addresses';

@InputType({ description: 'The addresses of an event; omitted ones are removed.' })
export class EventAddressesInput {
  @Field(() => PlatformEventEnum, { description: 'What is delivered.' })
  event!: PlatformEvent;

  @Field(() => ID, {
    nullable: true,
    description: "Whose events; null for the platform's own.",
  })
  merchantId?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: `Mail addresses, at most ${MOST_EVENT_MAILS}.`,
  })
  mails?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Where signed requests go: an HTTPS URL.' })
  webhookUrl?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: a new secret although the URL stays. Another URL always has one.',
  })
  newSecret?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: `http:` and this machine are allowed; sandboxes alone.',
  })
  allowInsecure?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      "True: the merchant's owner fetches a new secret by a link that is mailed once the change is applied, and nobody here sees it; of the platform's own events another person than the proposer fetches it (`takeEventSecret`). Production always does so.",
  })
  toOwner?: boolean | null;
}

@ObjectType({ simpleResolvers: true, description: 'Proposed addresses of an event.' })
export class EventAddressesChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => String, {
    nullable: true,
    description:
      "What requests are signed with, shown this once: HMAC-SHA256. Null where there is no new one, or the merchant's owner fetches it, or, in production, another person (`takeEventSecret`).",
  })
  secret!: string | null;

  @Field(() => EventAddresses, { nullable: true, description: 'Null until the change is applied.' })
  addresses!: db.EventAddressesRow | null;
}

/** The merchant of the event, by its code; null: the platform's own event. @throws NOT_FOUND, INVALID_FIELD */
async function merchantOf(
  { actor, loaders }: GraphContext,
  { event, merchantId }: EventAddressesInput,
): Promise<{ readonly id: string; readonly merchantCode: string } | null> {
  if (isOfMerchant(event) !== (merchantId != null))
    throw invalidField(
      'merchantId',
      isOfMerchant(event)
        ? 'is required: each merchant has its own'
        : 'must be null: it is nobody’s',
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
  { sealer }: GraphContext,
  id: string,
  { webhookUrl, newSecret }: EventAddressesInput,
  newest: db.EventAddressesRow | undefined,
): Pick<AddressesPayload, 'sealedSecret' | 'secretId'> & { readonly secret: string | null } {
  if (!webhookUrl) return { secret: null, sealedSecret: null, secretId: null };
  if (newest?.webhookUrl === webhookUrl && newSecret !== true)
    return { secret: null, sealedSecret: newest.sealedSecret, secretId: newest.secretId };
  const secret = newWebhookSecret();
  return { secret, sealedSecret: sealer.seal(secret, `event_addresses:${id}`), secretId: id };
}

@Resolver()
export class PutEventAddressesResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => EventAddressesChange, {
    description:
      'Proposes the addresses of an event, which replace all present ones. Removing addresses needs only one person.',
  })
  async putEventAddresses(
    @Arg('input', { description: 'The new addresses.' }) input: EventAddressesInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<EventAddressesChange> {
    const { actor, database, environment } = context;
    const { event } = input;
    const allowInsecure = input.allowInsecure ?? false;
    if (allowInsecure && environment === 'production')
      throw invalidField('allowInsecure', 'only sandboxes allow it', 'NOT_ALLOWED');
    if (!hasAddresses(event))
      throw invalidField(
        'event',
        'has no addresses: the address of its owner comes with each agent',
        'NOT_ALLOWED',
      );
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
      ...{ id, event, merchantId, mails, webhookUrl, ...sealed, allowInsecure },
      createdBy: actorName(actor),
      ...(toOwner && { toOwner }),
      ...(toAnother && { toAnother }),
    };
    if (!newest && mails.length === 0 && webhookUrl === null)
      throw businessError('NO_CHANGE', 'it has no address');
    const of = merchant === null ? event : `${event} of ${merchant.merchantCode}`;
    const change = await propose(context, {
      kind: 'PUT_EVENT_ADDRESSES',
      subject: { kind: 'event_addresses', id: `${event}:${merchantId ?? 'platform'}`, name: of },
      merchantId,
      summary:
        mails.length === 0 && webhookUrl === null
          ? `Deliver ${of} nowhere`
          : `Deliver ${of} to other addresses`,
      before: basisOf(newest),
      after: {
        ...addressFields(payload),
        version: (newest?.version ?? 0) + 1,
        ...(secret !== null && { secret: 'a new one' }),
        ...(toAnother && { secretFetchedBy: 'another person than who proposes' }),
        ...(toOwner && { secretSentTo: (await ownersAddresses(database.sql, merchantId)).mail }),
      },
      ...{ payload, reason, evidence },
      alone: closes(payload, newest) ? 'CLOSING' : null,
    });
    const addresses = (await db.findAddressesById(database, id)) ?? null;
    return { change, secret: hidden ? null : secret, addresses };
  }
}
