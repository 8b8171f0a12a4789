import { Arg, Authorized, Ctx, Field, FieldResolver, ID, Mutation, ObjectType, Resolver, Root } from 'type-graphql';
import { LIMITS } from '../../domain/limits';
import type { Money } from '../../domain/money';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import type { PaidPart } from '../../db/transfers/credit-parts';
import type { OperatorWithAuthority } from '../../db/operators/operators';
import type { GraphContext } from '../context';
import { Operator } from '../operators/operator';
import { DecimalScalar } from '../scalars';
import { BankTransfer } from './bank-transfer';
import { noteTransfer } from '../../steps/transfers/credit-work';

const HOUR_MS = 3_600_000;

@ObjectType({
  simpleResolvers: true,
  description: 'What a deposit gets of a bank transfer: all of it, or a part.',
})
export class TransferPart {
  @Field({ description: 'The gateway number of the deposit.' })
  orderNo!: string;

  @Field(() => DecimalScalar, { description: 'What it gets, gross, in the currency of both.' })
  amount!: Money;
}

@Resolver(() => BankTransfer)
export class CreditWorkResolver {
  @Authorized('RECONCILE')
  @Mutation(() => BankTransfer, {
    description:
      'Notes who works on an unmatched transfer, and what was found out. Keeps nobody else from it, and moves no money.',
  })
  async noteTransfer(
    @Arg('transferId', () => ID, { description: 'The id of the bank transfer, a UUID.' })
    transferId: string,
    @Ctx() context: GraphContext,
    @Arg('mine', () => Boolean, {
      nullable: true,
      description: 'True: you work on it. False: nobody does. Null leaves it.',
    })
    mine?: boolean | null,
    @Arg('note', () => String, {
      nullable: true,
      description: 'What was found out, at most 500 characters; empty removes it, null leaves it.',
    })
    note?: string | null,
  ): Promise<BankTransferView> {
    return await noteTransfer(context, { transferId, mine, note });
  }

  @Authorized('VIEW')
  @FieldResolver(() => Operator, { nullable: true, description: 'Who works on it.' })
  async owner(
    @Root() { id }: BankTransfer,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorWithAuthority | undefined> {
    const ownerId = (await loaders.creditWork.load(id))?.ownerId ?? null;
    return ownerId === null ? undefined : await loaders.operators.load(ownerId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, { nullable: true, description: 'What was found out about it.' })
  async note(@Root() { id }: BankTransfer, @Ctx() { loaders }: GraphContext): Promise<string | null> {
    return (await loaders.creditWork.load(id))?.note ?? null;
  }

  @Authorized('VIEW')
  @FieldResolver(() => Date, {
    nullable: true,
    description: 'By when an unmatched transfer should have ended; null once it has.',
  })
  dueAt(@Root() { unmatchedReason, receivedAt }: BankTransfer): Date | null {
    return unmatchedReason === null ? null : new Date(receivedAt.getTime() + LIMITS.creditDueHours * HOUR_MS);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [TransferPart], {
    description: 'What it pays: one deposit as a whole, or several in parts.',
  })
  async pays(@Root() { id }: BankTransfer, @Ctx() { loaders }: GraphContext): Promise<readonly PaidPart[]> {
    return await loaders.paidParts.load(id);
  }
}
