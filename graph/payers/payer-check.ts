import { Authorized, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { openFinding } from '../../crypto/personal';
import type { PayerOutcome } from '../../domain/payer-rules';
import type { DepositView } from '../../db/deposits/deposits';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { BankTransfer } from '../transfers/bank-transfer';
import { PayerOutcomeEnum } from './payer-enums';

@ObjectType({
  simpleResolvers: true,
  description: 'The findings about the payer of an order at its creation.',
})
export class PayerCheck {
  @Field(() => PayerOutcomeEnum, { description: 'What the findings cause for the order.' })
  outcome!: Exclude<PayerOutcome, 'REFUSE'>;

  @Field(() => [String], { description: 'The findings as text.' })
  findings!: readonly string[];
}

@Resolver(() => DepositOrder)
export class PayerCheckOfDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => PayerCheck, {
    nullable: true,
    description: 'The findings about its payer at its creation; null: none.',
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
    description: 'The findings about its payer as text; null: none.',
  })
  payerFinding(@Root() transfer: BankTransferView, @Ctx() { sealer }: GraphContext): string | null {
    return openFinding(sealer, transfer);
  }
}
