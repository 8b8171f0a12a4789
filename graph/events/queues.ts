import { Authorized, Ctx, Field, Int, ObjectType, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { QueueCounts as Counts } from '../../db/queues';
import type { GraphContext } from '../context';
import { operatorOf } from '../../steps/access/caller';

@ObjectType({
  simpleResolvers: true,
  description: 'How much work waits for people. Counted up to 1,000: that many or more.',
})
export class QueueCounts implements Counts {
  @Field(() => Int, {
    nullable: true,
    description: 'Bank transfers without a deposit. Null for who is restricted to merchants.',
  })
  unmatchedTransfers!: number | null;

  @Field(() => Int, { description: 'Workflows that could not be started or woken.' })
  parkedOutboxRows!: number;

  @Field(() => Int, { description: 'Callbacks that were given up.' })
  failedCallbacks!: number;

  @Field(() => Int, { description: 'Change requests that wait for a decision.' })
  openChanges!: number;

  @Field(() => Int, { description: 'Alerts that are not acknowledged.' })
  openAlerts!: number;

  @Field(() => Int, { description: 'Withdrawals that wait for people to decide.' })
  pendingWithdrawals!: number;

  @Field(() => Int, {
    description: 'Withdrawals whose payout has an unknown outcome that a person must find out.',
  })
  interventions!: number;

  @Field(() => Int, { description: 'Withdrawals with an open manual payout.' })
  manualTasks!: number;

  @Field(() => Int, { description: 'Money that goes back to payers, and is not sent yet.' })
  openReturns!: number;

  @Field(() => Int, {
    description: 'Late money at channels of which some waits; see `lateReceipts`.',
  })
  lateReceipts!: number;
}

@Resolver()
export class QueuesResolver {
  @Authorized('VIEW')
  @Query(() => QueueCounts, { description: 'The work that waits for people.' })
  async queues(@Ctx() { actor, events }: GraphContext): Promise<Counts> {
    return await events.queues.now(operatorOf(actor).merchantIds);
  }

  @Authorized('VIEW')
  @Subscription(() => QueueCounts, {
    description: 'The work that waits for people: as it stands, and when it changes, at most once a second.',
    subscribe: ({ context }) => {
      const { actor, events } = context as GraphContext;
      return events.queues.follow(operatorOf(actor).merchantIds);
    },
  })
  queuesChanged(@Root() counts: Counts): Counts {
    return counts;
  }
}
