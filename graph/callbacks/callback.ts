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
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { openBody } from '../../crypto/callback-body';
import {
  NOTIFICATION_STATUSES,
  NOTIFICATION_TYPES,
  type NotificationStatus,
  type NotificationType,
} from '../../domain/callback';
import { workflowId } from '../../domain/ids';
import { callbackWaits } from '../../domain/waiting';
import type * as db from '../../db/callbacks/callbacks';
import { type GraphContext } from '../context';
import { resendCallback } from '../../steps/callbacks/resend-callback';
import { linkTo, Workflow } from '../workflow';
import { enumOf } from '../scalars';
import { REASON } from '../descriptions';
import { openAnswer } from '../../steps/callbacks/callback';

export const CallbackStatusEnum = enumOf(NOTIFICATION_STATUSES);
registerEnumType(CallbackStatusEnum, {
  name: 'CallbackStatus',
  description: 'Where a callback stands (contract, "NotificationLog status").',
  valuesConfig: {
    SENDING: { description: 'An attempt is under way.' },
    WAITING_RETRY: { description: 'Waits for its next attempt, or for its first.' },
    SUCCESS: { description: 'The merchant acknowledged it.' },
    FAILED: { description: 'The merchant refused it, or five attempts have failed.' },
  },
});

/** Types of callbacks, in the words of the contract. */
export const CallbackTypeEnum = enumOf(NOTIFICATION_TYPES);
registerEnumType(CallbackTypeEnum, {
  name: 'CallbackType',
  description: 'What a callback tells, in the words of the contract ("Events", notification_type).',
  valuesConfig: {
    deposit_matched: { description: 'A channel sees the payment of a deposit to an account.' },
    deposit_completed: { description: 'The deposit is credited.' },
    deposit_expired: { description: 'Nothing came in time.' },
    deposit_cancelled: { description: 'An operator cancelled the deposit.' },
    withdrawal_approved: { description: 'The withdrawal is to be paid.' },
    withdrawal_completed: { description: 'The beneficiary has the money.' },
    withdrawal_rejected: { description: 'People refused the withdrawal.' },
    withdrawal_failed: { description: 'The withdrawal is known not to have been paid.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'One attempt at a callback.' })
export class CallbackAttempt {
  @Field(() => Int, { description: 'Rises with each resend.' })
  generation!: number;

  @Field(() => Int, { description: '1-5 within its generation.' })
  attempt!: number;

  @Field({ description: 'When the request was sent.' })
  startedAt!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'Null while under way, or if it was interrupted.',
  })
  endedAt!: Date | null;

  @Field(() => Int, { nullable: true, description: "The merchant's HTTP status." })
  responseStatus!: number | null;

  @Field(() => String, { nullable: true, description: 'Why there was no answer.' })
  error!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A callback to a merchant.' })
export class Callback {
  @Field(() => ID, { description: 'A UUID, as `resendCallback` takes it.' })
  id!: string;

  @Field({ description: "The order's gateway number." })
  orderNo!: string;

  @Field(() => CallbackTypeEnum, { description: 'What it tells.' })
  notificationType!: NotificationType;

  @Field({ description: 'Where it is sent.' })
  targetUrl!: string;

  @Field(() => CallbackStatusEnum, { description: 'The status of its delivery.' })
  status!: NotificationStatus;

  @Field(() => Int, { description: 'Attempts since the last resend; the fifth is the last.' })
  attemptCount!: number;

  @Field(() => Int, { description: 'Attempts ever.' })
  totalAttempts!: number;

  @Field(() => Date, {
    nullable: true,
    description: 'When it is tried next; null when no attempt is due.',
  })
  nextAttemptAt!: Date | null;

  @Field(() => Int, {
    nullable: true,
    description: "The HTTP status of the merchant's last answer; null before any.",
  })
  responseStatus!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'Why the last attempt had no answer; null if it had one.',
  })
  lastError!: string | null;

  @Field({ description: 'When its order changed.' })
  createdAt!: Date;

  @Field({ description: 'When its delivery last changed.' })
  updatedAt!: Date;
}

@Resolver(() => CallbackAttempt)
export class CallbackAttemptResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: "The beginning of the merchant's answer.",
  })
  responseBody(@Root() attempt: db.CallbackAttemptRow, @Ctx() { sealer }: GraphContext): string | null {
    return openAnswer(sealer, attempt.responseBody, attempt.notificationId);
  }
}

@Resolver(() => Callback)
export class CallbackResolver {
  @Authorized('SUPPORT')
  @Mutation(() => Callback, {
    description: 'Sends a callback again: the same row and body, five fresh attempts. Not while one is under way.',
  })
  async resendCallback(
    @Arg('id', () => ID, { description: 'The id of the callback.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.NotificationRow> {
    return await resendCallback(context, { id, reason });
  }

  @FieldResolver(() => String, { description: 'The exact body that is sent.' })
  requestBody(@Root() callback: db.NotificationRow, @Ctx() { sealer }: GraphContext): string {
    return openBody(sealer, callback.requestBody, callback.merchantId);
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: "The beginning of the merchant's last answer; null before any.",
  })
  responseBody(@Root() callback: db.NotificationRow, @Ctx() { sealer }: GraphContext): string | null {
    return openAnswer(sealer, callback.responseBody, callback.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [CallbackAttempt], {
    description: 'Each request that was sent, all generations.',
  })
  async attempts(
    @Root() notification: Callback,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.CallbackAttemptRow[]> {
    return await loaders.attempts.load(notification.id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Workflow, { description: 'The Temporal workflow that delivers it.' })
  workflow(@Root() callback: Callback, @Ctx() context: GraphContext): Workflow {
    const id = workflowId('callback', `${callback.orderNo}:${callback.notificationType}`);
    return linkTo(context, id, callbackWaits(callback));
  }
}
