import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import type { Money } from '../../domain/money';
import { readSettlementFile } from '../../domain/settlement';
import type { OperatorRow } from '../../db/operators/operators';
import type { SettlementAccountRow } from '../../db/settlements/settlement-accounts';
import type { SettlementRow as StoredSettlement } from '../../db/settlements/settlements';
import type { WithdrawalView } from '../../db/withdrawals/withdrawals';
import { warrantOf } from '../authority/warrant';
import { type GraphContext } from '../context';
import { type ErrorCode, ErrorCodeEnum } from '../error-codes';
import { Operator } from '../operators/operator';
import { requireReason } from '../../steps/operators/operator-action';
import { DecimalScalar, enumOf } from '../scalars';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { proposeSettlement } from '../../steps/settlements/propose-settlement';
import { SettlementAccount } from './settlement-account';
import { REASON } from '../descriptions';
import { refuse } from '../../steps/refuse';
import { proposeLine } from '../../steps/settlements/propose-line';

@ObjectType({
  simpleResolvers: true,
  description: 'What a withdrawal is about by which operators pay a merchant its balance.',
})
export class Settlement {
  @Field({ description: "The operators' own number, one for each settlement of a merchant." })
  reference!: string;

  @Field({ description: 'The reason that the proposer gave.' })
  reason!: string;
}

@InputType({ description: 'A settlement to propose.' })
export class SettlementInput {
  @Field(() => ID, { description: 'The id of the settlement account to pay to, a UUID.' })
  settlementAccountId!: string;

  @Field(() => DecimalScalar, {
    description:
      'What the merchant gets, in the currency of the account, at most as many decimal places as the currency has.',
  })
  amount!: Money;

  @Field({
    description: `1-${LIMITS.settlementReference} characters; sent again with it nothing more is done.`,
  })
  reference!: string;
}

const SETTLEMENT_OUTCOMES = ['PROPOSED', 'REPEATED', 'REFUSED'] as const;
const SettlementOutcomeEnum = enumOf(SETTLEMENT_OUTCOMES);
registerEnumType(SettlementOutcomeEnum, {
  name: 'SettlementOutcome',
  description: 'What became of a row of a file of settlements.',
  valuesConfig: {
    PROPOSED: { description: 'Its amount is frozen, and it waits for another person.' },
    REPEATED: { description: 'It was proposed before, just so; nothing more was done.' },
    REFUSED: { description: 'Nothing came of it: `message` says why.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'What became of a row of a file.' })
export class SettlementRow {
  @Field(() => Int, { description: 'Of the file, the headings being 1.' })
  line!: number;

  @Field({ description: 'As it stands in the file.' })
  reference!: string;

  @Field(() => SettlementOutcomeEnum, { description: 'Whether this row made a withdrawal.' })
  outcome!: (typeof SETTLEMENT_OUTCOMES)[number];

  @Field(() => WithdrawalOrder, { nullable: true, description: 'Null where it was refused.' })
  withdrawal!: WithdrawalView | null;

  @Field(() => ErrorCodeEnum, { nullable: true, description: 'The code of the refusal.' })
  code!: ErrorCode | null;

  @Field(() => String, { nullable: true, description: 'Why it was refused.' })
  message!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'What became of the rows of a file.' })
export class SettlementFileResult {
  @Field(() => [SettlementRow], { description: 'In the order of the file.' })
  results!: readonly SettlementRow[];

  @Field(() => Int, { description: 'Rows that were proposed, now or before.' })
  succeeded!: number;

  @Field(() => Int, { description: 'Rows that were refused.' })
  refused!: number;
}

@Resolver(() => Settlement)
export class SettlementResolver {
  @Authorized('TREASURER')
  @Mutation(() => WithdrawalOrder, {
    description:
      'Proposes to pay a merchant from its available balance to its settlement account. The amount is frozen; another person approves it as a withdrawal.',
  })
  async proposeSettlement(
    @Arg('input', { description: 'What to pay, and where to.' })
    { settlementAccountId: id, amount, reference }: SettlementInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<WithdrawalView> {
    const account = await context.loaders.settlementAccounts.load(id);
    if (!account) throw notFound('settlement account');
    const { withdrawal } = await proposeSettlement(context, warrantOf(context, 'proposeSettlement'), {
      account,
      amount,
      reference,
      reason,
    });
    return withdrawal;
  }

  @Authorized('TREASURER')
  @Mutation(() => SettlementFileResult, {
    description: `Proposes the settlements of a file, at most ${LIMITS.settlementsAtOnce}; each row has its own outcome, and a file that is sent again does nothing more.`,
  })
  async proposeSettlements(
    @Arg('file', {
      description:
        'Comma-separated: reference, merchant (its code), currency, amount, account (its id or number; empty or left out: the only one).',
    })
    file: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<SettlementFileResult> {
    const warrant = warrantOf(context, 'proposeSettlements');
    requireReason(reason);
    const lines = readSettlementFile(file);
    if ('problem' in lines) throw invalidField('file', lines.problem);
    const rows: SettlementRow[] = [];
    // One after the other, because rows of one merchant share its balance.
    for (const line of lines) {
      const about = { line: line.line, reference: line.reference };
      try {
        const done = await proposeLine(context, warrant, line, reason);
        rows.push({ ...about, ...done, code: null, message: null });
      } catch (error) {
        const { code, message } = refuse(error, context.log, 'proposeSettlements');
        rows.push({ ...about, outcome: 'REFUSED', withdrawal: null, code, message });
      }
    }
    const refused = rows.filter(({ outcome }) => outcome === 'REFUSED').length;
    return { results: rows, succeeded: rows.length - refused, refused };
  }

  @FieldResolver(() => SettlementAccount, {
    description: "The merchant's account that it pays to.",
  })
  async account(
    @Root() { accountId }: StoredSettlement,
    @Ctx() { loaders }: GraphContext,
  ): Promise<SettlementAccountRow | undefined> {
    return await loaders.settlementAccounts.load(accountId);
  }

  @FieldResolver(() => Operator, { description: 'Who does not approve it.' })
  async proposedBy(
    @Root() { proposedBy }: StoredSettlement,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return await loaders.operators.load(proposedBy);
  }
}

@Resolver(() => WithdrawalOrder)
export class SettlementOfWithdrawalResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Settlement, {
    nullable: true,
    description: 'Null for what the merchant asked for itself.',
  })
  async settlement(
    @Root() { id, origin }: WithdrawalOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<StoredSettlement | undefined> {
    return origin === 'SETTLEMENT' ? await loaders.settlements.load(id) : undefined;
  }
}
