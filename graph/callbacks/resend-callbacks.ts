import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { NotificationRow } from '../../db/callbacks/callbacks';
import { type BulkRefusal, eachOf } from '../../steps/bulk';
import type { GraphContext } from '../context';
import { REASON } from '../descriptions';
import { type ErrorCode, ErrorCodeEnum } from '../error-codes';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { Callback } from './callback';
import { resendCallback } from '../../steps/callbacks/resend-callback';

/** The most callbacks of one resend; `resendFailedCallbacks` takes all that failed. */
const MOST_AT_ONCE = 100;

@ObjectType({ simpleResolvers: true, description: 'What became of one of several callbacks.' })
export class BulkResend implements BulkRefusal {
  @Field(() => ID, { description: 'The id of the callback, as it was asked for.' })
  id!: string;

  @Field(() => Callback, { nullable: true, description: 'As it is now; null if refused.' })
  callback!: NotificationRow | null;

  @Field(() => ErrorCodeEnum, { nullable: true, description: 'The code of the refusal.' })
  code!: ErrorCode | null;

  @Field(() => String, { nullable: true, description: 'Why it was refused.' })
  message!: string | null;
}

@Resolver()
export class ResendCallbacksResolver {
  @Authorized('SUPPORT')
  @Mutation(() => [BulkResend], {
    description: `Sends several callbacks again, at most ${MOST_AT_ONCE}: each as \`resendCallback\` does, with an outcome and an entry in the audit log of its own.`,
  })
  async resendCallbacks(
    @Arg('ids', () => [ID], { description: 'The ids of the callbacks.' }) ids: string[],
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<BulkResend[]> {
    const named = { field: 'ids', values: ids, most: MOST_AT_ONCE };
    const results = await eachOf(
      context,
      named,
      'resendCallbacks',
      async (id) => await resendCallback(context, { id, reason, key: key ? `${key}:${id}` : null }),
    );
    return results.map(({ value, done, ...refusal }) => ({
      id: value,
      callback: done,
      ...refusal,
    }));
  }
}
