import { Arg, Authorized, Ctx, Query, Resolver } from 'type-graphql';
import { invalidField } from '../../domain/errors';
import { type DepositView, findDepositsByNumber } from '../../db/deposits/deposits';
import { findWithdrawalsByNumber, type WithdrawalView } from '../../db/withdrawals/withdrawals';
import type { GraphContext } from '../context';
import { Order } from './order';

/** The most numbers in one query. */
const MOST_NUMBERS = 200;

type OrderView = DepositView | WithdrawalView;

/** Orders of both kinds by their gateway numbers, with one SQL statement for each kind. */
async function ordersByNumber(
  { database }: GraphContext,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, OrderView>> {
  const beginning = (letter: string): string[] => [
    ...new Set(numbers.filter((number) => number.startsWith(letter))),
  ];
  const [deposits, withdrawals] = [beginning('D'), beginning('W')];
  const found = await Promise.all([
    deposits.length === 0 ? [] : findDepositsByNumber(database, deposits),
    withdrawals.length === 0 ? [] : findWithdrawalsByNumber(database, withdrawals),
  ]);
  return new Map(found.flat().map((order) => [order.orderNo, order]));
}

@Resolver()
export class FindOrdersResolver {
  @Authorized('VIEW')
  @Query(() => Order, {
    nullable: true,
    description: 'Any order, a deposit or a withdrawal, by its gateway number.',
  })
  async order(
    @Arg('number', { description: 'The gateway number, exactly; it begins with D or W.' })
    number: string,
    @Ctx() context: GraphContext,
  ): Promise<OrderView | undefined> {
    return (await ordersByNumber(context, [number])).get(number);
  }

  @Authorized('VIEW')
  @Query(() => [Order], {
    description:
      'Orders of both kinds by their gateway numbers, in the order of the numbers. A number that names none is left out.',
  })
  async orders(
    @Arg('numbers', () => [String], {
      description: `Gateway numbers, exactly; ${MOST_NUMBERS} at most.`,
    })
    numbers: string[],
    @Ctx() context: GraphContext,
  ): Promise<OrderView[]> {
    if (numbers.length > MOST_NUMBERS)
      throw invalidField('numbers', `must be at most ${MOST_NUMBERS}`, 'OUT_OF_RANGE');
    const found = await ordersByNumber(context, numbers);
    return [...new Set(numbers)].flatMap((number) => found.get(number) ?? []);
  }
}
