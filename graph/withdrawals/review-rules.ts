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
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { openListed } from '../../crypto/personal';
import type { Settings } from '../../domain/change-request';
import { invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, type Money } from '../../domain/money';
import { reaches } from '../../domain/permissions';
import { keepRules, type QuietHours as Hours, type ReviewRules } from '../../domain/review';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/merchants/review';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import { type GraphContext } from '../context';
import { DecimalScalar, enumOf } from '../scalars';
import type { ListPayload, RulesPayload } from '../../steps/withdrawals/review-effects';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { checkedZone } from '../../steps/zone';
import { operatorOf, requireReach } from '../../steps/access/caller';

export const BeneficiaryListEnum = enumOf(['ALLOW', 'DENY'] as const);
registerEnumType(BeneficiaryListEnum, {
  name: 'BeneficiaryList',
  description: 'What is known of a beneficiary.',
  valuesConfig: {
    ALLOW: { description: 'Good: counts and newness do not need a person.' },
    DENY: { description: 'Bad: a withdrawal waits for two people.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'A span of the day.' })
export class QuietHours {
  @Field({ description: 'HH:MM.' })
  from!: string;

  @Field({ description: 'HH:MM, not included; before `from`: on the next day.' })
  to!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Whose clock is read; null: that of the merchant’s time zone.',
  })
  timeZone!: string | null;
}

@ObjectType({
  simpleResolvers: true,
  description: 'When the withdrawals of a merchant in a currency need people, and how many.',
})
export class ReviewRuleSet {
  @Field(() => ID, {
    nullable: true,
    description: 'Null: for all merchants without rules of their own.',
  })
  merchantId!: string | null;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => Int, { description: 'The newest counts.' })
  version!: number;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Up to this amount no person has to decide; null: a person always decides.',
  })
  autoApproveUpTo!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The same for a beneficiary on the allowlist.',
  })
  allowlistedUpTo!: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'Above it two people decide.' })
  twoPeopleAbove!: Money | null;

  @Field(() => Int, { nullable: true, description: 'Of the merchant, a day of its time zone.' })
  merchantDayOrders!: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Of the merchant, a day of its time zone.',
  })
  merchantDayAmount!: Money | null;

  @Field(() => Int, {
    nullable: true,
    description: 'To one beneficiary, a day of the merchant’s time zone.',
  })
  beneficiaryDayOrders!: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'To one beneficiary, a day of the merchant’s time zone.',
  })
  beneficiaryDayAmount!: Money | null;

  @Field({ description: 'Whom the merchant has never paid needs a person.' })
  newBeneficiary!: boolean;

  @Field(() => QuietHours, { nullable: true, description: 'A person looks at what comes then.' })
  quietHours!: QuietHours | null;

  @Field(() => Int, { description: 'Minutes in which people should decide.' })
  decideWithinMinutes!: number;

  @Field({ description: 'When this version began to count.' })
  createdAt!: Date;
}

@InputType({ description: 'A span of the day, both `HH:MM`.' })
export class QuietHoursInput {
  @Field({ description: 'HH:MM, included.' })
  from!: string;

  @Field({ description: 'HH:MM, not included; before `from`: on the next day.' })
  to!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Whose clock is read, such as Asia/Bangkok; null: that of the merchant’s time zone.',
  })
  timeZone?: string | null;
}

@InputType({ description: 'All rules of a merchant in a currency. What is left out is no rule.' })
export class ReviewRulesInput {
  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Up to this amount nobody has to decide; null: somebody always has.',
  })
  autoApproveUpTo?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Up to this amount a beneficiary on the allowlist needs nobody; null: `autoApproveUpTo` counts.',
  })
  allowlistedUpTo?: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Above this amount two people decide; null: never two.',
  })
  twoPeopleAbove?: Money | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Above this many withdrawals of the merchant in a day of its time zone a person decides; null: no limit.',
  })
  merchantDayOrders?: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Above this sum of the merchant in a day of its time zone a person decides; null: no limit.',
  })
  merchantDayAmount?: Money | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Above this many withdrawals to one beneficiary in a day of its time zone a person decides; null: no limit.',
  })
  beneficiaryDayOrders?: number | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Above this sum to one beneficiary in a day of its time zone a person decides; null: no limit.',
  })
  beneficiaryDayAmount?: Money | null;

  @Field(() => Boolean, { nullable: true, description: 'True unless said otherwise.' })
  newBeneficiary?: boolean | null;

  @Field(() => QuietHoursInput, {
    nullable: true,
    description: 'A person decides on what comes in these hours; null: none.',
  })
  quietHours?: QuietHoursInput | null;

  @Field(() => Int, { nullable: true, description: '1-10080, default 60.' })
  decideWithinMinutes?: number | null;
}

