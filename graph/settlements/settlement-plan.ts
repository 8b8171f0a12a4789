import {
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import type { Money } from '../../domain/money';
import { DAY_OFF_SHIFTS, type DayOffShift, PLAN_TRIGGERS, type PlanTrigger } from '../../domain/settlement-dates';
import type { MerchantRow } from '../../db/merchants/merchants';
import type { OperatorRow } from '../../db/operators/operators';
import type { CalendarRow } from '../../db/settlements/calendars';
import type { SettlementAccountRow } from '../../db/settlements/settlement-accounts';
import type { SettlementPlanRow } from '../../db/settlements/settlement-plans';
import type { GraphContext } from '../context';
import { Merchant } from '../merchants/merchant';
import { Operator } from '../operators/operator';
import { DecimalScalar, enumOf } from '../scalars';
import { Calendar } from './calendar';
import { SettlementAccount } from './settlement-account';

export const PlanTriggerEnum = enumOf(PLAN_TRIGGERS);
registerEnumType(PlanTriggerEnum, {
  name: 'SettlementPlanTrigger',
  description: 'When a settlement plan settles.',
  valuesConfig: {
    EVERY_DAY: { description: 'On each day of the calendar.' },
    WEEKDAYS: { description: 'On days of the week.' },
    MONTH_DAYS: { description: 'On days of the month; a day that a month lacks is its last.' },
    THRESHOLD: {
      description:
        'On a business day, as soon as its threshold is available; once a day at most. It is looked at each quarter of an hour.',
    },
  },
});

export const DayOffShiftEnum = enumOf(DAY_OFF_SHIFTS);
registerEnumType(DayOffShiftEnum, {
  name: 'DayOffShift',
  description: 'Where a date of a settlement plan goes that is no business day of its calendar.',
  valuesConfig: {
    NEXT: { description: 'To the next business day, in the next month too.' },
    PREVIOUS: { description: 'To the last business day before it.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description:
    'When and how a merchant is settled in a currency without being asked. A version never changes: a change is the next one.',
})
export class SettlementPlan {
  @Field(() => ID, { description: 'A UUID, of this version.' })
  id!: string;

  @Field(() => ID, { description: 'The id of the merchant, a UUID.' })
  merchantId!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => Int, { description: 'From 1, of the same merchant and currency.' })
  version!: number;

  @Field({
    description:
      'The cooling period after its approval ends then: from then on the newest version that has begun is in force.',
  })
  effectiveFrom!: Date;

  @Field({ description: 'From then on nothing is settled by a plan.' })
  ends!: boolean;

  @Field(() => PlanTriggerEnum, { description: 'When it settles.' })
  trigger!: PlanTrigger;

  @Field(() => [Int], { description: 'Of WEEKDAYS: 1 Monday to 7 Sunday; else none.' })
  weekdays!: readonly number[];

  @Field(() => [Int], { description: 'Of MONTH_DAYS: 1 to 31; else none.' })
  monthDays!: readonly number[];

  @Field(() => String, {
    nullable: true,
    description: "HH:MM in the merchant's zone; null with a threshold.",
  })
  time!: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Of THRESHOLD: settles as soon as so much is available; else null.',
  })
  threshold!: Money | null;

  @Field(() => DayOffShiftEnum, { description: 'Where a date goes that is no business day.' })
  shift!: DayOffShift;

  @Field(() => DecimalScalar, { description: 'What stays in the balance.' })
  keep!: Money;

  @Field(() => DecimalScalar, { description: 'Less than this is not settled.' })
  minimum!: Money;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Settlements up to this amount need no further person: who approved the plan stands for them. Null: each waits for an operator.',
  })
  approvedUpTo!: Money | null;

  @Field({ description: 'When it was approved.' })
  createdAt!: Date;
}

@Resolver(() => SettlementPlan)
export class SettlementPlanResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Boolean, { description: 'Whether it settles now.' })
  async inForce(
    @Root() { id, merchantId, currencyCode }: SettlementPlanRow,
    @Ctx() { loaders, now }: GraphContext,
  ): Promise<boolean> {
    const versions = await loaders.settlementPlansOf.load(merchantId);
    const newest = versions.find((one) => one.currencyCode === currencyCode && one.effectiveFrom <= now);
    return newest?.id === id && !newest.ends;
  }

  @Authorized('VIEW')
  @FieldResolver(() => Calendar, {
    nullable: true,
    description: 'Its business days; null: every day is one.',
  })
  async calendar(
    @Root() { calendarId }: SettlementPlanRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<CalendarRow | undefined> {
    return calendarId === null ? undefined : await loaders.calendars.load(calendarId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => SettlementAccount, { description: 'The account that it pays to.' })
  async account(
    @Root() { accountId }: SettlementPlanRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<SettlementAccountRow | undefined> {
    return await loaders.settlementAccounts.load(accountId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Operator, {
    description: 'Who proposed it, and counts as the proposer of its settlements.',
  })
  async proposedBy(
    @Root() { proposedBy }: SettlementPlanRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return await loaders.operators.load(proposedBy);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Operator, { description: 'Who approved it.' })
  async approvedBy(
    @Root() { approvedBy }: SettlementPlanRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return await loaders.operators.load(approvedBy);
  }
}

@Resolver(() => Merchant)
export class SettlementPlansOfMerchantResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [SettlementPlan], {
    description:
      'All versions of its settlement plans: by currency, the newest first. Without one it is settled by hand alone.',
  })
  async settlementPlans(
    @Root() { id }: MerchantRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly SettlementPlanRow[]> {
    return await loaders.settlementPlansOf.load(id);
  }
}
