import { combineTransfers, splitTransfer } from '../../steps/transfers/propose-parts';
import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { type Money } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import type { DepositView } from '../../db/deposits/deposits';
import { type BankTransferView } from '../../db/transfers/bank-transfers';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import { BankTransfer } from './bank-transfer';
import { PayeeInput } from '../postings/payee';

@ObjectType({
  simpleResolvers: true,
  description: 'Bank transfers that pay deposits in parts: proposed, or done.',
})
export class MatchedParts {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => [BankTransfer], { description: 'The bank transfers as they stand.' })
  transfers!: readonly BankTransferView[];

  @Field(() => [DepositOrder], { description: 'The deposits as they stand.' })
  deposits!: readonly DepositView[];
}

@InputType({ description: 'What one deposit gets of a bank transfer.' })
export class SplitPartInput {
  @Field({ description: 'The gateway number of the deposit; it begins with D.' })
  orderNo!: string;

  @Field(() => DecimalScalar, {
    description: 'What it gets, gross, in the currency of the transfer; greater than 0.',
  })
  amount!: Money;
}

@Resolver(() => BankTransfer)
export class MatchPartsResolver {
  @Authorized('RECONCILE')
  @Mutation(() => MatchedParts, {
    description:
      'Proposes that several unmatched transfers pay one PENDING deposit together; it is credited what they brought. Needs evidence, and two people where two are required.',
  })
  async combineTransfers(
    @Arg('transferIds', () => [ID], { description: 'The ids of the bank transfers, 2 to 20.' })
    transferIds: string[],
    @Arg('orderNo', { description: 'The gateway number of the deposit; it begins with D.' })
    orderNo: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<MatchedParts> {
    return await combineTransfers(context, { transferIds, orderNo, reason, evidence, key });
  }

  @Authorized('RECONCILE')
  @Mutation(() => MatchedParts, {
    description:
      'Proposes that one unmatched transfer pays several PENDING deposits, or one with an excess; what is left goes on waiting, or back to who paid it, as `returnMoney` sends it. Needs evidence, and two people where two are required.',
  })
  async splitTransfer(
    @Arg('transferId', () => ID, { description: 'The id of the bank transfer, a UUID.' })
    transferId: string,
    @Arg('parts', () => [SplitPartInput], { description: 'What each deposit gets, 1 to 20.' })
    parts: SplitPartInput[],
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
    @Arg('returnRestTo', () => PayeeInput, {
      nullable: true,
      description: 'Where what the parts leave goes back to; null: it goes on waiting.',
    })
    returnRestTo?: PayeeInput | null,
  ): Promise<MatchedParts> {
    return await splitTransfer(context, { transferId, parts, returnRestTo, reason, evidence, key });
  }
}
