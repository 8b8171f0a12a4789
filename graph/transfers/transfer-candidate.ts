import {
  Arg,
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
import { openCredit } from '../../crypto/personal';
import { type Candidate, CANDIDATE_REASONS, type CandidateReason } from '../../domain/candidates';
import { creditSentence, differencesOf, orphanSentence } from '../../domain/credit-words';
import { invalidField } from '../../domain/errors';
import type { Money } from '../../domain/money';
import { reaches } from '../../domain/permissions';
import type { PossibleDepositRow } from '../../db/transfers/candidates';
import type { DepositView } from '../../db/deposits/deposits';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import { BankTransfer } from './bank-transfer';
import { type GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { DecimalScalar, enumOf } from '../scalars';
import { operatorOf } from '../../steps/access/caller';
import { shownNameTo } from '../../steps/access/masking';

export const CandidateReasonEnum = enumOf(Object.keys(CANDIDATE_REASONS) as CandidateReason[]);
registerEnumType(CandidateReasonEnum, {
  name: 'CandidateReason',
  description: 'Why a bank credit may pay a deposit.',
  valuesConfig: {
    REMARK: { description: 'The memo contains its remark.' },
    CLAIMED_REFERENCE: {
      description: 'Its payer claims, unproven, to have paid by the transfer that has exactly this reference.',
    },
    CLAIMED: { description: 'Its payer claims, unproven, to have paid.' },
    REMARK_ALIKE: { description: 'The memo contains its remark with one or two wrong characters.' },
    AMOUNT: { description: 'Its amount is exactly this one.' },
    AMOUNT_NEAR: { description: 'Its amount differs from this one by at most two percent.' },
    PAYER_ACCOUNT: { description: "The payer's account number ends as was announced." },
    PAYER_NAME: { description: 'The payer has the announced name.' },
    IN_TIME: { description: 'The bank booked it while the order could be paid.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: 'A deposit that a transfer may have been meant for. For a person to look at; decides nothing.',
})
export class TransferCandidate implements Pick<Candidate, 'reasons' | 'score'> {
  @Field(() => [CandidateReasonEnum], { description: 'The reasons for it, the strongest first.' })
  reasons!: readonly CandidateReason[];

  @Field(() => Int, {
    description: 'The sum of the weights of its reasons: for comparison, not a probability.',
  })
  score!: number;

  @Field(() => [String], {
    description:
      'What keeps the transfer from being exactly its money, in words such as "1.00 short"; empty where nothing does.',
  })
  differences!: readonly string[];

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What came less what was to be paid; null in another currency.',
  })
  amountDifference!: Money | null;
}

@Resolver(() => BankTransfer)
export class TransferCandidatesResolver {
  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description:
      'What came and what is wrong with it, in one sentence beside the likeliest order; null once it pays one. Times are ISO 8601 in UTC.',
  })
  async sentence(@Root() transfer: BankTransferView, @Ctx() context: GraphContext): Promise<string | null> {
    const { actor, loaders } = context;
    const { unmatchedReason } = transfer;
    if (unmatchedReason === null) return null;
    const operator = operatorOf(actor);
    const likeliest = (await loaders.candidates.load(transfer)).find(({ deposit }) =>
      reaches(operator, deposit.merchantId),
    );
    if (!likeliest) return orphanSentence(transfer, unmatchedReason);
    const { deposit, reasons } = likeliest;
    const credit = openCredit(context.sealer, transfer);
    const differences = differencesOf(credit, deposit, reasons, shownNameTo(context));
    return creditSentence(transfer, { reasons, differences, whose: `${deposit.orderNo}'s` });
  }

  @Authorized('VIEW')
  @FieldResolver(() => [TransferCandidate], {
    description:
      'Deposits that an unmatched transfer may have been meant for, the likeliest first; closed ones too. None once it pays one.',
  })
  async candidates(
    @Root() transfer: BankTransferView,
    @Arg('first', () => Int, { defaultValue: 5, description: '1-20.' }) first: number,
    @Ctx() context: GraphContext,
  ): Promise<readonly TransferCandidate[]> {
    const { actor, loaders } = context;
    if (first < 1 || first > 20) throw invalidField('first', 'must be 1-20', 'OUT_OF_RANGE');
    if (transfer.unmatchedReason === null) return [];
    const operator = operatorOf(actor);
    const credit = openCredit(context.sealer, transfer);
    return (await loaders.candidates.load(transfer))
      .filter(({ deposit }) => reaches(operator, deposit.merchantId))
      .slice(0, first)
      .map(({ deposit, reasons, score }) => ({
        deposit,
        reasons,
        score,
        differences: differencesOf(credit, deposit, reasons, shownNameTo(context)),
        amountDifference: transfer.currencyCode === deposit.currencyCode ? transfer.amount.minus(deposit.amount) : null,
      }));
  }
}

@Resolver(() => TransferCandidate)
export class TransferCandidateResolver {
  @Authorized('VIEW')
  @FieldResolver(() => DepositOrder, {
    description: 'The deposit that the money may have been meant for.',
  })
  async deposit(
    @Root() { deposit }: Candidate<PossibleDepositRow>,
    @Ctx() { loaders }: GraphContext,
  ): Promise<DepositView | undefined> {
    return await loaders.deposits.load(deposit.id);
  }
}
