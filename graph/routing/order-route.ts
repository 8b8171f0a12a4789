import { Authorized, Ctx, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import type { PayerTier, RoutedKind } from '../../domain/routing-rules';
import { wordsOfRefusal } from '../../domain/routing-words';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';
import { BankAccount } from '../accounts/bank-account';
import { Channel } from '../channels/channel';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { PayerTierEnum } from './routing-rules';
import { nameOf, type Note, noteOfEvent, wordsOfRule } from '../../steps/routing/order-route';

@ObjectType({ simpleResolvers: true, description: 'What did not take an order, and why.' })
export class RouteRefusal {
  @Field(() => BankAccount, { nullable: true, description: 'The account; null: a channel.' })
  account!: BankAccountRow | null;

  @Field(() => Channel, { nullable: true, description: 'The channel; null: an account.' })
  channel!: ChannelRow | null;

  @Field({ description: 'Such as DAILY_LIMIT. The set is open: expect others.' })
  reason!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Why an order went where it went.' })
export class OrderRoute {
  @Field(() => Int, {
    nullable: true,
    description: 'The version of the routing rules by which it was routed; null: there were none.',
  })
  rulesVersion!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Which of them, from 1; null: it fitted none, and went as without rules.',
  })
  rule!: number | null;

  @Field(() => String, { nullable: true, description: 'The name of that rule.' })
  ruleName!: string | null;

  @Field(() => Int, { nullable: true, description: 'The group of the rule that took it, from 1.' })
  group!: number | null;

  @Field({ description: 'The payer had paid there before, and the rule puts that first.' })
  sticky!: boolean;

  @Field(() => PayerTierEnum, {
    nullable: true,
    description: 'How well its payer was known; null: no rule asked for it.',
  })
  payerTier!: PayerTier | null;

  @Field(() => [RouteRefusal], { description: 'What did not take it, up to 20.' })
  refusals!: RouteRefusal[];

  @Field(() => [String], { description: 'All of it in words, a step each.' })
  words!: string[];
}

/** A routing decision as operators see it. */
export async function routeOfNote(
  { loaders }: Pick<GraphContext, 'loaders'>,
  kind: RoutedKind,
  note: Note,
): Promise<OrderRoute> {
  const find = async ({ account, channel }: { account?: string; channel?: string }) => ({
    account: account === undefined ? null : ((await loaders.bankAccounts.load(account)) ?? null),
    channel: channel === undefined ? null : ((await loaders.channels.load(channel)) ?? null),
  });
  const refusals = await Promise.all(
    (note.refused ?? []).map(async (one) => ({ ...(await find(one)), reason: one.reason })),
  );
  const taken = nameOf(await find(note));
  return {
    rulesVersion: note.rulesVersion ?? null,
    rule: note.rule ?? null,
    ruleName: note.ruleName ?? null,
    group: note.group ?? null,
    sticky: note.sticky ?? false,
    payerTier: note.payerTier ?? null,
    refusals,
    words: [
      ...wordsOfRule(note),
      ...refusals.map((one) => `${nameOf(one)} ${wordsOfRefusal(one.reason)}`),
      kind === 'DEPOSIT' ? `it went to ${taken}` : `${taken} paid it, or tried to`,
    ],
  };
}

@Resolver(() => DepositOrder)
export class RouteOfDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => OrderRoute, {
    nullable: true,
    description: 'Why it went where it went when it was created; its attempts say what followed.',
  })
  async route(@Root() { id }: DepositOrder, @Ctx() context: GraphContext): Promise<OrderRoute | null> {
    const events = await context.loaders.events.load(id);
    const created = events.find(({ type }) => type === 'created');
    const note = created && noteOfEvent(created.detail);
    return note ? await routeOfNote(context, 'DEPOSIT', note) : null;
  }
}
