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
import { COMMISSION_SOURCES, type CommissionSource } from '../../domain/commission';
import type { PricedOrder } from '../../domain/fees';
import type { Money } from '../../domain/money';
import type * as db from '../../db/fees/commissions';
import type { MerchantRow } from '../../db/merchants/merchants';
import { ActorInfo, actorInfoOf } from '../actor-info';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { OrderKindEnum } from '../events/order-change';
import { Merchant } from '../merchants/merchant';
import { DecimalScalar, enumOf } from '../scalars';
import { WithdrawalOrder } from '../withdrawals/withdrawal';
import { Reseller } from './reseller';

export const CommissionSourceEnum = enumOf(COMMISSION_SOURCES);
registerEnumType(CommissionSourceEnum, {
  name: 'CommissionSource',
  description: 'What brought the fee of which a reseller earned a share.',
  valuesConfig: {
    DEPOSIT: { description: 'A completed deposit; a prepaid fee, too.' },
    WITHDRAWAL: { description: 'A completed withdrawal.' },
    LATE_PAYMENT: { description: 'A channel paid after all what had failed.' },
    LATE_CREDIT: { description: 'Operators credited money late, with a fee.' },
    RETURN_REVERSED: {
      description: 'A fee was reversed with a returned payout, and that was reversed in turn.',
    },
  },
});

@ObjectType({
  simpleResolvers: true,
  description:
    "Who earns which share of a merchant's fees from a day on. A version never changes: a change is the next one, and an order keeps the one that it was created under.",
})
export class CommissionRate {
  @Field(() => ID, { description: 'A UUID, of this version.' })
  id!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => OrderKindEnum, { description: 'Of whose fees.' })
  orderKind!: PricedOrder;

  @Field(() => Int, { description: 'From 1, of the same orders.' })
  version!: number;

  @Field({ description: 'From then on the newest version that has begun is in force.' })
  effectiveFrom!: Date;

  @Field({ description: 'From then on nobody earns a share.' })
  ends!: boolean;

  @Field(() => DecimalScalar, { description: 'Of the fee; above 0, up to 100.' })
  percent!: Money;

  @Field({ description: 'When it was approved.' })
  createdAt!: Date;
}

@Resolver(() => CommissionRate)
export class CommissionRateResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Merchant, { description: 'Of whose fees.' })
  async merchant(
    @Root() { merchantId }: db.CommissionRateRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<MerchantRow | undefined> {
    return await loaders.merchants.load(merchantId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Reseller, { description: 'Who earns it.' })
  async reseller(
    @Root() { resellerId }: db.CommissionRateRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.ResellerRow | undefined> {
    return await loaders.resellers.load(resellerId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Boolean, { description: 'Whether it is for new orders now.' })
  async inForce(@Root() { id, merchantId }: db.CommissionRateRow, @Ctx() { loaders }: GraphContext): Promise<boolean> {
    const currencies = await loaders.currencies.load(merchantId);
    return currencies.some(({ commissionRates }) => Object.values(commissionRates).includes(id));
  }

  @Authorized('VIEW')
  @FieldResolver(() => ActorInfo, { description: 'Who proposed it.' })
  createdBy(@Root() { createdBy }: db.CommissionRateRow): ActorInfo {
    return actorInfoOf(createdBy);
  }
}

@Resolver(() => Merchant)
export class CommissionRatesOfMerchantResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [CommissionRate], {
    description:
      'Who earns which share of its fees: all versions, by currency and kind of order, the newest first. None: nobody does.',
  })
  async commissionRates(
    @Root() { id }: MerchantRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.CommissionRateRow[]> {
    return await loaders.commissionRatesOf.load(id);
  }
}

@Resolver(() => Reseller)
export class RatesOfResellerResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [CommissionRate], {
    description:
      "Its shares of merchants' fees: all versions, by merchant, currency and kind of order, the newest first.",
  })
  async rates(
    @Root() { id }: db.ResellerRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.CommissionRateRow[]> {
    return await loaders.ratesOfReseller.load(id);
  }
}

@ObjectType({ simpleResolvers: true, description: 'What a reseller earned of one fee.' })
export class Commission {
  @Field(() => ID, { description: 'A UUID, of what brought the fee.' })
  id!: string;

  @Field(() => CommissionSourceEnum, { description: 'What brought the fee. Expect new ones.' })
  source!: CommissionSource;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, { description: 'What the merchant paid, of which it is a share.' })
  fee!: Money;

  @Field(() => DecimalScalar, { description: 'The share of the fee.' })
  amount!: Money;

  @Field({ description: 'When it was earned.' })
  at!: Date;

  @Field(() => Date, {
    nullable: true,
    description: 'When it was taken back, as the fee was reversed; null while it holds.',
  })
  reversedAt!: Date | null;
}

@Resolver(() => Commission)
export class CommissionResolver {
  @Authorized('VIEW')
  @FieldResolver(() => Merchant, { description: 'Whose fee it was.' })
  async merchant(
    @Root() { merchantId }: db.CommissionRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<MerchantRow | undefined> {
    return await loaders.merchants.load(merchantId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description: 'The gateway number of the deposit or withdrawal; null of money that was credited without one.',
  })
  async orderNo(@Root() { orderId }: db.CommissionRow, @Ctx() { loaders }: GraphContext): Promise<string | undefined> {
    return orderId === null ? undefined : (await loaders.orderNos.load(orderId))?.orderNo;
  }

  @Authorized('VIEW')
  @FieldResolver(() => Reseller, { description: 'Who earned it.' })
  async reseller(
    @Root() { resellerId }: db.CommissionRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.ResellerRow | undefined> {
    return await loaders.resellers.load(resellerId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => CommissionRate, { description: 'The version that says which share.' })
  async rate(
    @Root() { rateId }: db.CommissionRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<db.CommissionRateRow | undefined> {
    return await loaders.commissionRates.load(rateId);
  }
}

const DESCRIPTION = 'What resellers earned of its fee, the oldest first; none: nobody did.';

@Resolver(() => DepositOrder)
export class CommissionsOfDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [Commission], { description: DESCRIPTION })
  async commissions(
    @Root() { id }: DepositOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.CommissionRow[]> {
    return await loaders.commissionsOf.load(id);
  }
}

@Resolver(() => WithdrawalOrder)
export class CommissionsOfWithdrawalResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [Commission], { description: DESCRIPTION })
  async commissions(
    @Root() { id }: WithdrawalOrder,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.CommissionRow[]> {
    return await loaders.commissionsOf.load(id);
  }
}
