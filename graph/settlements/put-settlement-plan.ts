import { Arg, Authorized, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, type Money, ZERO } from '../../domain/money';
import { type DayOffShift, nextDates, type PlanDays, type PlanTrigger } from '../../domain/settlement-dates';
import type { ChangeRow } from '../../db/changes/change-requests';
import { calendarOf } from '../../db/settlements/calendars';
import * as db from '../../db/settlements/settlement-plans';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { DecimalScalar } from '../scalars';
import { DayOffShiftEnum, PlanTriggerEnum, SettlementPlan } from './settlement-plan';
import {
  type EndSettlementPlanPayload,
  fieldsOfPlan,
  planFields,
  type SettlementPlanPayload,
} from '../../steps/settlements/settlement-plan-effects';
import { calendarNamed, merchantNamed } from '../../steps/settlements/put-settlement-plan';
import { checkedWeekdays } from '../../steps/settlements/calendar';

@InputType({ description: 'The days on which a settlement plan settles.' })
export class SettlementDaysInput {
  @Field(() => PlanTriggerEnum, { description: 'When it settles.' })
  trigger!: PlanTrigger;

  @Field(() => [Int], {
    nullable: true,
    description: 'Of WEEKDAYS, and only there: 1 Monday to 7 Sunday.',
  })
  weekdays?: number[] | null;

  @Field(() => [Int], {
    nullable: true,
    description: 'Of MONTH_DAYS, and only there: 1 to 31; a day that a month lacks is its last.',
  })
  monthDays?: number[] | null;

  @Field(() => String, {
    nullable: true,
    description:
      "HH:MM in the merchant's zone, at a quarter of an hour; required, except for THRESHOLD, which has none.",
  })
  time?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The calendar of its business days; null: every day is one.',
  })
  calendarId?: string | null;

  @Field(() => DayOffShiftEnum, {
    nullable: true,
    description: 'Where a date goes that is no business day; NEXT if null.',
  })
  shift?: DayOffShift | null;
}

@InputType({ description: 'A settlement plan as it is to be.' })
export class SettlementPlanInput {
  @Field(() => ID, { description: 'The merchant to settle.' })
  merchantId!: string;

  @Field({ description: 'ISO 4217; a currency of the merchant.' })
  currencyCode!: string;

  @Field(() => SettlementDaysInput, { description: 'On which days.' })
  days!: SettlementDaysInput;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Of THRESHOLD, and only there: settle as soon as so much is available.',
  })
  threshold?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'What stays in the balance; nothing if null.',
  })
  keep?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Less than this is not settled; any amount is if null.',
  })
  minimum?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description:
      'Settlements up to this amount need no further person: who approves the plan stands for them. Null: each waits for an operator.',
  })
  approvedUpTo?: Money | null;

  @Field(() => ID, { description: 'The id of the settlement account to pay to, a UUID.' })
  settlementAccountId!: string;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed settlement plan, or its end.' })
export class SettlementPlanChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => SettlementPlan, {
    nullable: true,
    description: 'The new version; null until the change is applied.',
  })
  plan!: db.SettlementPlanRow | null;
}

@ObjectType({ simpleResolvers: true, description: 'A date on which a plan would settle.' })
export class SettlementPlanDate {
  @Field({ description: "The day of the merchant's zone, YYYY-MM-DD." })
  day!: string;

  @Field({ description: 'The moment.' })
  at!: Date;

  @Field(() => [String], {
    description: 'The dates of the plan that fall on this day: itself, or days off that were moved here.',
  })
  dates!: readonly string[];
}

const TIME = /^([01]\d|2[0-3]):(00|15|30|45)$/;

/** The days of an input. @throws INVALID_FIELD */
function checkedDays(input: SettlementDaysInput): PlanDays {
  const { trigger } = input;
  const weekdays = checkedWeekdays('days.weekdays', input.weekdays ?? [], 7);
  const monthDays = [...(input.monthDays ?? [])].sort((a, b) => a - b);
  if (weekdays.length > 0 !== (trigger === 'WEEKDAYS'))
    throw invalidField('days.weekdays', 'must be given for WEEKDAYS, and only there');
  if (monthDays.length > 0 !== (trigger === 'MONTH_DAYS'))
    throw invalidField('days.monthDays', 'must be given for MONTH_DAYS, and only there');
  if (monthDays.some((day) => day < 1 || day > 31) || new Set(monthDays).size !== monthDays.length)
    throw invalidField('days.monthDays', 'must be different days from 1 to 31', 'OUT_OF_RANGE');
  const time = input.time ?? null;
  if ((time === null) !== (trigger === 'THRESHOLD'))
    throw invalidField('days.time', 'must be given, except for a THRESHOLD');
  if (time !== null && !TIME.test(time))
    throw invalidField('days.time', 'must be HH:MM at a quarter of an hour', 'OUT_OF_RANGE');
  return { trigger, weekdays, monthDays, time, shift: input.shift ?? 'NEXT' };
}

/** @throws INVALID_FIELD */
function checkAmounts(input: SettlementPlanInput, decimals: number): void {
  for (const field of ['threshold', 'keep', 'minimum', 'approvedUpTo'] as const) {
    const amount = input[field] ?? ZERO;
    if (amount.lt(0)) throw invalidField(field, 'must be at least 0', 'OUT_OF_RANGE');
    if (amount.decimalPlaces() > decimals)
      throw invalidField(field, `must have at most ${decimals} decimal places`, 'OUT_OF_RANGE');
    if (amount.trunc().toFixed().length > LIMITS.amountIntegerDigits)
      throw invalidField(field, `must have at most ${LIMITS.amountIntegerDigits} integer digits`, 'OUT_OF_RANGE');
  }
  const threshold = input.threshold ?? null;
  if ((threshold !== null) !== (input.days.trigger === 'THRESHOLD'))
    throw invalidField('threshold', 'must be given for THRESHOLD, and only there');
  if (threshold === null) return;
  const settled = threshold.minus(input.keep ?? ZERO);
  if (settled.lte(0) || settled.lt(input.minimum ?? ZERO))
    throw invalidField('threshold', 'must be above what is kept, by the minimum at least', 'OUT_OF_RANGE');
}

