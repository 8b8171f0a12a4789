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
import type { WalletKind } from '../../domain/channel-deposit';
import {
  type FeeTerms,
  type PricedOrder,
  TIER_BASES,
  TIER_MODES,
  type TierBasis,
  type TierMode,
} from '../../domain/fees';
import { wordsOfTerms } from '../../domain/fee-words';
import { currencyDecimals, type Money } from '../../domain/money';
import type { ChannelRow } from '../../db/channels/channels';
import * as db from '../../db/fees/fee-schedules';
import type { MerchantRow } from '../../db/merchants/merchants';
import { ActorInfo, actorInfoOf } from '../actor-info';
import { WalletKindEnum } from '../channels/channel-enums';
import type { GraphContext } from '../context';
import { DepositChannel, DepositOrder } from '../deposits/deposit';
import { OrderKindEnum } from '../events/order-change';
import { Merchant } from '../merchants/merchant';
import { DecimalScalar, enumOf } from '../scalars';
import { WithdrawalOrder } from '../withdrawals/withdrawal';

export const TierModeEnum = enumOf(TIER_MODES);
registerEnumType(TierModeEnum, {
  name: 'FeeTierMode',
  description: 'How the tiers of a fee schedule apply.',
  valuesConfig: {
    WHOLE: { description: 'The rates of the tier in which the amount lies are for all of it.' },
    SLICES: {
      description: "Each tier's percent is for the part of the amount that lies in it: the fee never jumps.",
    },
  },
});

export const TierBasisEnum = enumOf(TIER_BASES);
registerEnumType(TierBasisEnum, {
  name: 'FeeTierBasis',
  description: 'What selects the tier of a fee schedule.',
  valuesConfig: {
    AMOUNT: { description: 'By the amount of the order.' },
    MONTH_VOLUME: {
      description:
        "By what its merchant has had completed before it in the month of the merchant's time zone: of the same currency and kind of order.",
    },
  },
});

@ObjectType({
  simpleResolvers: true,
  description: "Other rates from an amount, or from a month's volume, on.",
})
export class FeeTier {
  @Field(() => DecimalScalar, {
    description: 'The least amount, or the least volume of the month, that it is for.',
  })
  from!: Money;

  @Field(() => DecimalScalar, { description: 'Percent of the amount, 0 up to 100.' })
  percent!: Money;

  @Field(() => DecimalScalar, { description: 'In the currency itself; zero in slices.' })
  fixed!: Money;
}

@ObjectType({
  simpleResolvers: true,
  description:
    "What orders of a merchant cost from a day on, in place of its currency's fee. A version never changes: a change is the next one, and an order keeps the one that priced it.",
})
export class FeeSchedule {
  @Field(() => ID, { description: 'A UUID, of this version.' })
  id!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => OrderKindEnum, { description: 'The orders that it prices.' })
  orderKind!: PricedOrder;

  @Field(() => WalletKindEnum, {
    nullable: true,
    description: 'If set, it prices the deposits of wallets of this kind alone.',
  })
  walletKind!: WalletKind | null;

  @Field(() => Int, { description: 'From 1, of the same orders.' })
  version!: number;

  @Field({ description: 'From then on the newest version that has begun is in force.' })
  effectiveFrom!: Date;

  @Field({ description: "From then on there is no schedule: the currency's fee is charged." })
  ends!: boolean;

  @Field(() => DecimalScalar, {
    description: 'Percent of the amount, 0 up to 100; with tiers of what is below the first.',
  })
  percent!: Money;

  @Field(() => DecimalScalar, { description: 'In the currency itself.' })
  fixed!: Money;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The least that an order costs; null: no least.',
  })
  minimum!: Money | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'The most that an order costs; null: no most.',
  })
  maximum!: Money | null;

  @Field(() => TierModeEnum, { description: 'How the tiers apply.' })
  tierMode!: TierMode;

  @Field({ description: 'When it was approved.' })
  createdAt!: Date;
}

