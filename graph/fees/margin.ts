import {
  Arg,
  Authorized,
  Ctx,
  Extensions,
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
import { csvOf } from '../../domain/csv';
import { businessError, invalidField } from '../../domain/errors';
import type { PricedOrder } from '../../domain/fees';
import { formatMoney, type Money } from '../../domain/money';
import { shownMerchants } from '../../domain/permissions';
import type { BankAccountRow } from '../../db/accounts/bank-accounts';
import type { ChannelRow } from '../../db/channels/channels';
import * as db from '../../db/fees/margin';
import type { MerchantRow } from '../../db/merchants/merchants';
import { BankAccount } from '../accounts/bank-account';
import type { GraphContext } from '../context';
import { DepositChannel } from '../deposits/deposit';
import { REASON } from '../descriptions';
import { OrderKindEnum } from '../events/order-change';
import { Export, EXPORT_COST, EXPORTERS } from '../exports/export';
import { Merchant } from '../merchants/merchant';
import { requireReason } from '../../steps/operators/operator-action';
import { DecimalScalar, enumOf } from '../scalars';
import { checkedZone } from '../../steps/zone';
import { operatorOf } from '../../steps/access/caller';
import { managedAccount } from '../../steps/exports/managed-account';

/** The longest span of one report, days. */
const MOST_DAYS = 92;
const MOST_ROWS = 5_000;
/** The cost of a report within the limits of an operation: many rows are read. */
const COST = 200;
const DAY_MS = 86_400_000;

export const MarginGroupEnum = enumOf(db.MARGIN_GROUPS);
registerEnumType(MarginGroupEnum, {
  name: 'MarginGroup',
  description: 'By what the rows of a margin report are grouped, besides the currency.',
  valuesConfig: {
    DAY: { description: 'The day on which the money moved, in the zone that was asked for.' },
    MERCHANT: { description: 'The merchant whose orders they are.' },
    WAY: { description: 'The managed account, or the channel.' },
    KIND: { description: 'Deposits and withdrawals.' },
  },
});

@InputType({ description: 'What a margin report is about: all given conditions must hold.' })
export class MarginFilter {
  @Field({ description: 'Money that moved from then on.' })
  from!: Date;

  @Field({
    description: `Money that moved before then; at most ${MOST_DAYS} days after \`from\`.`,
  })
  to!: Date;

  @Field(() => [ID], {
    nullable: true,
    description: 'Of these merchants; all, and what is of none, unless given.',
  })
  merchantId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In these, ISO 4217; all unless given.' })
  currencyCode?: string[] | null;

  @Field(() => String, {
    defaultValue: 'UTC',
    description: 'The time zone of the days, such as `Asia/Bangkok` (IANA).',
  })
  zone!: string;

  @Field(() => [MarginGroupEnum], {
    nullable: true,
    description: 'By what the rows differ; by day, merchant and way unless given.',
  })
  by?: db.MarginGroup[] | null;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'What was earned and what it cost, of what the groups have in common. Fees and channel costs are those of the ledger, on the day of their posting; amounts and bank costs those of completed orders, on the day of their completion.',
})
export class MarginRow {
  @Field(() => String, {
    nullable: true,
    description: 'YYYY-MM-DD; null where rows do not differ by it.',
  })
  day!: string | null;

  @Field(() => OrderKindEnum, {
    nullable: true,
    description: 'Null where rows do not differ by it, and of money without an order.',
  })
  kind!: PricedOrder | null;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => Int, { description: 'Completed orders.' })
  orders!: number;

  @Field(() => DecimalScalar, { description: 'What was received or paid of them.' })
  amount!: Money;

  @Field(() => DecimalScalar, { description: 'Fees, less those that were given back.' })
  fees!: Money;

  @Field(() => DecimalScalar, { description: 'What channels charged.' })
  channelCost!: Money;

  @Field(() => DecimalScalar, {
    description: 'What banks charge for these orders, by the costs of their accounts; zero where nobody has said.',
  })
  bankCost!: Money;

  @Field(() => DecimalScalar, {
    description: 'What resellers earned of these fees, less what was taken back with them.',
  })
  commission!: Money;

  @Field(() => DecimalScalar, { description: 'Fees less these costs.' })
  profit!: Money;

  @Field(() => DecimalScalar, {
    description:
      'What banks took by the ledger, less their interest; no part of the profit, which counts the cost of each order.',
  })
  bankCharges!: Money;
}

/**
 * @throws INVALID_FIELD, BUSINESS_ERROR if there are too many rows: sums of a part would be wrong
 */
