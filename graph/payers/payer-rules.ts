import { Arg, Authorized, Ctx, Field, ID, InputType, Int, Mutation, ObjectType, Query, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { invalidField, notFound } from '../../domain/errors';
import { LIMITS } from '../../domain/limits';
import { currencyDecimals, type Money } from '../../domain/money';
import {
  keepPayerRules,
  type PayerComparison,
  type PayerRules,
  type VelocityRule as Rule,
  velocityWords,
} from '../../domain/payer-rules';
import { reaches } from '../../domain/permissions';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/payers/rules';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { DecimalScalar } from '../scalars';
import { payerRuleFields, type PayerRulesPayload } from '../../steps/payers/payer-effects';
import { PayerComparisonEnum, VelocityCountEnum, VelocityOutcomeEnum, VelocityTraitEnum } from './payer-enums';
import { operatorOf, requireReach } from '../../steps/access/caller';

const MINUTES = `How far back orders count, minutes: 1-${LIMITS.velocityMinutes.max}.`;
const ABOVE = 'Passed by more than this: a number of orders, or an amount in the currency.';

@ObjectType({ simpleResolvers: true, description: 'A limit on the orders of one payer.' })
export class VelocityRule {
  @Field(() => VelocityTraitEnum, { description: 'Whose orders are counted together.' })
  by!: Rule['by'];

  @Field(() => VelocityCountEnum, { description: 'What is counted.' })
  counts!: Rule['counts'];

  @Field(() => Int, { description: MINUTES })
  minutes!: number;

  @Field(() => DecimalScalar, { description: ABOVE })
  above!: Money;

  @Field(() => VelocityOutcomeEnum, { description: 'What happens if it is exceeded.' })
  outcome!: Rule['outcome'];

  @Field({ description: 'The rule in words.' })
  words!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The payer rules of a merchant in a currency.',
})
export class PayerRuleSet {
  @Field(() => ID, {
    nullable: true,
    description: 'Null: for all merchants without rules of their own.',
  })
  merchantId!: string | null;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => Int, { description: 'The newest counts.' })
  version!: number;

  @Field(() => PayerComparisonEnum, {
    description: 'The comparison of the payer with the announced one.',
  })
  comparison!: PayerComparison;

  @Field(() => [VelocityRule], { description: 'The counts, as they were given.' })
  velocity!: VelocityRule[];

  @Field({ description: 'When this version began to count.' })
  createdAt!: Date;
}

@InputType({ description: 'A limit on the orders of one payer.' })
export class VelocityRuleInput {
  @Field(() => VelocityTraitEnum, { description: 'Whose orders are counted together.' })
  by!: Rule['by'];

  @Field(() => VelocityCountEnum, { description: 'What is counted.' })
  counts!: Rule['counts'];

  @Field(() => Int, { description: MINUTES })
  minutes!: number;

  @Field(() => DecimalScalar, { description: ABOVE })
  above!: Money;

  @Field(() => VelocityOutcomeEnum, { description: 'What happens if it is exceeded.' })
  outcome!: Rule['outcome'];
}

@InputType({ description: 'All rules about payers. Omitted rules are off.' })
export class PayerRulesInput {
  @Field(() => PayerComparisonEnum, { nullable: true, description: 'IGNORE unless given.' })
  comparison?: PayerComparison | null;

  @Field(() => [VelocityRuleInput], {
    nullable: true,
    description: `At most ${LIMITS.velocityRules}; none unless given.`,
  })
  velocity?: VelocityRuleInput[] | null;
}

@ObjectType({ simpleResolvers: true, description: 'Proposed rules about payers.' })
export class PayerRulesChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;
}

/** @throws INVALID_FIELD */
function checkVelocity({ counts, minutes, above }: VelocityRuleInput, decimals: number): void {
  const { min, max } = LIMITS.velocityMinutes;
  if (minutes < min || minutes > max) throw invalidField('velocity.minutes', `must be ${min}-${max}`, 'OUT_OF_RANGE');
  const places = counts === 'AMOUNT' ? decimals : 0;
  if (above.isNegative() || above.decimalPlaces() > places || above.gte(1e14))
    throw invalidField(
      'velocity.above',
      places === 0 ? 'must be a whole number, 0 or more' : `must be 0 or more, with at most ${places} decimal places`,
      'OUT_OF_RANGE',
    );
}

/** @throws INVALID_FIELD */
function rulesOf({ comparison, velocity }: PayerRulesInput, decimals: number): PayerRules {
  const rules = velocity ?? [];
  if (rules.length > LIMITS.velocityRules)
    throw invalidField('velocity', `must be at most ${LIMITS.velocityRules}`, 'OUT_OF_RANGE');
  for (const rule of rules) checkVelocity(rule, decimals);
  return { comparison: comparison ?? 'IGNORE', velocity: rules };
}

const shown = ({ rules, ...row }: db.PayerRulesRow): PayerRuleSet => ({
  ...row,
  comparison: rules.comparison,
  velocity: rules.velocity.map((rule) => ({
    ...rule,
    words: velocityWords(rule, row.currencyCode),
  })),
});

@Resolver()
export class PayerRulesResolver {
  @Authorized('VIEW')
  @Query(() => [PayerRuleSet], { description: 'The rules about payers in force.' })
  async payerRules(@Ctx() { actor, database }: GraphContext): Promise<PayerRuleSet[]> {
    const operator = operatorOf(actor);
    const current = await db.findCurrentPayerRules(database);
    return current.filter(({ merchantId }) => merchantId === null || reaches(operator, merchantId)).map(shown);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => PayerRulesChange, {
    description:
      'Proposes a version of the payer rules of a merchant in a currency, or of all merchants without rules of their own.',
  })
  async putPayerRules(
    @Arg('currencyCode', { description: 'ISO 4217.' }) currencyCode: string,
    @Arg('rules', {
      description: 'Replaces the rules in force; omitted rules are off.',
    })
    input: PayerRulesInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Only for this merchant; null: for all without rules of their own.',
    })
    merchant?: string | null,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<PayerRulesChange> {
    const { actor, database, loaders } = context;
    const merchantId = merchant ?? null;
    const decimals = currencyDecimals(currencyCode);
    if (decimals === undefined)
      throw invalidField('currencyCode', `${currencyCode} is not an ISO 4217 currency`, 'UNKNOWN_VALUE');
    const whose = merchantId === null ? null : await loaders.merchants.load(merchantId);
    if (whose === undefined) throw notFound('merchant');
    if (merchantId !== null) requireReach(actor, merchantId, 'merchant');
    const kept = keepPayerRules(rulesOf(input, decimals));
    const current = await db.findPayerRules(database.sql, { merchantId, currencyCode });
    const payload: PayerRulesPayload = { id: uuidv7(), merchantId, currencyCode, ...kept };
    const of = whose?.merchantCode ?? 'all merchants';
    const change = await propose(context, {
      kind: 'PUT_PAYER_RULES',
      subject: {
        kind: 'payer_rules',
        id: `${merchantId ?? 'all'}:${currencyCode}`,
        name: `${of} ${currencyCode}`,
      },
      merchantId,
      summary: `Ask something else of the payers of ${of} in ${currencyCode}`,
      before: current ? payerRuleFields(keepPayerRules(current.rules), currencyCode) : {},
      after: payerRuleFields(kept, currencyCode),
      payload,
      reason,
      evidence,
    });
    return { change };
  }
}