@Resolver(() => FeeSchedule)
export class FeeScheduleResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [FeeTier], {
    description: 'By rising amounts; none: the rates are for all amounts.',
  })
  tiers(@Root() row: db.FeeScheduleRow): FeeTerms['tiers'] {
    return db.termsOfRow(row).tiers;
  }

  @Authorized('VIEW')
  @FieldResolver(() => TierBasisEnum, { description: 'What selects the tier.' })
  tierBy(@Root() { tierBy }: db.FeeScheduleRow): TierBasis {
    return tierBy ?? 'AMOUNT';
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, { description: 'Its rates in words.' })
  words(@Root() row: db.FeeScheduleRow): string {
    return row.ends ? "the currency's fee" : wordsOfTerms(db.termsOfRow(row), currencyDecimals(row.currencyCode) ?? 0);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Boolean, { description: 'Whether it prices new orders now.' })
  async inForce(@Root() { id, merchantId }: db.FeeScheduleRow, @Ctx() { loaders }: GraphContext): Promise<boolean> {
    const currencies = await loaders.currencies.load(merchantId);
    return currencies.some(({ feeSchedules }) => feeSchedules.some((one) => one.id === id));
  }

  @Authorized('VIEW')
  @FieldResolver(() => DepositChannel, {
    nullable: true,
    description: 'If set, it prices the deposits of this channel alone.',
  })
  async channel(
    @Root() { channelId }: db.FeeScheduleRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<ChannelRow | undefined> {
    return channelId === null ? undefined : await loaders.channels.load(channelId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who proposed it.' })
  createdBy(@Root() { createdBy }: db.FeeScheduleRow): ActorInfo {
    return actorInfoOf(createdBy);
  }
}

@Resolver(() => Merchant)
export class FeeSchedulesOfMerchantResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [FeeSchedule], {
    description:
      'All versions of its fee schedules: by currency and kind of order, the newest first. Where none is in force, the fee of the currency is charged.',
  })
  async feeSchedules(
    @Root() { id }: MerchantRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.FeeScheduleRow[]> {
    return await loaders.feeSchedulesOf.load(id);
  }
}

interface Priced {
  readonly feeScheduleId: string | null;
  readonly feeVolume: Money | null;
}
const FEE_VOLUME = 'The merchant’s volume of the month when it was priced; null if its fee does not depend on it.';
const pricedBy = async (
  { feeScheduleId }: Priced,
  { loaders }: GraphContext,
): Promise<db.FeeScheduleRow | undefined> =>
  feeScheduleId === null ? undefined : await loaders.feeSchedules.load(feeScheduleId);

@Resolver(() => DepositOrder)
export class FeeScheduleOfDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => DecimalScalar, { nullable: true, description: FEE_VOLUME })
  feeVolume(@Root() { feeVolume }: Priced): Money | null {
    return feeVolume;
  }

  @Authorized('VIEW')
  @FieldResolver(() => FeeSchedule, {
    nullable: true,
    description: "The version that priced it; null: its currency's fee of then did.",
  })
  async feeSchedule(@Root() order: Priced, @Ctx() context: GraphContext): Promise<db.FeeScheduleRow | undefined> {
    return await pricedBy(order, context);
  }
}

@Resolver(() => WithdrawalOrder)
export class FeeScheduleOfWithdrawalResolver {
  @Authorized('VIEW')
  @FieldResolver(() => DecimalScalar, { nullable: true, description: FEE_VOLUME })
  feeVolume(@Root() { feeVolume }: Priced): Money | null {
    return feeVolume;
  }

  @Authorized('VIEW')
  @FieldResolver(() => FeeSchedule, {
    nullable: true,
    description: "The version that priced it; null: its currency's fee of then did.",
  })
  async feeSchedule(@Root() order: Priced, @Ctx() context: GraphContext): Promise<db.FeeScheduleRow | undefined> {
    return await pricedBy(order, context);
  }
}
