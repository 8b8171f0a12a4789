import { Arg, Authorized, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { DepositView } from '../../db/deposits/deposits';
import { type BulkRefusal, eachOf } from '../../steps/bulk';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { type ErrorCode, ErrorCodeEnum } from '../error-codes';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { cancelDeposit } from '../../steps/deposits/cancel-deposit';
import { DepositOrder } from './deposit';

/** The most deposits of one call. */
const MOST_AT_ONCE = 100;

@ObjectType({ simpleResolvers: true, description: 'The result of one of several deposits.' })
export class BulkCancel implements BulkRefusal {
  @Field({ description: "The deposit's gateway number, as it was asked for." })
  orderNo!: string;

  @Field(() => DepositOrder, { nullable: true, description: 'As it is now; null if refused.' })
  deposit!: DepositView | null;

  @Field(() => ErrorCodeEnum, { nullable: true, description: 'The code of the refusal.' })
  code!: ErrorCode | null;

  @Field(() => String, { nullable: true, description: 'Why it was refused.' })
  message!: string | null;
}

@Resolver()
export class CancelDepositsResolver {
  @Authorized('SUPPORT')
  @Mutation(() => [BulkCancel], {
    description: `Cancels several deposits, at most ${MOST_AT_ONCE}: each as \`cancelDeposit\` does, with an outcome and an entry in the audit log of its own.`,
  })
  async cancelDeposits(
    @Arg('orderNos', () => [String], {
      description: 'Gateway numbers of deposits; they begin with D.',
    })
    orderNos: string[],
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<BulkCancel[]> {
    const named = { field: 'orderNos', values: orderNos, most: MOST_AT_ONCE };
    const results = await eachOf(
      context,
      named,
      'cancelDeposits',
      async (orderNo) => await cancelDeposit(context, { orderNo, reason, key: key ? `${key}:${orderNo}` : null }),
    );
    return results.map(({ value, done, ...refusal }) => ({
      orderNo: value,
      deposit: done,
      ...refusal,
    }));
  }
}
