import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { checkCommission } from '../../domain/commission';
import { businessError, invalidField, notFound } from '../../domain/errors';
import type { PricedOrder } from '../../domain/fees';
import { currencyDecimals, type Money } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import type * as db from '../../db/fees/commissions';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { propose } from '../../steps/changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { OrderKindEnum } from '../events/order-change';
import { DecimalScalar } from '../scalars';
import { CommissionRate } from './commission';
import { fieldsOfRate, rateFields, type RatePayload } from '../../steps/fees/commission-effects';
import { actorName, requireReach } from '../../steps/access/caller';

@InputType({ description: 'A version of a commission rate, as it is to be.' })
export class CommissionRateInput {
  @Field(() => ID, { description: 'Of whose fees.' })
  merchantId!: string;

  @Field({ description: 'ISO 4217; a currency of the merchant.' })
  currencyCode!: string;

  @Field(() => OrderKindEnum, { description: 'Of the fees of deposits, or of withdrawals.' })
  orderKind!: PricedOrder;

  @Field(() => ID, { description: 'Who earns it.' })
  resellerId!: string;

  @Field(() => DecimalScalar, {
    description: 'Of the fee: above 0, up to 100, at most four decimal places.',
  })
  percent!: Money;

  @Field(() => Date, {
    nullable: true,
    description:
      'From when on it is for new orders; null, or a time that has passed by then: as soon as it is approved.',
  })
  effectiveFrom?: Date | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True: nobody earns a share from then on. False if null.',
  })
  ends?: boolean | null;
}

@ObjectType({ simpleResolvers: true, description: 'A proposed commission rate.' })
export class CommissionRateChange {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => CommissionRate, {
    nullable: true,
    description: 'Null until the change is applied.',
  })
  rate!: db.CommissionRateRow | null;
}

@Resolver()
export class PutCommissionRateResolver {
  @Authorized('CONFIGURE')
  @Mutation(() => CommissionRateChange, {
    description:
      "Proposes who earns which share of a merchant's fees: the next version for these orders, or its end. Orders that are there keep theirs.",
  })
  async putCommissionRate(
    @Arg('input', { description: 'The version as it is to be.' }) input: CommissionRateInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<CommissionRateChange> {
    const { actor, loaders, now } = context;
    const { merchantId, currencyCode, orderKind, resellerId, percent } = input;
    const merchant = await loaders.merchants.load(merchantId);
    if (!merchant) throw notFound('merchant');
    requireReach(actor, merchantId, 'merchant');
    const currencies = await loaders.currencies.load(merchantId);
    const decimals = currencyDecimals(currencyCode);
    if (decimals === undefined || !currencies.some((one) => one.currencyCode === currencyCode))
      throw businessError('NOT_ENABLED', `the merchant does not use ${currencyCode}`);
    const reseller = await loaders.resellers.load(resellerId);
    if (!reseller) throw notFound('reseller');
    checkCommission(percent);
    const effectiveFrom = input.effectiveFrom ?? null;
    if (effectiveFrom !== null && effectiveFrom <= now)
      throw invalidField('effectiveFrom', 'must be still to come, or null', 'OUT_OF_RANGE');
    const payload: RatePayload = {
      id: uuidv7(),
      merchantId,
      currencyCode,
      orderKind,
      resellerId,
      decimals,
      effectiveFrom: effectiveFrom?.toISOString() ?? null,
      ends: input.ends ?? false,
      percent: percent.toFixed(),
      createdBy: actorName(actor),
    };
    const newest = (await loaders.commissionRatesOf.load(merchantId)).find(
      (row) => row.currencyCode === currencyCode && row.orderKind === orderKind,
    );
    if (payload.ends && (newest?.ends ?? true)) throw businessError('NO_CHANGE', 'nobody earns a share of these fees');
    const orders = `${currencyCode} ${orderKind.toLowerCase()}s of ${merchant.merchantCode}`;
    const change = await propose(context, {
      kind: 'PUT_COMMISSION_RATE',
      subject: { kind: 'merchant', id: merchantId, name: merchant.merchantCode },
      merchantId,
      summary: payload.ends
        ? `End the commission on the fees of ${orders}`
        : `Give ${reseller.name} ${payload.percent} % of the fees of ${orders}`,
      before: newest ? fieldsOfRate(newest) : {},
      after: rateFields(payload),
      payload,
      reason,
      evidence,
    });
    const rate = await loaders.commissionRates.clear(payload.id).load(payload.id);
    return { change, rate: rate ?? null };
  }
}