async function reportOf(filter: MarginFilter, context: GraphContext): Promise<db.MarginRow[]> {
  const { from, to, currencyCode } = filter;
  if (to.getTime() <= from.getTime()) throw invalidField('filter.to', 'must be after `from`', 'OUT_OF_RANGE');
  if (to.getTime() - from.getTime() > MOST_DAYS * DAY_MS)
    throw invalidField('filter.to', `must be at most ${MOST_DAYS} days after \`from\``, 'OUT_OF_RANGE');
  const asked = {
    at: { from, to },
    merchantId: shownMerchants(operatorOf(context.actor), filter.merchantId) ?? null,
    currencyCode: currencyCode ?? null,
    zone: await checkedZone(context, filter.zone),
    by: new Set(filter.by ?? (['DAY', 'MERCHANT', 'WAY'] as const)),
  };
  const rows = await db.findMargin(context.database, asked, MOST_ROWS);
  if (rows.length > MOST_ROWS)
    throw businessError('NOT_ENABLED', `there are more than ${MOST_ROWS} rows: narrow the filter`);
  return rows;
}

const FILTER = 'What the report is about.';

@Resolver(() => MarginRow)
export class MarginResolver {
  @Authorized('VIEW')
  @Extensions({ cost: COST })
  @Query(() => [MarginRow], {
    description: `Fees, costs and profit by day, merchant and way: ${MOST_ROWS} rows at most.`,
  })
  async marginReport(
    @Arg('filter', { description: FILTER }) filter: MarginFilter,
    @Ctx() context: GraphContext,
  ): Promise<readonly db.MarginRow[]> {
    return await reportOf(filter, context);
  }

  @Authorized(...EXPORTERS)
  @Extensions({ cost: EXPORT_COST })
  @Mutation(() => Export, {
    description: 'A margin report as a file. The audit log records each export.',
  })
  async exportMargin(
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('filter', { description: FILTER }) filter: MarginFilter,
    @Ctx() context: GraphContext,
  ): Promise<Export> {
    const { audit, loaders, now } = context;
    audit.note = { subject: 'margin', reason };
    requireReason(reason);
    const rows = await reportOf(filter, context);
    const shown = await Promise.all(
      rows.map(async (row) => ({
        ...row,
        merchant: row.merchantId && (await loaders.merchants.load(row.merchantId))?.merchantCode,
        account: row.accountId && managedAccount(await loaders.bankAccounts.load(row.accountId)),
        channel: row.channelId && (await loaders.channels.load(row.channelId))?.channelCode,
      })),
    );
    const wanted = JSON.parse(JSON.stringify({ filter })) as object;
    audit.note = { ...audit.note, after: { ...wanted, rows: rows.length } };
    return {
      fileName: `margin-${now.toISOString().slice(0, 19).replaceAll(':', '')}Z.csv`,
      csv: csvOf<(typeof shown)[number]>(
        [
          ['day', ({ day }) => day],
          ['merchant_code', ({ merchant }) => merchant],
          ['account', ({ account }) => account],
          ['channel_code', ({ channel }) => channel],
          ['kind', ({ kind }) => kind?.toLowerCase()],
          ['currency_code', ({ currencyCode }) => currencyCode],
          ['orders', ({ orders }) => orders],
          ['amount', ({ amount }) => formatMoney(amount)],
          ['fees', ({ fees }) => formatMoney(fees)],
          ['channel_cost', ({ channelCost }) => formatMoney(channelCost)],
          ['bank_cost', ({ bankCost }) => formatMoney(bankCost)],
          ['profit', ({ profit }) => formatMoney(profit)],
          ['bank_charges', ({ bankCharges }) => formatMoney(bankCharges)],
          ['time_zone', () => filter.zone],
          ['commission', ({ commission }) => formatMoney(commission)],
        ],
        shown,
      ),
      rows: rows.length,
      cut: false,
      endCursor: null,
      zone: filter.zone,
    };
  }

  @Authorized('VIEW')
  @FieldResolver(() => Merchant, {
    nullable: true,
    description: 'Whose orders; null where rows do not differ by it, and of what is of none.',
  })
  async merchant(
    @Root() { merchantId }: db.MarginRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<MerchantRow | undefined> {
    return merchantId === null ? undefined : await loaders.merchants.load(merchantId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => BankAccount, {
    nullable: true,
    description: 'The managed account; null of what went through a channel, or by neither.',
  })
  async account(
    @Root() { accountId }: db.MarginRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<BankAccountRow | undefined> {
    return accountId === null ? undefined : await loaders.bankAccounts.load(accountId);
  }

  @Authorized('VIEW')
  @FieldResolver(() => DepositChannel, {
    nullable: true,
    description: 'The channel; null of what went through an account, or by neither.',
  })
  async channel(
    @Root() { channelId }: db.MarginRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<ChannelRow | undefined> {
    return channelId === null ? undefined : await loaders.channels.load(channelId);
  }
}
