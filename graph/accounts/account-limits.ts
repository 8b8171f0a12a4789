import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { type AccountLimits as Limits, problemOfLimits } from '../../domain/bank-account';
import { invalidField } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, type Money } from '../../domain/money';
import { DecimalScalar } from '../scalars';

@ObjectType({
  simpleResolvers: true,
  description: 'How an account of mode FLOAT tells deposits of the same amount apart.',
})
export class AmountFloat {
  @Field(() => DecimalScalar, { description: 'The distance between two amounts.' })
  step!: Money;

  @Field(() => DecimalScalar, {
    description: 'How far above the requested amount a payable one may lie.',
  })
  up!: Money;

  @Field(() => DecimalScalar, { description: 'How far below.' })
  down!: Money;

  @Field(() => Int, {
    description: 'An amount is given to no other deposit until this many minutes after its deposit expired.',
  })
  quarantineMinutes!: number;
}

@InputType({ description: 'How an account of mode FLOAT tells deposits of the same amount apart.' })
export class AmountFloatInput {
  @Field(() => DecimalScalar, { description: 'The distance between two amounts.' })
  step!: Money;

  @Field(() => DecimalScalar, {
    description: 'How far above the requested amount a payable one may lie.',
  })
  up!: Money;

  @Field(() => DecimalScalar, { description: 'How far below.' })
  down!: Money;

  @Field(() => Int, { nullable: true, description: '0-10080 minutes, default 60.' })
  quarantineMinutes?: number | null;
}

@InputType({ description: 'What an account takes. A limit that is left out or null is none.' })
export class AccountLimitsInput {
  @Field(() => DecimalScalar, { nullable: true, description: 'The minimum of one deposit.' })
  minAmount?: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'The maximum of one deposit.' })
  maxAmount?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The most that it receives on one day of its time zone. Open deposits count as what they ask for, those that end without money do not; what came counts, late or unmatched too.',
  })
  maxDailyAmount?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The most that it receives in one month of its time zone, counted alike.',
  })
  maxMonthlyAmount?: Money | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The most bank credits on one day of its time zone; each open deposit counts as one.',
  })
  maxDailyCount?: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The most bank credits in one month of its time zone, counted alike.',
  })
  maxMonthlyCount?: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'The most that it holds: what its book says, and what open deposits ask for. A bank or wallet may refuse what comes above it.',
  })
  maxBalance?: Money | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Live PENDING deposits at once; default 1000.',
  })
  maxOpenDeposits?: number | null;
}

/** The limits after a change. @throws INVALID_FIELD */
export function limitsOf(input: AccountLimitsInput | null | undefined, currencyCode: string): Limits {
  const limits = {
    minAmount: input?.minAmount ?? null,
    maxAmount: input?.maxAmount ?? null,
    maxDailyAmount: input?.maxDailyAmount ?? null,
    maxMonthlyAmount: input?.maxMonthlyAmount ?? null,
    maxDailyCount: input?.maxDailyCount ?? null,
    maxMonthlyCount: input?.maxMonthlyCount ?? null,
    maxBalance: input?.maxBalance ?? null,
    maxOpenDeposits: input?.maxOpenDeposits ?? LIMITS.openDeposits.account,
  };
  const problem = problemOfLimits(limits, currencyDecimals(currencyCode) ?? 0);
  if (problem) throw invalidField('limits', problem);
  return limits;
}