@ObjectType({ simpleResolvers: true, description: 'Proposed rules.' })
export class ReviewRulesChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A beneficiary on the allowlist or the denylist.',
})
export class ListedBeneficiary {
  @Field(() => ID, { description: 'A UUID, as `unlistBeneficiary` takes it.' })
  id!: string;

  @Field(() => ID, { nullable: true, description: 'Null: for all merchants.' })
  merchantId!: string | null;

  @Field({ description: 'The bank in the directory.' })
  bankCode!: string;

  @Field(() => BeneficiaryListEnum, { description: 'The list that it is on.' })
  list!: 'ALLOW' | 'DENY';

  @Field({ description: 'Why it was listed.' })
  reason!: string;

  @Field({ description: 'When it was listed.' })
  createdAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed listing.' })
export class BeneficiaryChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;
}

const DEFAULT_DECIDE_MINUTES = 60;
const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/;

const hoursOf = ({ from, to, timeZone }: QuietHoursInput): Hours => ({
  from,
  to,
  ...(timeZone && { timeZone }),
});

/** @throws INVALID_FIELD */
function rulesOf(input: ReviewRulesInput, decimals: number): ReviewRules {
  const rules: ReviewRules = {
    autoApproveUpTo: input.autoApproveUpTo ?? null,
    allowlistedUpTo: input.allowlistedUpTo ?? null,
    twoPeopleAbove: input.twoPeopleAbove ?? null,
    merchantDayOrders: input.merchantDayOrders ?? null,
    merchantDayAmount: input.merchantDayAmount ?? null,
    beneficiaryDayOrders: input.beneficiaryDayOrders ?? null,
    beneficiaryDayAmount: input.beneficiaryDayAmount ?? null,
    newBeneficiary: input.newBeneficiary ?? true,
    quietHours: input.quietHours ? hoursOf(input.quietHours) : null,
    decideWithinMinutes: input.decideWithinMinutes ?? DEFAULT_DECIDE_MINUTES,
  };
  const amounts = ['autoApproveUpTo', 'allowlistedUpTo', 'twoPeopleAbove'] as const;
  for (const field of [...amounts, 'merchantDayAmount', 'beneficiaryDayAmount'] as const) {
    const amount = rules[field];
    if (amount && (amount.isNegative() || amount.decimalPlaces() > decimals))
      throw invalidField(field, `must be 0 or more, with at most ${decimals} decimal places`, 'OUT_OF_RANGE');
  }
  for (const field of ['merchantDayOrders', 'beneficiaryDayOrders'] as const)
    if ((rules[field] ?? 0) < 0) throw invalidField(field, 'must be 0 or more', 'OUT_OF_RANGE');
  const { quietHours: quiet, decideWithinMinutes: minutes } = rules;
  if (quiet && !(TIME_OF_DAY.test(quiet.from) && TIME_OF_DAY.test(quiet.to)))
    throw invalidField('quietHours', 'must be times of day, HH:MM');
  const { min, max } = LIMITS.decideWithinMinutes;
  if (minutes < min || minutes > max)
    throw invalidField('decideWithinMinutes', `must be ${min}-${max}`, 'OUT_OF_RANGE');
  return rules;
}

const shownHours = (hours: Hours | null): QuietHours | null => hours && { ...hours, timeZone: hours.timeZone ?? null };

@Resolver(() => ListedBeneficiary)
export class ListedBeneficiaryResolver {
  @FieldResolver(() => String, { description: 'The account number, as it was entered.' })
  accountNo(@Root() listed: db.ListedRow, @Ctx() { sealer }: GraphContext): string {
    return openListed(sealer, listed);
  }
}

