import { Authorized, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { PayerOutcome } from '../../domain/payer-rules';
import type { DepositView } from '../../db/deposits/deposits';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import { DepositOrder } from '../deposits/deposit';
import { BankTransfer } from '../transfers/bank-transfer';
import { PayerOutcomeEnum } from './payer-enums';

@ObjectType({
  simpleResolvers: true,
  description: 'What was found of the payer of an order when it was created.',
})
export class PayerCheck {
  @Field(() => PayerOutcomeEnum, { description: 'What came of it.' })
  outcome!: Exclude<PayerOutcome, 'REFUSE'>;

  @Field(() => [String], { description: 'What was found, in words.' })
  findings!: readonly string[];
}

@Resolver(() => DepositOrder)
export class PayerCheckOfDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => PayerCheck, {
    nullable: true,
    description: 'What was found of its payer when it was created; null: nothing was.',
  })
  payerCheck(@Root() { payerOutcome, payerFindings }: DepositView): PayerCheck | null {
    if (payerOutcome === null || payerOutcome === 'REFUSE') return null;
    return { outcome: payerOutcome, findings: payerFindings ?? [] };
  }
}

@Resolver(() => BankTransfer)
export class PayerFindingOfTransferResolver {
  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description: 'What was found of its payer, in words; null: nothing was.',
  })
  payerFinding(@Root() { payerFinding }: BankTransferView): string | null {
    return payerFinding;
  }
}
