import { Arg, Authorized, Ctx, Query, Resolver } from 'type-graphql';
import { invalidField } from '../../domain/errors';
import type { GraphContext } from '../context';
import { Order } from './order';
import { MOST_NUMBERS, ordersByNumber, type OrderView } from '../../steps/orders/find-orders';

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
    if (numbers.length > MOST_NUMBERS) throw invalidField('numbers', `must be at most ${MOST_NUMBERS}`, 'OUT_OF_RANGE');
    const found = await ordersByNumber(context, numbers);
    return [...new Set(numbers)].flatMap((number) => found.get(number) ?? []);
  }
}
