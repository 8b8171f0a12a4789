import { Arg, Authorized, Ctx, Field, ID, InputType, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { soughtAccount } from '../../crypto/beneficiary';
import { notFound } from '../../domain/errors';
import type { Money } from '../../domain/money';
import { planPayout, walletOfPayout } from '../../domain/payout-way';
import {
  NEW_PAYER,
  type PayerPast,
  type PayerTier,
  type RoutedKind,
  ruleFor,
  type RuleSet,
} from '../../domain/routing-rules';
import { wordsOfRefusal } from '../../domain/routing-words';
import type { Candidate, WayPlan } from '../../domain/way';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';
import { findChannelsForPayout } from '../../db/payouts/payouts';
import { findBeneficiaryPast, findRulesInForce } from '../../db/routing/routing-rules';
import { BankAccount } from '../accounts/bank-account';
import { Channel } from '../channels/channel';
import type { GraphContext } from '../context';
import { checkedAmount } from '../../steps/postings/checked-amount';
import { DecimalScalar } from '../scalars';
import { dryRun } from '../../steps/routing/dry-run';
import { RouteRefusal } from './order-route';
import { RoutingRuleInput, rulesOfInput } from './rule-input';
import { PayerTierEnum, RoutedKindEnum } from './routing-rules';
import { requireReach } from '../../steps/access/caller';

@InputType({ description: 'An order that is not there, to be routed.' })
export class RouteQuoteInput {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => RoutedKindEnum, { description: 'What it would be.' })
  orderKind!: RoutedKind;

  @Field(() => DecimalScalar, { description: 'What it would be asked for.' })
  amount!: Money;

  @Field(() => ID, { description: 'The merchant of the order.' })
  merchantId!: string;

  @Field(() => String, {
    nullable: true,
    description: "The merchant's own identifier of the payer of a deposit, whose past counts.",
  })
  userId?: string | null;

  @Field(() => PayerTierEnum, {
    nullable: true,
    description: 'Routed as if its payer were this well known, whatever its past.',
  })
  payerTier?: PayerTier | null;

  @Field(() => String, {
    nullable: true,
    description: "The beneficiary's bank of a payout; unless given, each channel serves it.",
  })
  beneficiaryBankCode?: string | null;

  @Field(() => String, {
    nullable: true,
    description: "The beneficiary's account of a payout, whose past counts.",
  })
  beneficiaryAccount?: string | null;

  @Field(() => Date, { nullable: true, description: 'When it would be routed; null: now.' })
  at?: Date | null;

  @Field(() => [RoutingRuleInput], {
    nullable: true,
    description: 'Routed by these instead of the rules in force.',
  })
  draft?: RoutingRuleInput[] | null;
}

@ObjectType({ simpleResolvers: true, description: 'Where an order may go.' })
export class RouteWay {
  @Field(() => BankAccount, { nullable: true, description: 'The account; null: a channel.' })
  account!: BankAccountRow | null;

  @Field(() => Channel, { nullable: true, description: 'The channel; null: an account.' })
  channel!: ChannelRow | null;

  @Field(() => Int, { nullable: true, description: 'The group of the rule, from 1.' })
  group!: number | null;

  @Field({ description: 'It comes first because the payer paid there before.' })
  sticky!: boolean;
}

@ObjectType({ simpleResolvers: true, description: 'Where an order would go, and why.' })
export class RouteQuote {
  @Field(() => Int, { nullable: true, description: 'The rule that it fits, from 1; null: none.' })
  rule!: number | null;

  @Field(() => String, { nullable: true, description: 'The name of that rule.' })
  ruleName!: string | null;

  @Field(() => PayerTierEnum, { description: 'How well its payer is known.' })
  payerTier!: PayerTier;

  @Field(() => [RouteWay], {
    description:
      'In the order in which they would be asked. Of equals one is drawn for each order: another order may have another way.',
  })
  ways!: RouteWay[];

  @Field(() => [RouteRefusal], { description: 'What would not take it, and why.' })
  refusals!: RouteRefusal[];

  @Field(() => [String], { description: 'All of it in words, a step each.' })
  words!: string[];
}

/** A stored account, perhaps with its channel, or a channel alone. */
type Stored = Candidate & { readonly account?: BankAccountRow; readonly channel?: ChannelRow };

/** The rule and the route of an order. */
interface Routed {
  readonly rules: RuleSet | null;
  readonly found: ReturnType<typeof foundOf>;
  readonly payer: PayerPast;
  readonly plan: WayPlan<Stored>;
}

const foundOf = (found: ReturnType<typeof ruleFor>) => (typeof found === 'string' ? null : found);

const partsOf = ({ account, channel }: Stored) => ({
  account: account ?? null,
  channel: channel ?? null,
});
const nameOf = ({ account, channel }: Stored): string =>
  account ? `the account ${account.name}` : `the channel ${channel?.channelCode ?? ''}`;

