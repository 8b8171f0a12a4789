import { Authorized, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphContext } from '../context';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { OrderRoute, routeOfNote } from './order-route';
import { noteOfEvent } from '../../steps/routing/order-route';

@Resolver(() => WithdrawalOrder)
export class RoutesOfWithdrawalResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [OrderRoute], {
    description: 'Why it went where it went, each time that a channel was looked for, in order.',
  })
  async routes(@Root() { id }: WithdrawalOrder, @Ctx() context: GraphContext): Promise<OrderRoute[]> {
    const events = await context.loaders.events.load(id);
    const notes = events.flatMap(({ detail }) => noteOfEvent(detail) ?? []);
    return await Promise.all(notes.map((note) => routeOfNote(context, 'PAYOUT', note)));
  }
}
