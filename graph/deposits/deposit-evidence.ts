import {
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  Int,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
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
import { evidenceOfDeposit } from './evidence';

/** The answer as GraphQL knows it. */
const DepositAnswerEnum = enumOf(Object.keys(DEPOSIT_ANSWERS) as DepositAnswer[]);
registerEnumType(DepositAnswerEnum, {
  name: 'DepositAnswer',
  description: 'Why a deposit is not credited, or that it is: the first that holds.',
  valuesConfig: Object.fromEntries(
    Object.entries(DEPOSIT_ANSWERS).map(([answer, description]) => [answer, { description }]),
  ),
});

@ObjectType({
  simpleResolvers: true,
  description: 'A bank credit that nobody has and that may be for a deposit. Decides nothing.',
})
export class CreditForDeposit {
  @Field(() => BankTransfer, { description: 'The bank credit.' })
  transfer!: BankTransferView;

  @Field(() => [CandidateReasonEnum], { description: 'What speaks for it, the weightiest first.' })
  reasons!: readonly CandidateReason[];

  @Field(() => Int, { description: 'The sum of what speaks for it: for comparing.' })
  score!: number;

  @Field(() => [String], {
    description:
      'What keeps it from being exactly the money of the deposit, in words such as "1.00 short"; empty where nothing does.',
  })
  differences!: readonly string[];

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What came less what was to be paid; null in another currency.',
  })
  amountDifference!: Money | null;

  @Field({ description: 'The same in one sentence. Times are ISO 8601 in UTC.' })
  sentence!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Why a deposit is not credited: what came, what its payer says, who was silent.',
})
export class DepositEvidence {
  @Field(() => DepositAnswerEnum, { description: 'The answer in a word.' })
  answer!: DepositAnswer;

  @Field({ description: 'The answer for people. Times are ISO 8601 in UTC.' })
  sentence!: string;

  @Field(() => [CreditForDeposit], {
    description: 'Bank credits that nobody has and that may be for it, the likeliest first.',
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
    description: 'Why it is not credited: credits that may be for it, its payer, its account.',
  })
  async evidence(
    @Root() deposit: DepositOrder,
    @Ctx() context: GraphContext,
  ): Promise<DepositEvidence> {
    return await evidenceOfDeposit(context, deposit as DepositView);
  }
}
