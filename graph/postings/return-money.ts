import { returnMoney, refundDeposit } from '../../steps/postings/return-money';
import { Arg, Authorized, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { type Money } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/ledger/payer-returns';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import { PayeeInput } from './payee';
import { PayerReturn } from './payer-return';

@ObjectType({ simpleResolvers: true, description: 'A return to a payer that was asked for.' })
export class ReturnResult {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => PayerReturn, { nullable: true, description: 'Null until the change is applied.' })
  payerReturn!: db.PayerReturnRow | null;
}

@Resolver(() => PayerReturn)
export class ReturnMoneyResolver {
  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => ReturnResult, {
    description:
      'Proposes to send money that waits back to who paid it. Needs evidence; a second person approves, then a person sends it. Until then the money stays in suspense, and nothing else may use it.',
  })
  async returnMoney(
    @Arg('transferId', () => ID, { description: 'The id of the bank transfer, a UUID.' })
    transferId: string,
    @Arg('payee', () => PayeeInput, { description: 'Where it goes back to.' }) payee: PayeeInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, {
      nullable: true,
      description: 'How much of it; null: all that still waits.',
    })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<ReturnResult> {
    return await returnMoney(context, { transferId, payee, reason, evidence, part, key });
  }

  @Authorized('TREASURER')
  @Mutation(() => ReturnResult, {
    description:
      'Proposes to refund a completed deposit to its payer, whole or in part, several times up to what was received. Needs evidence; a second person approves: then it is frozen in the balance of the merchant, and a person sends it. The fee stays earned, the order stays COMPLETED.',
  })
  async refundDeposit(
    @Arg('orderNo', { description: 'The gateway number of the deposit; it begins with D.' })
    orderNo: string,
    @Arg('payee', () => PayeeInput, { description: 'Where it goes back to.' }) payee: PayeeInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, {
      nullable: true,
      description: 'How much of what was received; null: all of it.',
    })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<ReturnResult> {
    return await refundDeposit(context, { orderNo, payee, reason, evidence, part, key });
  }
}
