import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import type { ChannelHealth, ChannelKind, MockOutcome } from '../../domain/channel';
import type { HealthState } from '../../domain/health';
import { businessError, invalidField, notFound } from '../../domain/errors';
import type { MockDepositOutcome, MockOpening, WalletKind } from '../../domain/channel-deposit';
import { money, type Money } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import * as db from '../../db/channels/channels';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { FeeRule } from '../merchants/merchant';
import { operatorAction } from '../../steps/operators/operator-action';
import { DecimalScalar } from '../scalars';
import {
  type ChannelEnabledPayload,
  type CreateChannelPayload,
  payloadOf,
  shownOf,
  type UpdateChannelPayload,
} from '../../steps/channels/channel-effects';
import { ChannelBreaker } from './channel-breaker';
import {
  ChannelHealthEnum,
  ChannelKindEnum,
  HealthStateEnum,
  MockDepositOutcomeEnum,
  MockOpeningEnum,
  MockOutcomeEnum,
  WalletKindEnum,
} from './channel-enums';
import { ChannelSettingsInput, checkKind, checkNoMock, CreateChannelInput, setUpOf } from './channel-input';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { checkedZone } from '../../steps/zone';
import { NEW_CHANNEL, setUpOfRow } from '../../steps/channels/channel-set-up';
import { channelOrRefuse, sealFor, summaryOf } from '../../steps/channels/channel';

@ObjectType({ simpleResolvers: true, description: 'A channel’s code of one of our banks.' })
export class ChannelBank {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field({ description: 'Our code of it.' })
  bankCode!: string;

  @Field({ description: "The channel's code of it." })
  channelBankCode!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Our balance at a channel, as it reported.' })
export class ChannelBalance {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, { description: 'In that currency.' })
  balance!: Money;

  @Field({ description: 'When it was queried.' })
  at!: Date;
}

@ObjectType({
  simpleResolvers: true,
  description: 'The outcome of deposits of one amount at a mock channel.',
})
export class MockAmount {
  @Field(() => DecimalScalar, { description: 'Exactly this amount.' })
  amount!: Money;

  @Field(() => MockDepositOutcomeEnum, {
    description: 'The outcome of each deposit of this amount.',
  })
  outcome!: MockDepositOutcome;
}

@ObjectType({ simpleResolvers: true, description: 'How a channel takes deposits.' })
export class ChannelDeposits {
  @Field(() => [String], { description: 'It takes deposits in these, ISO 4217.' })
  currencies!: readonly string[];

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The minimum of one deposit; null is no limit.',
  })
  minAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The maximum of one deposit; null is no limit.',
  })
  maxAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The most that it receives in each currency on one day of its time zone; null is no limit.',
  })
  maxDailyAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The most that it receives in each currency in one month; null is no limit.',
  })
  maxMonthlyAmount!: Money | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The most payments in each currency on one day; null is no limit.',
  })
  maxDailyCount!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'The most payments in each currency in one month; null is no limit.',
  })
  maxMonthlyCount!: number | null;

  @Field({ description: 'It is tried before the managed accounts.' })
  beforeAccounts!: boolean;

  @Field(() => FeeRule, { description: 'The cost of a deposit.' })
  cost!: FeeRule;

  @Field(() => WalletKindEnum, { nullable: true, description: 'Of a mobile wallet.' })
  walletKind!: WalletKind | null;

  @Field({ description: "Payers' mobile and e-mail are forwarded to it; never in BDT." })
  acceptsContact!: boolean;

  @Field(() => String, {
    nullable: true,
    description: "The platform's mobile number, forwarded in BDT.",
  })
  contactMobile!: string | null;

  @Field(() => String, { nullable: true, description: "The platform's e-mail, forwarded in BDT." })
  contactEmail!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The managed account that it reports on; it takes no other deposits.',
  })
  accountId!: string | null;

  @Field(() => MockOpeningEnum, {
    nullable: true,
    description: 'Of a mock channel: what it does when a deposit is opened; null: OPEN.',
  })
  mockOpening!: MockOpening | null;

  @Field(() => [MockAmount], {
    description: 'Of a mock channel: it accepts only these amounts; empty: any.',
  })
  mockAmounts!: readonly MockAmount[];
}

