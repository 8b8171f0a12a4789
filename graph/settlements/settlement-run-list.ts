import {
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import type { Money } from '../../domain/money';
import { SETTLEMENT_SKIPS, type SettlementSkip } from '../../domain/settlement-plan';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { SettlementPlanRow } from '../../db/settlements/settlement-plans';
import * as db from '../../db/settlements/settlement-runs';
import type { WithdrawalView } from '../../db/withdrawals/withdrawals';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import type { GraphContext } from '../context';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { Merchant } from '../merchants/merchant';
import { DecimalScalar, enumOf } from '../scalars';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { SettlementPlan } from './settlement-plan';

const SettlementSkipEnum = enumOf(SETTLEMENT_SKIPS);
registerEnumType(SettlementSkipEnum, {
  name: 'SettlementSkip',
  description: 'Why a date of a settlement plan passed without a settlement.',
  valuesConfig: {
    NO_BALANCE: { description: 'Nothing was available beyond what the plan keeps.' },
    BELOW_MINIMUM: { description: 'Less than its minimum was available beyond what it keeps.' },
    OWES_US: { description: 'The merchant owed us money.' },
    MERCHANT_DISABLED: { description: 'The merchant was disabled.' },
    ACCOUNT_DISABLED: { description: 'Its settlement account was disabled.' },
    ACCOUNT_COOLING: { description: 'Its settlement account was in its cooling period.' },
    BANK_UNKNOWN: { description: "The account's bank was not in the directory, or took nothing." },
  },
});

@ObjectType({ simpleResolvers: true, description: 'What came of a date of a settlement plan.' })
export class SettlementRun {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field(() => ID, { description: 'The id of the merchant, a UUID.' })
  merchantId!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field({ description: "The day of the merchant's zone, YYYY-MM-DD: it has one run at most." })
  dueOn!: string;

  @Field({ description: 'When it was due.' })
  dueAt!: Date;

  @Field({ description: 'When it ran.' })
  ranAt!: Date;

  @Field(() => Int, { description: 'Earlier dates that were missed, which it stands for.' })
  missed!: number;

  @Field(() => DecimalScalar, { description: 'What the merchant had available.' })
  available!: Money;

  @Field(() => SettlementSkipEnum, {
    nullable: true,
    description: 'Why nothing was settled; null: a settlement was made.',
  })
  skipped!: SettlementSkip | null;
}

@InputType({ description: 'Filter of runs of settlement plans. All given conditions must hold.' })
export class SettlementRunFilter implements db.SettlementRunFilter {
  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => [SettlementSkipEnum], { nullable: true, description: 'Skipped for one of these.' })
  skipped?: SettlementSkip[] | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: only those that made a settlement. False: only skipped ones. Null: both.',
  })
  settled?: boolean | null;
}

export const SettlementRunListResolver = listResolver('settlementRuns', {
  description: 'What came of the dates of settlement plans, the newest first.',
  connection: connectionOf(SettlementRun, 'SettlementRun'),
  sort: sortEnum('SettlementRunSort', { RAN_AT: 'By when they ran' }),
  defaultSort: 'RAN_AT_DESC',
  filter: SettlementRunFilter,
  sorts: db.SETTLEMENT_RUN_SORTS,
  id: BY_ID,
  read: db.listSettlementRuns,
  count: db.countSettlementRuns,
  narrow: toOwnMerchants,
});

@Resolver(() => SettlementRun)
export class SettlementRunResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Merchant, { description: 'Whose balance it is.' })
  async merchant(
    @Root() { merchantId }: db.SettlementRunRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<MerchantRow | undefined> {
    return await loaders.merchants.load(merchantId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => SettlementPlan, { description: 'The version that was in force.' })
  async plan(
    @Root() { planId }: db.SettlementRunRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<SettlementPlanRow | undefined> {
    return await loaders.settlementPlans.load(planId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => WithdrawalOrder, {
    nullable: true,
    description: 'The settlement; null where it was skipped.',
  })
  async withdrawal(
    @Root() { withdrawalId }: db.SettlementRunRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<WithdrawalView | undefined> {
    return withdrawalId === null ? undefined : await loaders.withdrawals.load(withdrawalId);
  }
}
