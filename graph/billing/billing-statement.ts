import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  ObjectType,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { BILLING_LINES, inStatementOrder, statementCsv, statementNo } from '../../domain/billing';
import { invalidField } from '../../domain/errors';
import type { TransferType } from '../../domain/ledger';
import type { Money } from '../../domain/money';
import * as list from '../../db/billing/statement-list';
import * as db from '../../db/billing/statements';
import type { MerchantRow } from '../../db/merchants/merchants';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import type { GraphContext } from '../context';
import { LedgerTransferTypeEnum } from '../ledger/ledger-entry';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { Merchant } from '../merchants/merchant';
import { DecimalScalar } from '../scalars';

@ObjectType({
  simpleResolvers: true,
  description:
    'What the postings of one type came to within a billing statement: amount − fee = available + frozen − receivable.',
})
export class BillingLine {
  @Field(() => LedgerTransferTypeEnum, { description: 'What they record.' })
  type!: TransferType;

  @Field(() => Int, { description: 'How many they are.' })
  postings!: number;

  @Field(() => DecimalScalar, { description: 'What they came to before the fee; negative: taken.' })
  amount!: Money;

  @Field(() => DecimalScalar, { description: 'What the merchant paid us within them.' })
  fee!: Money;

  @Field(() => DecimalScalar, { description: 'How what the merchant can withdraw changed.' })
  available!: Money;

  @Field(() => DecimalScalar, { description: 'How what is frozen changed.' })
  frozen!: Money;

  @Field(() => DecimalScalar, { description: 'How what the merchant owes us changed.' })
  receivable!: Money;
}

@ObjectType({
  simpleResolvers: true,
  description:
    'What a month of a merchant’s balance came to in one currency. It never changes: what is corrected later is a line of a later month.',
})
export class BillingStatement {
  @Field(() => ID, { description: 'A UUID.' })
  id!: string;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => Int, { description: '1, 2, 3 … of the merchant and currency, without a gap.' })
  number!: number;

  @Field({ description: 'In which the month was counted.' })
  timeZone!: string;

  @Field({ description: 'Where the statement before it ended.' })
  beginsAt!: Date;

  @Field({ description: 'The first moment of the next month in that zone.' })
  endsAt!: Date;

  @Field(() => DecimalScalar, { description: 'What could be withdrawn as it began.' })
  openingAvailable!: Money;

  @Field(() => DecimalScalar, { description: 'What was frozen as it began.' })
  openingFrozen!: Money;

  @Field(() => DecimalScalar, { description: 'What the merchant owed us as it began.' })
  openingReceivable!: Money;

  @Field(() => DecimalScalar, { description: 'What could be withdrawn as it ended.' })
  closingAvailable!: Money;

  @Field(() => DecimalScalar, { description: 'What was frozen as it ended.' })
  closingFrozen!: Money;

  @Field(() => DecimalScalar, { description: 'What the merchant owed us as it ended.' })
  closingReceivable!: Money;

  @Field(() => Int, { description: 'How many postings it has.' })
  postings!: number;

  @Field({ description: 'When it was issued.' })
  issuedAt!: Date;
}

@InputType({ description: 'Filter of billing statements. All given conditions must hold.' })
export class BillingStatementFilter implements list.BillingStatementFilter {
  @Field(() => [ID], { nullable: true, description: 'Of one of these merchants.' })
  merchantId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;

  @Field(() => String, { nullable: true, description: 'Of this month, `YYYY-MM`.' })
  month?: string | null;
}

export const BillingListResolver = listResolver('billingStatements', {
  description: 'Billing statements, those of the newest month first.',
  connection: connectionOf(BillingStatement, 'BillingStatement'),
  sort: sortEnum('BillingStatementSort', { MONTH: 'By the month' }),
  defaultSort: 'MONTH_DESC',
  filter: BillingStatementFilter,
  sorts: list.BILLING_STATEMENT_SORTS,
  id: BY_ID,
  read: list.listBillingStatements,
  count: list.countBillingStatements,
  narrow: (filter: BillingStatementFilter, context): list.BillingStatementFilter => {
    if (filter.month != null && !/^[0-9]{4}-(0[1-9]|1[0-2])$/.test(filter.month))
      throw invalidField('filter.month', 'must be a month, YYYY-MM');
    return toOwnMerchants(filter, context);
  },
});

async function linesOf(
  { id }: db.BillingStatementRow,
  { loaders }: GraphContext,
): Promise<readonly db.BillingLineRow[]> {
  return inStatementOrder(await loaders.billingLines.load(id));
}

async function noOf(
  { merchantId, currencyCode, number }: db.BillingStatementRow,
  { loaders }: GraphContext,
): Promise<string> {
  const merchant = await loaders.merchants.load(merchantId);
  return statementNo(merchant?.merchantCode ?? '', currencyCode, number);
}

@Resolver(() => BillingStatement)
export class BillingStatementResolver {
  @Authorized('VIEW')
  @Query(() => BillingStatement, { nullable: true, description: 'One billing statement.' })
  async billingStatement(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { database }: GraphContext,
  ): Promise<db.BillingStatementRow | undefined> {
    return (await db.findBillingStatements(database, [id]))[0];
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, { description: 'Its number as people quote it: `ACME-THB-0007`.' })
  async statementNo(@Root() row: db.BillingStatementRow, @Ctx() context: GraphContext): Promise<string> {
    return await noOf(row, context);
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, { description: 'The month, `YYYY-MM`.' })
  month(@Root() { month }: db.BillingStatementRow): string {
    return month.slice(0, 7);
  }

  @Authorized('VIEW')
  @FieldResolver(() => [BillingLine], {
    description: 'Opening, these and closing add up; a month without postings has none.',
  })
  async lines(
    @Root() row: db.BillingStatementRow,
    @Ctx() context: GraphContext,
  ): Promise<readonly db.BillingLineRow[]> {
    return await linesOf(row, context);
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    description: 'The statement as comma-separated values (RFC 4180), with a line of headings.',
  })
  async csv(@Root() row: db.BillingStatementRow, @Ctx() context: GraphContext): Promise<string> {
    const [no, lines] = await Promise.all([noOf(row, context), linesOf(row, context)]);
    return statementCsv(no, row, lines);
  }

  @Authorized('VIEW')
  @FieldResolver(() => Merchant, { nullable: true, description: 'Its merchant.' })
  async merchant(
    @Root() { merchantId }: db.BillingStatementRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<MerchantRow | undefined> {
    return await loaders.merchants.load(merchantId);
  }
}

@Resolver(() => BillingLine)
export class BillingLineResolver {
  @Authorized('VIEW')
  @FieldResolver(() => String, { description: 'What they record, in words.' })
  title(@Root() { type }: db.BillingLineRow): string {
    return BILLING_LINES[type].title;
  }
}
