import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import type { WalletKind } from '../../domain/channel-deposit';
import { currencyDecimals, type Money } from '../../domain/money';
import {
  type KeptRule,
  PAYER_TIERS,
  type PayerTier,
  readRule,
  ROUTED_KINDS,
  type RoutedKind,
  TARGET_KINDS,
  type TargetKind,
} from '../../domain/routing-rules';
import { wordsOfRule } from '../../domain/routing-words';
import * as db from '../../db/routing/routing-rules';
import { ActorInfo, actorInfoOf } from '../actor-info';
import { WalletKindEnum } from '../channels/channel-enums';
import type { GraphContext } from '../context';
import { DecimalScalar, enumOf } from '../scalars';
import { namesOfRules } from '../../steps/routing/rule-names';

export const RoutedKindEnum = enumOf(ROUTED_KINDS);
registerEnumType(RoutedKindEnum, {
  name: 'RoutedKind',
  description: 'What routing rules are for.',
  valuesConfig: {
    DEPOSIT: { description: 'Deposits: an account or a channel takes each.' },
    PAYOUT: { description: 'Payouts of withdrawals: a channel pays each, or people do.' },
  },
});

export const PayerTierEnum = enumOf(PAYER_TIERS);
registerEnumType(PayerTierEnum, {
  name: 'PayerTier',
  description: 'How well a payer is known to a merchant: by its completed orders there. A beneficiary, for payouts.',
  valuesConfig: {
    NEW: { description: 'None, or the merchant did not name the payer.' },
    KNOWN: { description: '1-9 completed orders.' },
    TRUSTED: { description: '10 completed orders or more.' },
  },
});

export const TargetKindEnum = enumOf(TARGET_KINDS);
registerEnumType(TargetKindEnum, {
  name: 'RouteTargetKind',
  description: 'What a routing rule sends orders to.',
  valuesConfig: {
    POOL: { description: 'What is in a pool, in the order in which it is asked without rules.' },
    ACCOUNT: { description: 'A managed account; of deposits alone.' },
    CHANNEL: { description: 'A channel.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'Something that a rule sends orders to.' })
export class RouteTarget {
  @Field(() => TargetKindEnum, { description: 'What it is.' })
  kind!: TargetKind;

  @Field(() => ID, { nullable: true, description: 'Null of a pool: that of the merchant.' })
  id!: string | null;

  @Field(() => Int, { description: 'Its share among the targets of its group.' })
  weight!: number;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Targets of equal rank, drawn by their weights.',
})
export class RouteGroup {
  @Field(() => [RouteTarget], { description: 'Drawn by weight, from the id of the order.' })
  targets!: RouteTarget[];
}

@ObjectType({ simpleResolvers: true, description: 'A span of the day in a time zone.' })
export class RouteHours {
  @Field({ description: 'HH:MM, included.' })
  from!: string;

  @Field({ description: 'HH:MM, not included; before `from`: on the next day.' })
  to!: string;

  @Field({ description: 'Whose clock is read, such as Asia/Bangkok.' })
  timeZone!: string;
}

@ObjectType({
  simpleResolvers: true,
  description: 'Which orders go where. An empty list, and null, are no condition.',
})
export class RoutingRule {
  @Field({ description: 'For people; unique in its version.' })
  name!: string;

  @Field(() => DecimalScalar, { nullable: true, description: 'The least amount, included.' })
  minAmount!: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'The most amount, included.' })
  maxAmount!: Money | null;

  @Field(() => [ID], { description: 'The orders of these merchants alone.' })
  merchantIds!: string[];

  @Field(() => [PayerTierEnum], { description: 'The orders of these payers alone.' })
  payerTiers!: PayerTier[];

  @Field(() => [WalletKindEnum], { description: 'Orders with a wallet of these kinds alone.' })
  walletKinds!: WalletKind[];

  @Field(() => RouteHours, { nullable: true, description: 'What is routed at this time alone.' })
  hours!: RouteHours | null;

  @Field({
    description: 'Nothing takes these orders; of payouts, no channel does: people transfer them.',
  })
  refuses!: boolean;

  @Field({ description: 'What the payer paid at before comes first, if the rule names it.' })
  stickyPayer!: boolean;

  @Field(() => [RouteGroup], { description: 'In the order in which they are asked.' })
  groups!: RouteGroup[];

  @Field({ description: 'The rule in one line.' })
  words!: string;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'A version of the rules by which orders of a currency find their way: the first that an order fits decides, and an order that fits none goes as without rules. A version never changes.',
})
export class RoutingRules {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => RoutedKindEnum, { description: 'What the rules are for.' })
  orderKind!: RoutedKind;

  @Field(() => Int, { description: '1, 2, 3 …: the newest is in force.' })
  version!: number;

  @Field({ description: 'When it was approved, and began to count.' })
  createdAt!: Date;
}

@Resolver(() => RoutingRules)
export class RoutingRulesResolver {
  @Authorized('VIEW')
  @Query(() => [RoutingRules], {
    description: 'The versions of routing rules, by currency and kind, the newest first.',
  })
  async routingRules(
    @Ctx() { database }: GraphContext,
    @Arg('currencyCode', () => String, { nullable: true, description: 'All unless given.' })
    currencyCode?: string | null,
    @Arg('orderKind', () => RoutedKindEnum, { nullable: true, description: 'Both unless given.' })
    orderKind?: RoutedKind | null,
    @Arg('newest', () => Boolean, {
      nullable: true,
      description: 'The newest of each alone; all unless true.',
    })
    newest?: boolean | null,
  ): Promise<db.RoutingRulesRow[]> {
    return await db.findRoutingRules(
      ...([database.sql, currencyCode ?? null, orderKind ?? null, newest ?? false] as const),
    );
  }

  @Authorized('VIEW')
  @Query(() => RoutingRules, {
    nullable: true,
    description: 'One version of routing rules with all that it says; null if there is none.',
  })
  async routingVersion(
    @Arg('id', () => ID, { description: 'Of the version.' }) id: string,
    @Ctx() { database }: GraphContext,
  ): Promise<db.RoutingRulesRow | null> {
    const [row] = await db.findRoutingRulesById(database, [id]);
    return row ?? null;
  }

  @Authorized('VIEW')
  @FieldResolver(() => [RoutingRule], {
    description: 'In their order; none: the version ends routing by rules.',
  })
  async rules(@Root() row: db.RoutingRulesRow, @Ctx() context: GraphContext): Promise<RoutingRule[]> {
    return await shownRules(context, row, row.rules);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who proposed it.' })
  createdBy(@Root() { createdBy }: db.RoutingRulesRow): ActorInfo {
    return actorInfoOf(createdBy);
  }
}

/** Rules as they are shown, with a readable text. */
export async function shownRules(
  context: Pick<GraphContext, 'loaders'>,
  { currencyCode, orderKind }: Pick<db.RoutingRulesRow, 'currencyCode' | 'orderKind'>,
  rules: readonly KeptRule[],
): Promise<RoutingRule[]> {
  const names = await namesOfRules(context, rules);
  const decimals = currencyDecimals(currencyCode) ?? 0;
  return rules.map((kept) => {
    const rule = readRule(kept);
    return {
      ...rule,
      merchantIds: [...rule.merchantIds],
      payerTiers: [...rule.payerTiers],
      walletKinds: [...rule.walletKinds],
      groups: rule.groups.map(({ targets }) => ({ targets: [...targets] })),
      words: wordsOfRule(rule, orderKind, names, decimals),
    };
  });
}