async function changed({ loaders }: GraphContext, change: ChangeRow, id: string): Promise<SettlementPlanChange> {
  if (change.status !== 'APPLIED') return { change, plan: null };
  return { change, plan: (await loaders.settlementPlans.clear(id).load(id)) ?? null };
}

@Resolver()
export class PutSettlementPlanResolver {
  @Authorized('VIEW')
  @Query(() => [SettlementPlanDate], {
    description:
      'The next dates on which a plan would settle, proposed or not; a THRESHOLD has none. At most 800 days are looked through.',
  })
  async settlementPlanDates(
    @Arg('merchantId', () => ID, { description: 'In whose time zone.' }) merchantId: string,
    @Arg('days', { description: 'The days of the plan.' }) days: SettlementDaysInput,
    @Ctx() context: GraphContext,
    @Arg('from', () => Date, { nullable: true, description: 'From then on; null: from now on.' })
    from?: Date | null,
    @Arg('count', () => Int, {
      nullable: true,
      description: `How many, 1-${LIMITS.planDates.max}; ${LIMITS.planDates.default} if null.`,
    })
    count?: number | null,
  ): Promise<readonly SettlementPlanDate[]> {
    const most = count ?? LIMITS.planDates.default;
    if (most < 1 || most > LIMITS.planDates.max)
      throw invalidField('count', `must be 1-${LIMITS.planDates.max}`, 'OUT_OF_RANGE');
    const { timeZone } = await merchantNamed(context, merchantId);
    const calendar = await calendarNamed(context, days.calendarId);
    const plan = checkedDays(days);
    return nextDates(plan, calendar && calendarOf(calendar), timeZone, from ?? context.now, most);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => SettlementPlanChange, {
    description:
      'Proposes when and how a merchant is settled in a currency without being asked: the next version of its plan, in force when the cooling period after its approval is over.',
  })
  async putSettlementPlan(
    @Arg('input', { description: 'The plan as it is to be.' }) input: SettlementPlanInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<SettlementPlanChange> {
    const { database, loaders } = context;
    const { merchantId, currencyCode } = input;
    const merchant = await merchantNamed(context, merchantId);
    const currencies = await loaders.currencies.load(merchantId);
    const decimals = currencyDecimals(currencyCode);
    if (decimals === undefined || !currencies.some((one) => one.currencyCode === currencyCode))
      throw businessError('NOT_ENABLED', `the merchant does not use ${currencyCode}`);
    const account = await loaders.settlementAccounts.load(input.settlementAccountId);
    if (account?.merchantId !== merchantId || account.currencyCode !== currencyCode)
      throw notFound('settlement account');
    if (account.disabledAt !== null) throw businessError('NOT_ENABLED', 'the settlement account is disabled');
    const days = checkedDays(input.days);
    checkAmounts(input, decimals);
    const calendar = await calendarNamed(context, input.days.calendarId);
    const payload: SettlementPlanPayload = {
      id: uuidv7(),
      merchantId,
      currencyCode,
      ...days,
      calendarId: calendar?.id ?? null,
      calendarName: calendar?.name ?? null,
      threshold: input.threshold?.toFixed() ?? null,
      keep: (input.keep ?? ZERO).toFixed(),
      minimum: (input.minimum ?? ZERO).toFixed(),
      approvedUpTo: input.approvedUpTo?.toFixed() ?? null,
      accountId: account.id,
      accountName: `${account.bankCode} ${account.accountNo}`,
    };
    const newest = await db.findNewestPlan(database.sql, payload);
    const change = await propose(context, {
      kind: 'PUT_SETTLEMENT_PLAN',
      subject: { kind: 'merchant', id: merchantId, name: merchant.merchantCode },
      merchantId,
      summary: `Settle ${merchant.merchantCode} in ${currencyCode} by a plan, to ${payload.accountName}`,
      before: newest ? fieldsOfPlan(newest) : {},
      after: planFields(payload),
      payload,
      reason,
      evidence,
    });
    return await changed(context, change, payload.id);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => SettlementPlanChange, {
    description:
      'Ends the settlement plan of a merchant in a currency, at once: one person is enough. What it has made goes on.',
  })
  async endSettlementPlan(
    @Arg('merchantId', () => ID, { description: 'The merchant that it settles.' })
    merchantId: string,
    @Arg('currencyCode', { description: 'ISO 4217.' }) currencyCode: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<SettlementPlanChange> {
    const merchant = await merchantNamed(context, merchantId);
    const newest = await db.findNewestPlan(context.database.sql, { merchantId, currencyCode });
    if (!newest || newest.ends) throw businessError('WRONG_STATE', 'there is no settlement plan');
    const payload: EndSettlementPlanPayload = { id: uuidv7(), merchantId, currencyCode };
    const change = await propose(context, {
      kind: 'END_SETTLEMENT_PLAN',
      subject: { kind: 'merchant', id: merchantId, name: merchant.merchantCode },
      merchantId,
      summary: `Settle ${merchant.merchantCode} in ${currencyCode} by no plan any more`,
      before: { ends: false },
      after: { ends: true },
      payload,
      reason,
      alone: 'CLOSING' as const,
    });
    return await changed(context, change, payload.id);
  }
}
