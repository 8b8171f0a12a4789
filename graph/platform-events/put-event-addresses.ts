import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { MOST_EVENT_MAILS, type PlatformEvent } from '../../domain/platform-event';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/platform-events/addresses';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { EventAddresses } from './event-addresses';
import { PlatformEventEnum } from './event-enums';
import { putEventAddresses } from '../../steps/platform-events/put-event-addresses';

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
    return await putEventAddresses(context, input, { reason, evidence });
  }
}