const withTier = (payer: PayerPast, { payerTier }: RouteQuoteInput): PayerPast =>
  payerTier ? { ...payer, tier: payerTier } : payer;

async function depositRouted(
  context: GraphContext,
  input: RouteQuoteInput,
  amount: Money,
  draft: RuleSet | null,
): Promise<Routed> {
  const { currencyCode, merchantId, userId } = input;
  const past = userId ? await context.payerPasts.call({ merchantId, userId, currencyCode }) : NEW_PAYER;
  const payer = withTier(past, input);
  const at = input.at ?? context.now;
  const order = {
    currencyCode,
    amount,
    merchantId,
    at,
    payer,
    id: `${merchantId} ${currencyCode}`,
  };
  const { found, plan, rules } = await dryRun(context, order, draft);
  return { rules, found, payer, plan };
}

async function payoutRouted(
  { database, lookup, ruleSets, now }: GraphContext,
  input: RouteQuoteInput,
  amount: Money,
  draft: RuleSet | null,
): Promise<Routed> {
  const { currencyCode, merchantId, beneficiaryBankCode: bank, beneficiaryAccount } = input;
  const past =
    bank && beneficiaryAccount
      ? await findBeneficiaryPast(database, {
          merchantId,
          currencyCode,
          beneficiaryBankCode: bank,
          ...soughtAccount(lookup, beneficiaryAccount),
        })
      : NEW_PAYER;
  const payer = withTier(past, input);
  const rules = draft ?? (await ruleSets.of(await findRulesInForce(database, currencyCode, 'PAYOUT')));
  const walletKind = walletOfPayout(currencyCode, bank);
  const asked = { merchantId, amount, walletKind, at: input.at ?? now, payer };
  const found = rules ? foundOf(ruleFor(rules, asked)) : null;
  const dry = { currencyCode, merchantId, bankCode: bank ?? null };
  const channels = await findChannelsForPayout(database, dry, now);
  const order = { id: `${merchantId} ${currencyCode}`, currencyCode, amount };
  return {
    rules,
    found,
    payer,
    plan: planPayout(found?.rule ?? null, channels, order, payer.ways),
  };
}

function wordsOf({ orderKind }: RouteQuoteInput, { rules, found, payer, plan }: Routed, isDraft: boolean): string[] {
  const by = isDraft ? 'the draft' : `version ${rules?.version ?? 0}`;
  const nothing = orderKind === 'DEPOSIT' ? 'it would be refused' : 'people would transfer it';
  return [
    ...(rules === null ? ['there are no routing rules'] : []),
    ...(rules && !found ? [`it fits no rule of ${by}: routed as without rules`] : []),
    ...(found ? [`it fits rule ${found.place} of ${by}, ${found.rule.name}`] : []),
    ...(found?.rule.refuses ? ['the rule refuses it'] : []),
    ...(found && found.rule.payerTiers.length > 0 ? [`its payer is ${payer.tier}`] : []),
    ...plan.refused.map(({ candidate, reason }) => `${nameOf(candidate)} ${wordsOfRefusal(reason)}`),
    ...plan.ways.map(({ candidate, group, sticky }, at) => {
      const why = sticky ? ', as the payer paid there' : group === null ? '' : `, group ${group}`;
      return `${at === 0 ? 'it would go to' : 'then to'} ${nameOf(candidate)}${why}`;
    }),
    ...(plan.ways.length === 0 ? [nothing] : []),
  ];
}

@Resolver()
export class RouteQuoteResolver {
  @Authorized('VIEW')
  @Query(() => RouteQuote, {
    description: 'Where an order would go, by the rules in force or by a draft, in words too.',
  })
  async routeQuote(
    @Arg('input', { description: 'The hypothetical order.' }) input: RouteQuoteInput,
    @Ctx() context: GraphContext,
  ): Promise<RouteQuote> {
    const { actor, loaders } = context;
    const { currencyCode, orderKind, merchantId } = input;
    requireReach(actor, merchantId, 'merchant');
    if (!(await loaders.merchants.load(merchantId))) throw notFound('merchant');
    const amount = checkedAmount(input.amount, currencyCode);
    const draft: RuleSet | null = input.draft
      ? {
          id: null,
          version: null,
          rules: await rulesOfInput(context, { currencyCode, orderKind, rules: input.draft }),
        }
      : null;
    const routed =
      orderKind === 'DEPOSIT'
        ? await depositRouted(context, input, amount, draft)
        : await payoutRouted(context, input, amount, draft);
    const { found, payer, plan } = routed;
    return {
      rule: found?.place ?? null,
      ruleName: found?.rule.name ?? null,
      payerTier: payer.tier,
      ways: plan.ways.map(({ candidate, group, sticky }) => ({
        ...partsOf(candidate),
        group,
        sticky,
      })),
      refusals: plan.refused.map(({ candidate, reason }) => ({ ...partsOf(candidate), reason })),
      words: wordsOf(input, routed, draft !== null),
    };
  }
}
