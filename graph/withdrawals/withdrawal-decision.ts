import { type GraphQLResolveInfo, OperationTypeNode } from 'graphql';
import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Mutation,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { WITHDRAWAL_VERDICTS, type WithdrawalVerdict } from '../../domain/withdrawal';
import type { OperatorRow } from '../../db/operators/operators';
import * as db from '../../db/withdrawals/withdrawals';
import { type GraphContext } from '../context';
import { type ErrorCode, ErrorCodeEnum } from '../error-codes';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { Operator } from '../operators/operator';
import { operatorAction } from '../../steps/operators/operator-action';
import { enumOf } from '../scalars';
import { type Decided, decideWithdrawal, refusalOfWithdrawalApproval } from '../../steps/withdrawals/decide-withdrawal';
import { WithdrawalOrder } from './withdrawal';
import { refuse } from '../../steps/refuse';
import { operatorOf, requireReach } from '../../steps/access/caller';
import { warrantOf } from '../authority/warrant';

/** The most withdrawals of one call. */
const MOST_AT_ONCE = 100;

export const WithdrawalVerdictEnum = enumOf(WITHDRAWAL_VERDICTS);
registerEnumType(WithdrawalVerdictEnum, {
  name: 'WithdrawalVerdict',
  description: 'What a person decides on a withdrawal.',
  valuesConfig: {
    APPROVE: { description: 'It is to be paid.' },
    REJECT: { description: 'It is not; the remarks say why, and the merchant reads them.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'What a person decided on a withdrawal.' })
export class WithdrawalDecision {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => WithdrawalVerdictEnum, { description: 'Approved or rejected.' })
  verdict!: WithdrawalVerdict;

  @Field(() => String, {
    nullable: true,
    description: 'What was said with it; a rejection always says why.',
  })
  remarks!: string | null;

  @Field({ description: 'When it was decided.' })
  at!: Date;

  @Field(() => Date, { nullable: true, description: 'When the order followed.' })
  appliedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'A decision that is recorded.' })
export class DecidedWithdrawal {
  @Field(() => WithdrawalOrder, {
    description: 'The withdrawal as it stands now; it may follow the decision later (`applied`).',
  })
  withdrawal!: db.WithdrawalView;

  @Field({ description: 'The order has followed. If not, it will: `note` says what it waits for.' })
  applied!: boolean;

  @Field({ description: 'What comes next, in words.' })
  note!: string;
}

@ObjectType({ simpleResolvers: true, description: 'What became of one of several decisions.' })
export class BulkDecision {
  @Field({ description: "The withdrawal's gateway number, as it was asked for." })
  orderNo!: string;

  @Field(() => DecidedWithdrawal, { nullable: true, description: 'Null where it was refused.' })
  decided!: Decided | null;

  @Field(() => ErrorCodeEnum, { nullable: true, description: 'The code of the refusal.' })
  code!: ErrorCode | null;

  @Field(() => String, { nullable: true, description: 'Why it was refused.' })
  message!: string | null;
}

@Resolver(() => WithdrawalDecision)
export class WithdrawalDecisionResolver {
  @Authorized('APPROVE')
  @Mutation(() => DecidedWithdrawal, {
    description: 'Approves a withdrawal. Above a limit two people have to; a token never may.',
  })
  async approveWithdrawal(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Ctx() context: GraphContext,
    @Arg('remarks', () => String, { nullable: true, description: 'The merchant reads them.' })
    remarks?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<Decided> {
    const warrant = warrantOf(context, 'approveWithdrawal');
    const request = {
      orderNo,
      verdict: 'APPROVE',
      warrant,
      remarks: remarks ?? null,
      key,
    } as const;
    return await decideWithdrawal(context, request);
  }

  @Authorized('APPROVE')
  @Mutation(() => DecidedWithdrawal, {
    description: 'Rejects a withdrawal: what it had frozen is available to the merchant again.',
  })
  async rejectWithdrawal(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Arg('remarks', { description: 'Why; the merchant reads it.' }) remarks: string,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<Decided> {
    return await decideWithdrawal(context, {
      orderNo,
      verdict: 'REJECT',
      warrant: null,
      remarks,
      key,
    });
  }

  @Authorized('APPROVE')
  @Mutation(() => [BulkDecision], {
    description: `Decides on several withdrawals alike, at most ${MOST_AT_ONCE}; each has its own outcome.`,
  })
  async decideWithdrawals(
    @Arg('orderNos', () => [String], {
      description: 'Gateway numbers of withdrawals, at most 100; each is decided by itself.',
    })
    orderNos: string[],
    @Arg('verdict', () => WithdrawalVerdictEnum, { description: 'The same for all of them.' })
    verdict: WithdrawalVerdict,
    @Ctx() context: GraphContext,
    @Arg('remarks', () => String, {
      nullable: true,
      description: 'At most 500 characters; a rejection must say why.',
    })
    remarks?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<BulkDecision[]> {
    const named = [...new Set(orderNos)];
    if (named.length === 0 || named.length > MOST_AT_ONCE)
      throw invalidField('orderNos', `must be 1-${MOST_AT_ONCE}`, 'OUT_OF_RANGE');
    return await Promise.all(
      named.map(async (orderNo) => {
        const own = key ? `${key}:${orderNo}` : null;
        const request = { orderNo, remarks: remarks ?? null, key: own };
        try {
          const decided = await decideWithdrawal(
            context,
            verdict === 'APPROVE'
              ? { ...request, verdict, warrant: warrantOf(context, 'approveWithdrawal') }
              : { ...request, verdict, warrant: null },
          );
          return { orderNo, decided, code: null, message: null };
        } catch (error) {
          const { code, message } = refuse(error, context.log, 'decideWithdrawals');
          return { orderNo, decided: null, code, message };
        }
      }),
    );
  }

  @FieldResolver(() => Operator, { description: 'Who decided.' })
  async operator(
    @Root() { operatorId }: db.DecisionRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return await loaders.operators.load(operatorId);
  }
}

@Resolver(() => WithdrawalOrder)
export class WithdrawalDecidingResolver {
  @Authorized('APPROVE')
  @Mutation(() => WithdrawalOrder, {
    description:
      'Shows others that you are looking at a PENDING withdrawal, so that they do not do the same work. It stops nobody from deciding.',
  })
  async claimWithdrawal(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Ctx() context: GraphContext,
  ): Promise<db.WithdrawalView> {
    return await this.claim(context, orderNo, operatorOf(context.actor).id);
  }

  @Authorized('APPROVE')
  @Mutation(() => WithdrawalOrder, { description: 'Gives a claimed withdrawal back.' })
  async releaseWithdrawal(
    @Arg('orderNo', { description: 'The gateway number of the withdrawal; it begins with W.' })
    orderNo: string,
    @Ctx() context: GraphContext,
  ): Promise<db.WithdrawalView> {
    return await this.claim(context, orderNo, null);
  }

  private async claim(context: GraphContext, orderNo: string, operatorId: string | null): Promise<db.WithdrawalView> {
    const { actor, database, now } = context;
    const withdrawal = await db.findWithdrawal(database, { orderNo });
    if (!withdrawal) throw notFound('withdrawal');
    requireReach(actor, withdrawal.merchantId, 'withdrawal');
    const action = {
      action: operatorId ? 'claimWithdrawal' : 'releaseWithdrawal',
      subject: `withdrawal:${orderNo}`,
      reason: operatorId ? 'looks at it' : 'gives it back',
      about: { orderNo, depositTraceId: withdrawal.traceId },
    };
    await operatorAction(context, action, async (tx) => {
      if (!(await db.claimWithdrawal(tx, withdrawal.id, operatorId, now)))
        throw businessError(
          'NOT_HELD',
          operatorId ? 'it is decided, or another operator has claimed it' : 'it is already decided',
        );
    });
    return (await db.findWithdrawal(database, { orderNo })) ?? withdrawal;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [WithdrawalDecision], { description: 'What people decided, in order.' })
  async decisions(
    @Root() { id }: WithdrawalOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.DecisionRow[]> {
    return await loaders.withdrawalDecisions.load(id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Why you may not approve it now; null if you may. Not available in a subscription, which sends the same to all subscribers.',
  })
  async refusal(
    @Root() withdrawal: db.WithdrawalView,
    @Ctx() context: GraphContext,
    @Info() { operation }: GraphQLResolveInfo,
  ): Promise<string | null> {
    if (operation.operation === OperationTypeNode.SUBSCRIPTION)
      throw businessError('NOT_ENABLED', 'this field is not available in a subscription: use a query');
    return await refusalOfWithdrawalApproval(context, withdrawal);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Operator, {
    nullable: true,
    description: 'The operator who has claimed it.',
  })
  async claimant(
    @Root() { claimedBy }: WithdrawalOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return claimedBy === null ? undefined : await loaders.operators.load(claimedBy);
  }
}