@ObjectType({
  simpleResolvers: true,
  description: "What counts against a channel's limits in a currency, in its time zone.",
})
export class ChannelUse {
  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => Int, {
    description: 'Payments of today, and open deposits. Those from before limits count once set.',
  })
  todayDeposits!: number;

  @Field(() => DecimalScalar, { description: 'Their sum.' })
  todayAmount!: Money;

  @Field(() => Int, {
    description: 'The same of this month, which counts against its monthly limits.',
  })
  monthDeposits!: number;

  @Field(() => DecimalScalar, { description: 'Their sum.' })
  monthAmount!: Money;
}

@ObjectType({
  simpleResolvers: true,
  description: 'A payment channel: for payouts and deposits besides the managed accounts.',
})
export class Channel {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'Its code in settings and in its webhook address.' })
  channelCode!: string;

  @Field({ description: 'Its name for operators.' })
  name!: string;

  @Field(() => ChannelKindEnum, { description: 'How the platform talks to it. Fixed for ever.' })
  kind!: ChannelKind;

  @Field({ description: 'Whether it uses a declared mapping instead of our own protocol.' })
  mapped!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'The version of its mapping that is in force; null: none.',
  })
  mappingVersion!: number | null;

  @Field({ description: 'Whether it may get new payouts.' })
  enabled!: boolean;

  @Field(() => [String], { description: 'The currencies of payouts, ISO 4217.' })
  currencies!: readonly string[];

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The minimum of one payout; null is no limit.',
  })
  minAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The maximum of one payout; null is no limit.',
  })
  maxAmount!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'A balance at it below this raises the alert LOW_BALANCE; null: never.',
  })
  lowBalance!: Money | null;

  @Field({ description: 'The time zone in which it counts days, such as Asia/Dhaka.' })
  timeZone!: string;

  @Field(() => Int, { description: 'The lowest goes first.' })
  priority!: number;

  @Field(() => Int, {
    description: 'How often it is tried first, among channels of the same priority.',
  })
  weight!: number;

  @Field(() => MockOutcomeEnum, { nullable: true, description: 'Only for a mock channel.' })
  mockOutcome!: MockOutcome | null;

  @Field(() => String, { nullable: true, description: 'Of an HTTP channel: its URL.' })
  baseUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'Of an HTTP channel: the id of its key.' })
  keyId!: string | null;

  @Field(() => Int, { description: 'The timeout of one request, seconds.' })
  timeoutSeconds!: number;

  @Field(() => FeeRule, { description: 'The cost of a payout.' })
  cost!: FeeRule;

  @Field(() => Int, {
    description: 'A reported failure is final only after this many seconds, if a query confirms it.',
  })
  failureFinalDelaySeconds!: number;

  @Field(() => Int, {
    description: 'Without a clear answer for this many seconds a payout waits for an operator.',
  })
  answerWithinSeconds!: number;

  @Field({
    description: 'A refusal counts only if a query finds no such payout; until then no other channel gets it.',
  })
  confirmRefusals!: boolean;

  @Field(() => ChannelHealthEnum, {
    description: 'The result of its last checks; a DOWN channel gets no new payouts.',
  })
  health!: ChannelHealth;

  @Field(() => String, { nullable: true, description: 'Why it is down.' })
  healthReason!: string | null;

  @Field(() => Date, { nullable: true, description: 'When it was checked last.' })
  healthAt!: Date | null;

  @Field(() => HealthStateEnum, {
    description:
      'The state of its breaker, by the results of its orders. While it is open, the channel is passed over.',
  })
  breakerState!: HealthState;

  @Field(() => Date, { nullable: true, description: 'When its breaker last changed.' })
  breakerSince!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why its breaker last changed.' })
  breakerReason!: string | null;

  @Field(() => Date, {
    nullable: true,
    description: 'Of an open breaker: when one order may be tried.',
  })
  breakerTrialAt!: Date | null;

  @Field({ description: 'When it was added.' })
  createdAt!: Date;

  @Field({ description: 'When its settings last changed.' })
  updatedAt!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed change of a channel.' })
