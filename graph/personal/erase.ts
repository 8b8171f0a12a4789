import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { notFound } from '../../domain/errors';
import type { ChangeRow } from '../../db/changes/change-requests';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { requireErasable } from '../../steps/personal/erase-effects';
import { ordersOfPerson } from '../../steps/personal/orders-of-person';
import { requireReach } from '../../steps/access/caller';

@ObjectType({ simpleResolvers: true, description: 'A proposed erasure of a person.' })
export class PersonErasure {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;
}

@Resolver()
export class ErasePersonResolver {
  @Authorized('SUPPORT')
  @Mutation(() => PersonErasure, {
    description:
      'Proposes to erase the payer or the beneficiary of an order from all orders of its merchant with the same account, mobile number, mail address or user id, and from what belongs to them. Amounts and postings stay. Refused while one of them is under way. It cannot be undone.',
  })
  async erasePerson(
    @Arg('orderId', () => ID, { description: 'The id of a deposit or withdrawal, a UUID.' })
    orderId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
  ): Promise<PersonErasure> {
    const { loaders, actor, database } = context;
    const deposit = await loaders.deposits.load(orderId);
    const order = deposit ?? (await loaders.withdrawals.load(orderId));
    if (!order) throw notFound('order');
    requireReach(actor, order.merchantId, 'order');
    const orders = await ordersOfPerson(database.sql, context, orderId);
    if (orders.length === 0) throw notFound('person');
    requireErasable(orders);
    const count = (noun: string): number => orders.filter((one) => one.noun === noun).length;
    const after = { deposits: count('deposit'), withdrawals: count('withdrawal') };
    const change = await propose(context, {
      kind: 'ERASE_PERSON',
      subject: { kind: deposit ? 'deposit' : 'withdrawal', id: orderId, name: order.orderNo },
      merchantId: order.merchantId,
      summary: `Erase the person of ${order.orderNo} from ${after.deposits} deposits and ${after.withdrawals} withdrawals`,
      before: {},
      after,
      payload: { orderId },
      reason,
      evidence,
    });
    return { change };
  }
}
