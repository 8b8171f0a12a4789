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
import { businessError, notFound } from '../../domain/errors';
import type { WorkflowNoun } from '../../domain/ids';
import * as db from '../../db/events/outbox';
import { type GraphContext } from '../context';
import { operatorAction } from '../operators/operator-action';
import { linkTo, Workflow } from '../workflow';
import { REASON } from '../descriptions';

/** What a workflow is about, as GraphQL knows it. */
export const OutboxNounEnum = {
  DEPOSIT: 'deposit',
  CHANNEL_DEPOSIT: 'channel_deposit',
  CALLBACK: 'callback',
  MAIL: 'mail',
  CASHIER: 'cashier',
  WITHDRAWAL: 'withdrawal',
} as const satisfies Record<Uppercase<WorkflowNoun>, WorkflowNoun>;
registerEnumType(OutboxNounEnum, {
  name: 'OutboxNoun',
  description: 'What a workflow is about.',
  valuesConfig: {
    DEPOSIT: { description: 'A deposit order to an account.' },
    CHANNEL_DEPOSIT: { description: 'A deposit order that a channel takes or reports on.' },
    CALLBACK: { description: 'A callback to a merchant.' },
    MAIL: { description: 'A mail to an operator.' },
    CASHIER: { description: 'A cashier session.' },
    WITHDRAWAL: { description: 'A withdrawal order.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description:
    'A workflow to start or wake. Parked once Temporal has refused it as it is ten times: then a person looks.',
})
export class OutboxRow {
  @Field(() => ID, { description: 'A UUID, as `releaseOutboxRow` takes it.' })
  id!: string;

  @Field(() => OutboxNounEnum, { description: 'What the workflow is about.' })
  noun!: WorkflowNoun;

  @Field(() => String, { nullable: true, description: 'The order that it is about.' })
  orderNo!: string | null;

  @Field(() => Int, {
    description: 'How often Temporal refused it as it is; being away does not count.',
  })
  refusals!: number;

  @Field(() => String, { nullable: true, description: 'What Temporal said last.' })
  lastError!: string | null;

  @Field(() => Date, { nullable: true, description: 'Since when it waits for a person.' })
  parkedAt!: Date | null;

  @Field({ description: 'When the order changed.' })
  createdAt!: Date;
}

@Resolver(() => OutboxRow)
export class OutboxResolver {
  @Authorized('SUPPORT')
  @Mutation(() => OutboxRow, {
    description:
      'Gives a parked outbox row to the relay again, due now. It carries no news: nothing can happen twice.',
  })
  async releaseOutboxRow(
    @Arg('id', () => ID, { description: 'The id of the row.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.OutboxView> {
    const { database, now } = context;
    const row = await db.findOutbox(database, id);
    // Once Temporal has taken it, a row is gone.
    if (!row) throw notFound('outbox row');
    const action = { action: 'releaseOutboxRow', subject: row.key, reason, detail: { id } };
    return await operatorAction(context, action, async (tx) => {
      const released = await db.releaseOutbox(tx, id, now);
      if (!released) throw businessError('WRONG_STATE', 'the outbox row is not parked');
      return released;
    });
  }

  @Authorized('VIEW')
  @FieldResolver(() => Workflow, { description: 'The Temporal workflow that it is meant for.' })
  workflow(@Root() { key }: db.OutboxView, @Ctx() context: GraphContext): Workflow {
    return linkTo(context, key);
  }
}