@Resolver()
export class ReviewRulesResolver {
  @Authorized('VIEW')
  @Query(() => [ReviewRuleSet], { description: 'The rules that count now.' })
  async reviewRules(@Ctx() { actor, database }: GraphContext): Promise<ReviewRuleSet[]> {
    const operator = operatorOf(actor);
    const current = await db.findCurrentRules(database);
    return current
      .filter(({ merchantId }) => merchantId === null || reaches(operator, merchantId))
      .map(({ rules, ...row }) => ({ ...row, ...rules, quietHours: shownHours(rules.quietHours) }));
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ReviewRulesChange, {
    description:
      'Proposes a version of the rules of a merchant in a currency, or of all merchants that have none of their own.',
  })
  async putReviewRules(
    @Arg('currencyCode', { description: 'ISO 4217.' }) currencyCode: string,
    @Arg('rules', {
      description: 'Replaces the rules that count now; what is left out takes its default.',
    })
    input: ReviewRulesInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Only for this merchant; null: for all without rules of their own.',
    })
    merchant?: string | null,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<ReviewRulesChange> {
    const { database, loaders } = context;
    const merchantId = merchant ?? null;
    const decimals = currencyDecimals(currencyCode);
    if (decimals === undefined)
      throw invalidField('currencyCode', `${currencyCode} is not an ISO 4217 currency`, 'UNKNOWN_VALUE');
    const whose = merchantId === null ? null : await loaders.merchants.load(merchantId);
    if (whose === undefined) throw notFound('merchant');
    const rules = rulesOf(input, decimals);
    if (rules.quietHours?.timeZone) await checkedZone(context, rules.quietHours.timeZone, 'quietHours.timeZone');
    const current = await db.findRules(database.sql, { merchantId, currencyCode });
    const after: Settings = keepRules(rules);
    const payload: RulesPayload = {
      id: uuidv7(),
      merchantId,
      currencyCode,
      rules: after as RulesPayload['rules'],
    };
    const of = whose?.merchantCode ?? 'all merchants';
    const change = await propose(context, {
      kind: 'PUT_REVIEW_RULES',
      subject: {
        kind: 'review_rules',
        id: `${merchantId ?? 'all'}:${currencyCode}`,
        name: `${of} ${currencyCode}`,
      },
      merchantId,
      summary: `Review the ${currencyCode} withdrawals of ${of} by other rules`,
      before: current ? keepRules(current.rules) : {},
      after,
      payload,
      reason,
      evidence,
    });
    return { change };
  }

  @Authorized('CONFIGURE')
  @Mutation(() => BeneficiaryChange, {
    description: 'Proposes to put a beneficiary on a list, of one merchant or of all.',
  })
  async listBeneficiary(
    @Arg('bankCode', { description: 'The bank in the directory.' }) bankCode: string,
    @Arg('accountNo', { description: 'The account number at the bank.' }) accountNo: string,
    @Arg('list', () => BeneficiaryListEnum, { description: 'The list to put it on.' })
    list: 'ALLOW' | 'DENY',
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Counts for this merchant alone; null: for all.',
    })
    merchant?: string | null,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<BeneficiaryChange> {
    const merchantId = merchant ?? null;
    if (merchantId !== null && !(await context.loaders.merchants.load(merchantId))) throw notFound('merchant');
    if (accountNo === '' || Array.from(accountNo).length > LIMITS.beneficiaryAccount)
      throw invalidField('accountNo', `must be 1-${LIMITS.beneficiaryAccount} characters`, 'OUT_OF_RANGE');
    if (bankCode === '' || bankCode.length > LIMITS.beneficiaryBankCode)
      throw invalidField('bankCode', `must be 1-${LIMITS.beneficiaryBankCode} characters`, 'OUT_OF_RANGE');
    const payload: ListPayload = { id: uuidv7(), merchantId, bankCode, accountNo, list };
    const change = await propose(context, {
      kind: 'LIST_BENEFICIARY',
      subject: { kind: 'beneficiary', id: payload.id, name: `${bankCode} ${accountNo}` },
      merchantId,
      summary: `${list === 'ALLOW' ? 'Allow' : 'Deny'} the beneficiary ${bankCode} ${accountNo}`,
      before: {},
      after: { bankCode, accountNo, list, merchantId },
      payload,
      reason,
      evidence,
      // An entry that denies only closes.
      alone: list === 'DENY' ? 'CLOSING' : null,
    });
    return { change };
  }

  @Authorized('CONFIGURE')
  @Mutation(() => BeneficiaryChange, {
    description: 'Proposes to take a beneficiary off its list; off the allowlist it is done at once.',
  })
  async unlistBeneficiary(
    @Arg('id', () => ID, { description: 'The id of the entry.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<BeneficiaryChange> {
    const listed = await db.findListedById(context.database, id);
    if (!listed || listed.removedAt !== null) throw notFound('beneficiary');
    if (listed.merchantId !== null) requireReach(context.actor, listed.merchantId, 'beneficiary');
    const { bankCode, list, merchantId } = listed;
    const accountNo = openListed(context.sealer, listed);
    const change = await propose(context, {
      kind: 'UNLIST_BENEFICIARY',
      subject: { kind: 'beneficiary', id, name: `${bankCode} ${accountNo}` },
      merchantId,
      summary: `Take the beneficiary ${bankCode} ${accountNo} off its list`,
      before: { list },
      after: { list: null },
      payload: { id },
      reason,
      alone: list === 'ALLOW' ? 'CLOSING' : null,
    });
    return { change };
  }
}
