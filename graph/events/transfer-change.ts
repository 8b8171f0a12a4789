import { Arg, Authorized, Ctx, Field, ObjectType, Query, Resolver, Root, Subscription } from 'type-graphql';
import type { BankTransferView, TransferChange } from '../../db/transfers/bank-transfers';
import type { GraphContext } from '../context';
import { SequenceScalar } from '../scalars';
import { BankTransfer } from '../transfers/bank-transfer';
import { unlessRestricted } from '../transfers/bank-transfer-list';
import { refuse } from '../../steps/refuse';

@ObjectType({ simpleResolvers: true, description: 'A bank transfer after its last change.' })
export class BankTransferChange {
  @Field(() => SequenceScalar, {
    description: 'The number of the change: give the last one seen as `afterSeq`.',
  })
  seq!: bigint;

  @Field(() => BankTransfer, { description: 'As it stood when the change was read, or later.' })
  transfer!: BankTransferView;
}

@Resolver()
export class TransferChangeResolver {
  @Authorized('VIEW')
  @Query(() => SequenceScalar, {
    description: 'The number of the last change of a bank transfer: as `lastEventSeq`, for bankTransfersChanged.',
  })
  lastBankTransferSeq(@Ctx() { events }: GraphContext): bigint {
    return events.transfers.lastSeq;
  }

  @Authorized('VIEW')
  @Subscription(() => BankTransferChange, {
    description:
      'Each bank transfer as it is reported, matched and reopened: first what has changed after the given number, each as it stands.',
    subscribe: ({ args, context }) => {
      const { events, log, socket } = context as GraphContext;
      const { afterSeq } = args as { afterSeq?: bigint | null };
      try {
        unlessRestricted({}, context as GraphContext);
        return events.transfers.follow({
          after: afterSeq ?? null,
          key: null,
          accepts: () => true,
          onSlow: () => socket?.dropSlow(),
        });
      } catch (error) {
        throw refuse(error, log, 'Subscription.bankTransfersChanged');
      }
    },
  })
  bankTransfersChanged(
    @Root() change: TransferChange,
    @Arg('afterSeq', () => SequenceScalar, {
      nullable: true,
      description: 'The last number seen; from now on unless given.',
    })
    _afterSeq?: bigint | null,
  ): TransferChange {
    return change;
  }
}
