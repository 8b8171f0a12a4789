import { Authorized, Ctx, Field, FieldResolver, Int, ObjectType, registerEnumType, Resolver, Root } from 'type-graphql';
import type { CandidateReason } from '../../domain/candidates';
import { DEPOSIT_ANSWERS, type DepositAnswer } from '../../domain/deposit-evidence';
import type { Money } from '../../domain/money';
import type { DepositView } from '../../db/deposits/deposits';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import type { GraphContext } from '../context';
import { DecimalScalar, enumOf } from '../scalars';
import { BankTransfer } from '../transfers/bank-transfer';
import { CandidateReasonEnum } from '../transfers/transfer-candidate';
import { DepositOrder } from './deposit';
import { evidenceOfDeposit } from '../../steps/deposits/evidence';

const DepositAnswerEnum = enumOf(Object.keys(DEPOSIT_ANSWERS) as DepositAnswer[]);
registerEnumType(DepositAnswerEnum, {
  name: 'DepositAnswer',
  description: 'Why a deposit is not credited, or that it is: the first that applies.',
  valuesConfig: Object.fromEntries(
    Object.entries(DEPOSIT_ANSWERS).map(([answer, description]) => [answer, { description }]),
  ),
});

@ObjectType({
  simpleResolvers: true,
  description: 'A waiting bank credit that may pay a deposit. Decides nothing.',
})
export class CreditForDeposit {
  @Field(() => BankTransfer, { description: 'The bank credit.' })
  transfer!: BankTransferView;

  @Field(() => [CandidateReasonEnum], { description: 'The reasons for it, the strongest first.' })
  reasons!: readonly CandidateReason[];

  @Field(() => Int, { description: 'The sum of the weights of its reasons, for comparison.' })
  score!: number;

  @Field(() => [String], {
    description: 'How it differs from the exact payment of the deposit, such as "1.00 short"; empty if it does not.',
  })
  differences!: readonly string[];

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The received amount less the amount to be paid; null in another currency.',
  })
  amountDifference!: Money | null;

  @Field({ description: 'The same in one sentence. Times are ISO 8601 in UTC.' })
  sentence!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why a deposit is not credited: credits that may pay it, its payer’s claim, missing reports.',
})
export class DepositEvidence {
  @Field(() => DepositAnswerEnum, { description: 'The answer in a word.' })
  answer!: DepositAnswer;

  @Field({ description: 'The answer for people. Times are ISO 8601 in UTC.' })
  sentence!: string;

  @Field(() => [CreditForDeposit], {
    description: 'Waiting bank credits that may pay it, the likeliest first.',
  })
  credits!: readonly CreditForDeposit[];

  @Field(() => Date, {
    nullable: true,
    description: 'When a credit or a debit of its account was last reported; null if never.',
  })
  lastReportAt!: Date | null;
}

@Resolver(() => DepositOrder)
export class DepositEvidenceResolver {
  @Authorized('VIEW')
  @FieldResolver(() => DepositEvidence, {
    description: 'Why it is not credited: credits that may pay it, its payer, its account.',
  })
  async evidence(@Root() deposit: DepositOrder, @Ctx() context: GraphContext): Promise<DepositEvidence> {
    return await evidenceOfDeposit(context, deposit as DepositView);
  }
}
