import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from 'type-graphql';
import { statementNo } from '../../domain/billing';
import { workflowId } from '../../domain/ids';
import type { DeliveryKind, DeliveryStatus, PlatformEvent } from '../../domain/platform-event';
import { findAgentEnrolment } from '../../db/accounts/agent-enrolments';
import * as db from '../../db/platform-events/deliveries';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { Merchant } from '../merchants/merchant';
import { linkTo, Workflow } from '../workflow';
import { EventDeliveryKindEnum, EventDeliveryStatusEnum, PlatformEventEnum } from './event-enums';
import { resendEventDelivery } from '../../steps/platform-events/event-delivery';

@ObjectType({ simpleResolvers: true, description: 'One attempt to deliver an event.' })
export class EventAttempt {
  @Field(() => Int, { description: 'Rises with each resend.' })
  generation!: number;

  @Field(() => Int, { description: 'From 1, within its generation.' })
  attempt!: number;

  @Field({ description: 'When it began.' })
  startedAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Null while under way, or if it was interrupted.',
  })
  endedAt!: Date | null;

  @Field(() => Int, { nullable: true, description: "The receiver's HTTP status." })
  responseStatus!: number | null;

  @Field(() => String, { nullable: true, description: "The beginning of the receiver's answer." })
  responseBody!: string | null;

  @Field(() => String, { nullable: true, description: 'Why it was not accepted; null if it was.' })
  error!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'The delivery of an event to one address.' })
export class EventDelivery {
  @Field(() => ID, { description: 'A UUID, as `resendEventDelivery` takes it.' })
  id!: string;

  @Field(() => PlatformEventEnum, { description: 'What is delivered.' })
  event!: PlatformEvent;

  @Field(() => ID, {
    description: 'The id of the billing statement or alert that it reports, or of the link that it brings.',
  })
  subjectId!: string;

  @Field(() => EventDeliveryKindEnum, { description: 'How it is delivered.' })
  kind!: DeliveryKind;

  @Field({ description: 'The mail address, or the URL.' })
  target!: string;

  @Field(() => EventDeliveryStatusEnum, { description: 'Its status.' })
  status!: DeliveryStatus;

  @Field(() => Int, { description: 'Attempts since the last resend.' })
  attemptCount!: number;

  @Field(() => Int, { description: 'Attempts ever.' })
  totalAttempts!: number;

  @Field(() => Date, {
    nullable: true,
    description: 'When it is tried next; null when no attempt is due.',
  })
  nextAttemptAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why it was not accepted the last time; null if it was, or before the first attempt.',
  })
  lastError!: string | null;

  @Field({ description: 'When the event happened.' })
  createdAt!: Date;

  @Field({ description: 'When it last changed.' })
  updatedAt!: Date;
}

@Resolver(() => EventDelivery)
export class EventDeliveryResolver {
  @Authorized('SUPPORT')
  @Mutation(() => EventDelivery, {
    description: 'Delivers an event to an address again, with all its attempts. Not while one is under way.',
  })
  async resendEventDelivery(
    @Arg('id', () => ID, { description: 'The id of the delivery.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.EventDeliveryRow> {
    return await resendEventDelivery(context, { id, reason });
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'What it reports: the number of the statement, the kind of the alert, or the agent to enrol; null for a link to a secret.',
  })
  async about(
    @Root() { event, subjectId }: db.EventDeliveryRow,
    @Ctx() { database, loaders }: GraphContext,
  ): Promise<string | null> {
    if (event === 'tenant_owner_invite') return null;
    if (event === 'agent_invite') return (await findAgentEnrolment(database, subjectId))?.label ?? null;
    if (event === 'alert_raised') return (await loaders.alertKinds.load(subjectId)) ?? null;
    const statement = await loaders.billingStatements.load(subjectId);
    const merchant = statement && (await loaders.merchants.load(statement.merchantId));
    if (!merchant) return null;
    return statementNo(merchant.merchantCode, statement.currencyCode, statement.number);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [EventAttempt], { description: 'Each attempt, all generations.' })
  async attempts(
    @Root() { id }: db.EventDeliveryRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.EventAttemptRow[]> {
    return await loaders.eventAttempts.load(id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Merchant, {
    nullable: true,
    description: "Whose event it is; null: the platform's own.",
  })
  async merchant(
    @Root() { merchantId }: db.EventDeliveryRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<MerchantRow | undefined> {
    return merchantId === null ? undefined : await loaders.merchants.load(merchantId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Workflow, { description: 'The Temporal workflow that delivers the event.' })
  workflow(@Root() { eventId }: db.EventDeliveryRow, @Ctx() context: GraphContext): Workflow {
    return linkTo(context, workflowId('platform_event', eventId));
  }
}
