import {
  Arg,
  Authorized,
  type ClassType,
  Ctx,
  Extensions,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { DepositStatus } from '../../domain/deposit';
import { businessError } from '../../domain/errors';
import type { Money } from '../../domain/money';
import type { WithdrawalStatus } from '../../domain/withdrawal';
import * as db from '../../db/orders/day-totals';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { GraphContext } from '../context';
import { DepositStatusEnum } from '../deposits/deposit';
import { Merchant } from '../merchants/merchant';
import { DecimalScalar } from '../scalars';
import { WithdrawalStatusEnum } from '../withdrawals/withdrawal';
import { askedOf, type AskedTotals, MOST_DAYS } from '../../steps/orders/day-totals';
const MOST_ROWS = 5_000;
/** The cost of each total within the limits of an operation: many rows are read, and a list counts ten times. */
const COST = 200;

/** Makes the filter `{Noun}TotalsFilter` of one kind of order. */
function totalsFilterOf<Status extends string>(
  noun: 'Deposit' | 'Withdrawal',
  statuses: Readonly<Record<Status, Status>>,
): ClassType<AskedTotals<Status>> {
  @InputType(`${noun}TotalsFilter`, {
    description: 'Filter of orders to sum. All given conditions must hold.',
  })
  class TotalsFilter implements AskedTotals<Status> {
    @Field({ description: 'Orders created from then on.' })
    from!: Date;

    @Field({
      description: `Orders created before then; at most ${MOST_DAYS} days after \`from\`.`,
    })
    to!: Date;

    @Field(() => [ID], { nullable: true, description: 'Of these merchants; all unless given.' })
    merchantId?: string[] | null;

    @Field(() => [String], { nullable: true, description: 'In these, ISO 4217; all unless given.' })
    currencyCode?: string[] | null;

    @Field(() => String, {
      defaultValue: 'UTC',
      description: 'The time zone of the days, such as `Asia/Bangkok` (IANA).',
    })
    zone!: string;

    @Field(() => [statuses], { nullable: true, description: 'In these; all unless given.' })
    status?: Status[] | null;
  }
  return TotalsFilter;
}

/** Makes the type `{Noun}Total` of one kind of order. */
function totalOf<Status extends string>(
  noun: 'Deposit' | 'Withdrawal',
  statuses: Readonly<Record<Status, Status>>,
): ClassType<db.DayTotal<Status>> {
  @ObjectType(`${noun}Total`, {
    simpleResolvers: true,
    description: 'The orders of one day, merchant, currency and status.',
  })
  class Total implements db.DayTotal<Status> {
    @Field({ description: 'The day of their creation in the zone that was asked for, YYYY-MM-DD.' })
    day!: string;

    @Field(() => ID, { description: 'The id of the merchant, a UUID.' })
    merchantId!: string;

    @Field({ description: 'ISO 4217.' })
    currencyCode!: string;

    @Field(() => statuses, { description: 'Their present status.' })
    status!: Status;

    @Field(() => Int, { description: 'How many.' })
    orders!: number;

    @Field(() => DecimalScalar, { description: 'The sum of their amounts, in that currency.' })
    amount!: Money;

    @Field(() => DecimalScalar, { description: 'What was received or paid of it.' })
    actualAmount!: Money;

    @Field(() => DecimalScalar, {
      description: 'The sum of their fees: charges of the completed, quotes of the others.',
    })
    fee!: Money;
  }
  return Total;
}

const DepositTotalsFilter = totalsFilterOf<DepositStatus>('Deposit', DepositStatusEnum);
const DepositTotal = totalOf<DepositStatus>('Deposit', DepositStatusEnum);
const WithdrawalTotalsFilter = totalsFilterOf<WithdrawalStatus>('Withdrawal', WithdrawalStatusEnum);
const WithdrawalTotal = totalOf<WithdrawalStatus>('Withdrawal', WithdrawalStatusEnum);

/**
 * @throws BUSINESS_ERROR if there are too many rows: sums of a part would be wrong
 */
function whole<Row>(rows: readonly Row[]): readonly Row[] {
  if (rows.length > MOST_ROWS)
    throw businessError('NOT_ENABLED', `there are more than ${MOST_ROWS} totals: narrow the filter`);
  return rows;
}

@Resolver()
export class DayTotalsResolver {
  @Authorized('VIEW')
  @Extensions({ cost: COST })
  @Query(() => [DepositTotal], {
    description: `Deposits summed by the day of their creation, merchant, currency and status: ${MOST_ROWS} totals at most.`,
  })
  async depositTotals(
    @Arg('filter', () => DepositTotalsFilter, { description: 'Which deposits to sum.' })
    filter: AskedTotals<DepositStatus>,
    @Ctx() context: GraphContext,
  ): Promise<readonly db.DayTotal<DepositStatus>[]> {
    return whole(await db.depositTotals(context.database, askedOf(filter, context), MOST_ROWS));
  }

  @Authorized('VIEW')
  @Extensions({ cost: COST })
  @Query(() => [WithdrawalTotal], {
    description: `Withdrawals summed by the day of their creation, merchant, currency and status: ${MOST_ROWS} totals at most.`,
  })
  async withdrawalTotals(
    @Arg('filter', () => WithdrawalTotalsFilter, { description: 'Which withdrawals to sum.' })
    filter: AskedTotals<WithdrawalStatus>,
    @Ctx() context: GraphContext,
  ): Promise<readonly db.DayTotal<WithdrawalStatus>[]> {
    return whole(await db.withdrawalTotals(context.database, askedOf(filter, context), MOST_ROWS));
  }
}

/** The merchant of the totals: one field of both types. */
function merchantOfTotals(type: ClassType): ClassType {
  @Resolver(() => type)
  class MerchantOfTotals {
    @Authorized('VIEW')
    @FieldResolver(() => Merchant, { description: 'Their merchant.' })
    async merchant(
      @Root() { merchantId }: db.DayTotal<string>,
      @Ctx() { loaders }: GraphContext,
    ): Promise<MerchantRow | undefined> {
      return await loaders.merchants.load(merchantId);
    }
  }
  return MerchantOfTotals;
}

export const MerchantOfDepositTotals = merchantOfTotals(DepositTotal);
export const MerchantOfWithdrawalTotals = merchantOfTotals(WithdrawalTotal);
