import { Field, ID, InputType, Int } from 'type-graphql';
import type { WalletKind } from '../../domain/channel-deposit';
import { invalidField } from '../../domain/errors';
import { currencyDecimals, type Money } from '../../domain/money';
import { checkRules } from '../../domain/routing-check';
import type { PayerTier, RoutedKind, RoutingRule, TargetKind } from '../../domain/routing-rules';
import { WalletKindEnum } from '../channels/channel-enums';
import type { GraphContext } from '../context';
import { DecimalScalar } from '../scalars';
import { checkedZone } from '../../steps/zone';
import { PayerTierEnum, RoutedKindEnum, TargetKindEnum } from './routing-rules';
import { isOfCurrency } from '../../steps/routing/rule-input';

@InputType({ description: 'Something that a rule sends orders to.' })
export class RouteTargetInput {
  @Field(() => TargetKindEnum, { description: 'What it is.' })
  kind!: TargetKind;

  @Field(() => ID, { nullable: true, description: 'Null of a pool: that of the merchant.' })
  id?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Its share among the targets of its group, 1-1000; 1 if null.',
  })
  weight?: number | null;
}

@InputType({ description: 'Targets of equal rank, drawn by their weights.' })
export class RouteGroupInput {
  @Field(() => [RouteTargetInput], { description: '1-50; none twice.' })
  targets!: RouteTargetInput[];
}

@InputType({ description: 'A span of the day in a time zone.' })
export class RouteHoursInput {
  @Field({ description: 'HH:MM, included.' })
  from!: string;

  @Field({ description: 'HH:MM, not included; before `from`: on the next day.' })
  to!: string;

  @Field({ description: 'Whose clock is read, such as Asia/Bangkok.' })
  timeZone!: string;
}

@InputType({ description: 'Which orders go where. What is left out is no condition.' })
export class RoutingRuleInput {
  @Field({ description: '1-64 characters, unique among the rules.' })
  name!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'The least amount, included.' })
  minAmount?: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'The most amount, included.' })
  maxAmount?: Money | null;

  @Field(() => [ID], { nullable: true, description: 'The orders of these merchants alone.' })
  merchantIds?: string[] | null;

  @Field(() => [PayerTierEnum], {
    nullable: true,
    description: 'The orders of these payers alone; of payouts, to these beneficiaries.',
  })
  payerTiers?: PayerTier[] | null;

  @Field(() => [WalletKindEnum], {
    nullable: true,
    description: 'Orders with a wallet of these kinds alone; of BDT alone.',
  })
  walletKinds?: WalletKind[] | null;

  @Field(() => RouteHoursInput, {
    nullable: true,
    description: 'What is routed at this time of day alone.',
  })
  hours?: RouteHoursInput | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: nothing takes these orders, and the rule has no groups; of payouts, people transfer them.',
  })
  refuses?: boolean | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'What the payer paid at before comes first, if the rule names it; false if null.',
  })
  stickyPayer?: boolean | null;

  @Field(() => [RouteGroupInput], {
    nullable: true,
    description: 'In the order in which they are asked, up to 10; required unless it refuses.',
  })
  groups?: RouteGroupInput[] | null;
}

@InputType({ description: 'A version of routing rules, as it is to be.' })
export class RoutingRulesInput {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => RoutedKindEnum, { description: 'What the rules are for.' })
  orderKind!: RoutedKind;

  @Field(() => [RoutingRuleInput], {
    description:
      'All rules in their order, up to 100: the first that an order fits decides. None: orders go as without rules.',
  })
  rules!: RoutingRuleInput[];
}

const ruleOf = (input: RoutingRuleInput): RoutingRule => ({
  name: input.name.trim(),
  minAmount: input.minAmount ?? null,
  maxAmount: input.maxAmount ?? null,
  merchantIds: [...new Set(input.merchantIds ?? [])],
  payerTiers: [...new Set(input.payerTiers ?? [])],
  walletKinds: [...new Set(input.walletKinds ?? [])],
  hours: input.hours ? { from: input.hours.from, to: input.hours.to, timeZone: input.hours.timeZone } : null,
  refuses: input.refuses ?? false,
  stickyPayer: input.stickyPayer ?? false,
  groups: (input.groups ?? []).map(({ targets }) => ({
    targets: targets.map(({ kind, id, weight }) => ({ kind, id: id ?? null, weight: weight ?? 1 })),
  })),
});

/** The rules of an input. @throws INVALID_FIELD for invalid rules, or for targets of another currency */
export async function rulesOfInput(
  context: GraphContext,
  { currencyCode, orderKind, rules: inputs }: RoutingRulesInput,
): Promise<RoutingRule[]> {
  const decimals = currencyDecimals(currencyCode);
  if (decimals === undefined) throw invalidField('currencyCode', 'is not an ISO 4217 currency', 'UNKNOWN_VALUE');
  const rules = inputs.map(ruleOf);
  checkRules(rules, orderKind, currencyCode, decimals);
  for (const [index, { hours, merchantIds, groups }] of rules.entries()) {
    const at = `rules.${index}`;
    if (hours) await checkedZone(context, hours.timeZone, `${at}.hours.timeZone`);
    for (const merchant of await context.loaders.merchants.loadMany(merchantIds))
      if (!merchant || merchant instanceof Error)
        throw invalidField(`${at}.merchantIds`, 'must be merchants', 'UNKNOWN_VALUE');
    for (const [place, { targets }] of groups.entries())
      for (const target of targets)
        if (!(await isOfCurrency(context, target, currencyCode, orderKind)))
          throw invalidField(
            `${at}.groups.${place}.targets`,
            `must take ${orderKind.toLowerCase()}s in ${currencyCode}`,
            'UNKNOWN_VALUE',
          );
  }
  return rules;
}
