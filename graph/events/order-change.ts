import {
  Arg,
  Authorized,
  Field,
  ID,
  InputType,
  Ctx,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql';
import { invalidField, notFound } from '../../domain/errors';
import { reaches } from '../../domain/permissions';
import type { Database } from '../../db/client';
import { type DepositView, findDeposit } from '../../db/deposits/deposits';
import type { OrderEventRow } from '../../db/events/events';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import { findWithdrawal, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import { type GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import type { OrderChange as Change } from './event-hub';
import { OrderEvent } from '../deposits/order-event';
import { enumOf, SequenceScalar } from '../scalars';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { refuse } from '../../steps/refuse';
import { operatorOf } from '../../steps/access/caller';

/** More than a page of a list. */
const MOST_NAMED = 500;

/** Kinds of orders that are followed. */
const ORDER_KINDS = ['DEPOSIT', 'WITHDRAWAL'] as const;
type OrderKind = (typeof ORDER_KINDS)[number];
export const OrderKindEnum = enumOf(ORDER_KINDS);
registerEnumType(OrderKindEnum, {
  name: 'OrderKind',
  description: 'What an order is about.',
  valuesConfig: {
    DEPOSIT: { description: 'Money that a payer brings.' },
    WITHDRAWAL: { description: 'Money that a beneficiary gets.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'What happened to an order, and the order after it.',
})
export class OrderChange {
  @Field(() => SequenceScalar, {
    description: 'The number of the event: give the last one seen as `afterSeq`.',
  })
  seq!: bigint;

  @Field(() => OrderEvent, { description: 'What happened.' })
  event!: OrderEventRow;

  @Field(() => DepositOrder, {
    nullable: true,
    description: 'As it was after the event, or later still; null where it was about a withdrawal.',
  })
  deposit!: DepositView | null;

  @Field(() => WithdrawalOrder, {
    nullable: true,
    description: 'As it was after the event, or later still; null where it was about a deposit.',
  })
  withdrawal!: WithdrawalView | null;
}

@InputType({
  description:
    'Which orders are followed: all given fields must match. There is no filter by status: a subscriber would miss an order that leaves the status.',
})
export class OrderChangeFilter {
  @Field(() => [OrderKindEnum], { nullable: true, description: 'Orders of these kinds.' })
  kind?: readonly OrderKind[] | null;

  @Field(() => [String], {
    nullable: true,
    description: 'Gateway numbers, such as those on the screen; at most 500.',
  })
  orderNo?: readonly string[] | null;

  @Field(() => [ID], { nullable: true, description: 'At most 500.' })
  merchantId?: readonly string[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'Managed accounts that are paid to, or that pay; at most 500.',
  })
  accountId?: readonly string[] | null;
}

/** Turns a list of the filter into a test. @throws INVALID_FIELD if it is too long */
function among(name: string, values: readonly string[] | null | undefined): (value: string) => boolean {
  if (values === null || values === undefined) return () => true;
  if (values.length > MOST_NAMED) throw invalidField(name, `must be at most ${MOST_NAMED}`, 'OUT_OF_RANGE');
  const set = new Set(values);
  return (value) => set.has(value);
}

/** Whether a change passes the operator's filter and permissions. @throws INVALID_FIELD */
const accepts = (filter: OrderChangeFilter, operator: OperatorWithAuthority): ((change: Change) => boolean) => {
  const numbers = among('filter.orderNo', filter.orderNo);
  const merchants = among('filter.merchantId', filter.merchantId);
  const accounts = among('filter.accountId', filter.accountId);
  const kinds = among('filter.kind', filter.kind);
  return ({ deposit, withdrawal }) => {
    const order = deposit ?? withdrawal;
    return (
      order !== undefined &&
      reaches(operator, order.merchantId) &&
      kinds(deposit ? 'DEPOSIT' : 'WITHDRAWAL') &&
      numbers(order.orderNo) &&
      merchants(order.merchantId) &&
      // An order without an account matches no filter by account.
      accounts(order.accountId ?? '')
    );
  };
};

interface OrderArgs {
  readonly orderNo: string;
  readonly afterSeq?: bigint | null;
}

/** Follows one order. @throws NOT_FOUND */
async function followOrder(
  { actor, database, events, log, socket }: GraphContext,
  { orderNo, afterSeq }: OrderArgs,
  noun: 'deposit' | 'withdrawal',
  find: (
    database: Database,
    key: { readonly orderNo: string },
  ) => Promise<{ readonly id: string; readonly merchantId: string } | undefined>,
): Promise<AsyncIterable<Change>> {
  try {
    const order = await find(database, { orderNo });
    if (!order || !reaches(operatorOf(actor), order.merchantId)) throw notFound(noun);
    return events.orders.follow({
      after: afterSeq ?? 0n,
      key: order.id,
      accepts: ({ event }) => event.orderId === order.id,
      backlog: async (after) => await events.changesOf(order.id, after),
      onSlow: () => socket?.dropSlow(),
    });
  } catch (error) {
    throw refuse(error, log, `Subscription.${noun}Changed`);
  }
}

@Resolver()
export class OrderChangeResolver {
  @Authorized('VIEW')
  @Query(() => SequenceScalar, {
    description:
      'The number of the last event. Asked for beside a list, in one operation, it is the `afterSeq` from which that list stays up to date without a gap.',
  })
  lastEventSeq(@Ctx() { events }: GraphContext): bigint {
    // Not from the database: every list read after this contains what this process has read.
    return events.orders.lastSeq;
  }

  @Authorized('VIEW')
  @Subscription(() => OrderChange, {
    description:
      'What happens to orders, each event once: first what has happened after the given number, then each event as it is published.',
    subscribe: ({ args, context }) => {
      const { actor, events, log, socket } = context as GraphContext;
      const { filter, afterSeq } = args as { filter?: OrderChangeFilter; afterSeq?: bigint };
      try {
        return events.orders.follow({
          after: afterSeq ?? null,
          key: null,
          accepts: accepts(filter ?? {}, operatorOf(actor)),
          onSlow: () => socket?.dropSlow(),
        });
      } catch (error) {
        throw refuse(error, log, 'Subscription.ordersChanged');
      }
    },
  })
  ordersChanged(
    @Root() change: Change,
    @Arg('filter', () => OrderChangeFilter, {
      nullable: true,
      description: 'All orders unless given.',
    })
    _filter?: OrderChangeFilter | null,
    @Arg('afterSeq', () => SequenceScalar, {
      nullable: true,
      description: 'The last number seen; from now on unless given. Refused where it is 50,000 behind.',
    })
    _afterSeq?: bigint | null,
  ): Change {
    return change;
  }

  @Authorized('VIEW')
  @Subscription(() => OrderEvent, {
    description:
      'What happens to a deposit: first what has happened after the given number, then each event as it is published.',
    subscribe: async ({ args, context }) =>
      await followOrder(context as GraphContext, args as OrderArgs, 'deposit', findDeposit),
  })
  depositChanged(
    @Root() { event }: Change,
    @Arg('orderNo', { description: 'The gateway number of the deposit; it begins with D.' })
    _orderNo: string,
    @Arg('afterSeq', () => SequenceScalar, {
      nullable: true,
      description: 'The last number seen; all events unless given.',
    })
    _afterSeq?: bigint | null,
  ): OrderEventRow {
    return event;
  }

  @Authorized('VIEW')
  @Subscription(() => OrderEvent, {
    description:
      'What happens to a withdrawal: first what has happened after the given number, then each event as it is published.',
    subscribe: async ({ args, context }) =>
      await followOrder(context as GraphContext, args as OrderArgs, 'withdrawal', findWithdrawal),
  })
  withdrawalChanged(
    @Root() { event }: Change,
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    _orderNo: string,
    @Arg('afterSeq', () => SequenceScalar, {
      nullable: true,
      description: 'The last number seen; all events unless given.',
    })
    _afterSeq?: bigint | null,
  ): OrderEventRow {
    return event;
  }
}