export class ChannelChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => Channel, { nullable: true, description: 'Null until the change is applied.' })
  channel!: db.ChannelRow | null;
}

/** The channel after an applied change of it. */
async function changed({ loaders }: GraphContext, change: ChangeRow): Promise<ChannelChange> {
  if (change.status !== 'APPLIED') return { change, channel: null };
  const id = change.subjectId;
  return { change, channel: (await loaders.channels.clear(id).load(id)) ?? null };
}

@Resolver(() => Channel)
export class ChannelResolver {
  @Authorized('VIEW')
  @Query(() => Channel, { nullable: true, description: 'One channel.' })
  async channel(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.ChannelRow | null> {
    return (await loaders.channels.load(id)) ?? null;
  }

  @FieldResolver(() => ChannelDeposits, { description: 'How it takes deposits.' })
  deposits(@Root() channel: db.ChannelRow): ChannelDeposits {
    return {
      currencies: channel.depositCurrencies,
      minAmount: channel.depositMin,
      maxAmount: channel.depositMax,
      ...channel.depositLimits,
      beforeAccounts: channel.depositsFirst,
      cost: channel.depositCost,
      walletKind: channel.walletKind,
      acceptsContact: channel.acceptsContact,
      contactMobile: channel.contactMobile,
      contactEmail: channel.contactEmail,
      accountId: channel.boundAccountId,
      mockOpening: channel.mockOpening,
      mockAmounts: Object.entries(channel.mockAmounts ?? {}).map(([amount, outcome]) => ({
        amount: money(amount),
        outcome,
      })),
    };
  }

  @FieldResolver(() => ChannelBreaker, {
    description: 'When it is passed over because its orders fail.',
  })
  breaker(@Root() channel: db.ChannelRow): ChannelBreaker {
    return {
      successPercent: channel.breakerPercent,
      failuresInRow: channel.breakerFailures,
      leastOrders: channel.breakerOrders,
      minutes: channel.breakerMinutes,
      pauseSeconds: channel.breakerPause,
    };
  }

  @Authorized('VIEW')
  @FieldResolver(() => [ChannelUse], {
    description: 'What counts against its limits, by currency; empty without limits.',
  })
  async use(@Root() { id }: Channel, @Ctx() { loaders }: GraphContext): Promise<ChannelUse[]> {
    return (await loaders.channelUses.load(id)).map((use) => ({
      currencyCode: use.currencyCode,
      todayDeposits: use.dayCount,
      todayAmount: use.dayAmount,
      monthDeposits: use.monthCount,
      monthAmount: use.monthAmount,
    }));
  }

  @Authorized('VIEW')
  @FieldResolver(() => [ChannelBank], { description: 'Its codes of our banks.' })
  async banks(@Root() { id }: Channel, @Ctx() { loaders }: GraphContext): Promise<readonly ChannelBank[]> {
    return await loaders.channelBanks.load(id);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [ChannelBalance], {
    description: 'Our balances at it, as last reported; empty if it reports none.',
  })
  async balances(@Root() { id }: Channel, @Ctx() { loaders }: GraphContext): Promise<readonly ChannelBalance[]> {
    return await loaders.channelBalances.load(id);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ChannelChange, {
    description: 'Proposes a channel; payouts may go to it once it is approved.',
  })
  async createChannel(
    @Arg('input', { description: 'The channel to add.' }) input: CreateChannelInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<ChannelChange> {
    checkKind(input, context.environment);
    const { channelCode, kind } = input;
    const id = uuidv7();
    const setUp = setUpOf(input.settings, NEW_CHANNEL, context.environment, sealFor(context, id));
    await checkedZone(context, setUp.change.timeZone);
    const mockOutcome = kind === 'MOCK' ? (input.mockOutcome ?? 'COMPLETED') : null;
    const mapped = input.mapped === true;
    const payload: CreateChannelPayload = {
      id,
      channelCode,
      kind,
      mockOutcome,
      mapped,
      setUp: payloadOf(setUp),
    };
    const change = await propose(context, {
      kind: 'CREATE_CHANNEL',
      subject: { kind: 'channel', id, name: channelCode },
      summary: summaryOf(channelCode, setUp),
      before: {},
      after: { channelCode, kind, mockOutcome, ...(mapped && { mapped }), ...shownOf(setUp) },
      payload,
      reason,
      evidence,
    });
    return await changed(context, change);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ChannelChange, {
    description: 'Proposes a change of a channel’s settings; payouts under way continue with them.',
  })
  async updateChannel(
    @Arg('id', () => ID, { description: 'The id of the channel.' }) id: string,
    @Arg('settings', { description: 'Omitted fields stay unchanged.' })
    settings: ChannelSettingsInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<ChannelChange> {
    const current = await channelOrRefuse(context, id);
    if (settings.address && current.kind === 'MOCK')
      throw businessError('NOT_ENABLED', 'a mock channel has no address');
    if (current.kind === 'HTTP') checkNoMock(settings);
    const contact = settings.deposits?.acceptsContact ?? current.acceptsContact;
    if (current.mapped && contact !== current.acceptsContact)
      throw invalidField('deposits.acceptsContact', 'is set by its mapping', 'NOT_ALLOWED');
    const banks = await context.loaders.channelBanks.load(id);
    const was = setUpOfRow(current, banks);
    const setUp = setUpOf(settings, was, context.environment, sealFor(context, id));
    await checkedZone(context, setUp.change.timeZone);
    const { name, channelCode } = current;
    const payload: UpdateChannelPayload = { id, setUp: payloadOf(setUp) };
    const secret = settings.address ? 'replaced' : 'kept';
    const change = await propose(context, {
      kind: 'UPDATE_CHANNEL',
      subject: { kind: 'channel', id, name: channelCode },
      summary: `Change the channel ${name}`,
      before: { ...shownOf(was), secret: 'kept' },
      after: { ...shownOf(setUp), secret },
      payload,
      reason,
      evidence,
    });
    return await changed(context, change);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => ChannelChange, {
    description: 'Stops giving a channel new payouts, at once and by one person; to start again is proposed.',
  })
  async setChannelEnabled(
    @Arg('id', () => ID, { description: 'The id of the channel.' }) id: string,
    @Arg('enabled', { description: 'True: it pays. False: it gets no new payouts.' })
    enabled: boolean,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<ChannelChange> {
    const current = await channelOrRefuse(context, id);
    const payload: ChannelEnabledPayload = { id, enabled };
    const change = await propose(context, {
      kind: 'SET_CHANNEL_ENABLED',
      subject: { kind: 'channel', id, name: current.channelCode },
      summary: `${enabled ? 'Enable' : 'Disable'} the channel ${current.name}`,
      before: { enabled: current.enabled },
      after: { enabled },
      payload,
      reason,
      evidence,
      alone: enabled ? null : 'CLOSING',
    });
    return await changed(context, change);
  }

  @Authorized('CONFIGURE')
  @Mutation(() => Channel, {
    description: 'Sets the outcome of a mock channel’s open payouts and deposits, at once. Only in sandboxes.',
  })
  async setMockOutcome(
    @Arg('id', () => ID, { description: 'The id of the mock channel.' }) id: string,
    @Arg('outcome', () => MockOutcomeEnum, {
      description: 'What it answers to payouts and deposits from now on.',
    })
    outcome: MockOutcome,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.ChannelRow> {
    if (context.environment !== 'sandbox') throw businessError('NOT_ENABLED', 'this is available only in a sandbox');
    const action = { action: 'setMockOutcome', subject: `channel:${id}`, reason };
    await operatorAction(context, { ...action, detail: { outcome } }, async (tx) => {
      if (!(await db.setMockOutcome(tx, id, outcome, context.now))) throw notFound('mock channel');
    });
    context.loaders.channels.clear(id);
    return await channelOrRefuse(context, id);
  }
}
