import { GraphQLJSONObject } from 'graphql-scalars';
import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import * as db from '../../db/alerts/alerts';
import type { OperatorRow } from '../../db/operators/operators';
import { ALERT_KINDS, ALERT_MEANS, type AlertKind } from '../../domain/alert';
import { businessError, notFound } from '../../domain/errors';
import { type Authority } from '../../domain/permissions';
import type { GraphContext } from '../context';
import { Operator } from '../operators/operator';
import { operatorAction } from '../../steps/operators/operator-action';
import { enumOf, SequenceScalar } from '../scalars';
import { refuse } from '../../steps/refuse';
import { operatorOf } from '../../steps/access/caller';

export const AlertKindEnum = enumOf(ALERT_KINDS);
registerEnumType(AlertKindEnum, {
  name: 'AlertKind',
  description: 'Why operators should look.',
  valuesConfig: Object.fromEntries(ALERT_KINDS.map((kind) => [kind, { description: ALERT_MEANS[kind] }])),
});

@ObjectType({ simpleResolvers: true, description: 'A condition that operators should look at.' })
export class Alert {
  @Field(() => ID, { description: 'A UUID, as `acknowledgeAlert` takes it.' })
  id!: string;

  @Field(() => AlertKindEnum, { description: 'What happened.' })
  kind!: AlertKind;

  @Field(() => ID, { nullable: true, description: 'Null if it concerns no merchant.' })
  merchantId!: string | null;

  @Field(() => GraphQLJSONObject, {
    description:
      'What it is about: orderNo, callbackId, outboxId, transferId, debitId, accountId, channelId, and the reason, as far as they apply.',
  })
  about!: Readonly<Record<string, string | null>>;

  @Field({ description: 'When it happened.' })
  raisedAt!: Date;

  @Field(() => Date, { nullable: true, description: 'Null until it is acknowledged.' })
  acknowledgedAt!: Date | null;

  @Field(() => SequenceScalar, {
    nullable: true,
    description:
      'The number of its last change among those of all alerts; null for the instant before it is published.',
  })
  seq!: bigint | null;
}

/** A restricted operator sees only alerts of its merchants, none without a merchant. */
const visible =
  ({ merchantIds }: Pick<Authority, 'merchantIds'>) =>
  ({ merchantId }: Pick<db.AlertRow, 'merchantId'>): boolean =>
    merchantIds === null || (merchantId !== null && merchantIds.includes(merchantId));

@Resolver(() => Alert)
export class AlertResolver {
  @FieldResolver(() => Operator, {
    nullable: true,
    description: 'The operator who acknowledged it.',
  })
  async acknowledgedBy(
    @Root() { acknowledgedBy }: db.AlertRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return acknowledgedBy === null ? undefined : await loaders.operators.load(acknowledgedBy);
  }

  @Authorized('VIEW')
  @Query(() => SequenceScalar, {
    description: 'The number of the last change of an alert: as `lastEventSeq`, for alertsChanged.',
  })
  lastAlertSeq(@Ctx() { events }: GraphContext): bigint {
    return events.alerts.lastSeq;
  }

  @Authorized('SUPPORT', 'RECONCILE', 'CONFIGURE', 'ADMIN')
  @Mutation(() => Alert, {
    description: 'Acknowledges an alert, so that others know that it is handled.',
  })
  async acknowledgeAlert(
    @Arg('id', () => ID, { description: 'The id of the alert.' }) id: string,
    @Arg('reason', { description: 'What was found or done.' }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.AlertRow> {
    const { actor, database, now } = context;
    const operator = operatorOf(actor);
    const alert = await db.findAlert(database, id);
    if (!alert || !visible(operator)(alert)) throw notFound('alert');
    const action = { action: 'acknowledgeAlert', subject: `alert:${id}`, reason };
    return await operatorAction(context, action, async (tx) => {
      const acknowledged = await db.acknowledgeAlert(tx, id, operator.id, now);
      if (!acknowledged) throw businessError('WRONG_STATE', 'the alert is already acknowledged');
      return acknowledged;
    });
  }

  @Authorized('VIEW')
  @Subscription(() => Alert, {
    description:
      'Each alert as it is raised and as it is acknowledged: first what has changed after the given number, each as it stands.',
    subscribe: ({ args, context }) => {
      const { actor, events, log, socket } = context as GraphContext;
      const { afterSeq } = args as { afterSeq?: bigint | null };
      try {
        return events.alerts.follow({
          after: afterSeq ?? null,
          key: null,
          accepts: visible(operatorOf(actor)),
          onSlow: () => socket?.dropSlow(),
        });
      } catch (error) {
        throw refuse(error, log, 'Subscription.alertsChanged');
      }
    },
  })
  alertsChanged(
    @Root() alert: db.PublishedAlert,
    @Arg('afterSeq', () => SequenceScalar, {
      nullable: true,
      description: 'The last number seen; from now on unless given.',
    })
    _afterSeq?: bigint | null,
  ): db.PublishedAlert {
    return alert;
  }
}
