import {
  Arg,
  Authorized,
  Ctx,
  Field,
  ID,
  Int,
  Mutation,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
} from 'type-graphql';
import { openCards } from '../../crypto/personal';
import { CASHIER_STATUSES, type CashierStatus, shownCard } from '../../domain/cashier';
import type { DepositStatus } from '../../domain/deposit';
import { currencyDecimals, type Money } from '../../domain/money';
import { type CashierSessionRow, findCashierSessions } from '../../db/cashier/sessions';
import type { DepositView } from '../../db/deposits/deposits';
import type { MerchantRow } from '../../db/merchants/merchants';
import { findClaimsOfDeposits } from '../../db/cashier/payment-claims';
import type { GraphContext } from '../context';
import { DepositStatusEnum } from '../deposits/deposit';
import { DecimalScalar, enumOf } from '../scalars';
import { payerOf, present } from '../../steps/cashier/payer';
import { submitSession } from '../../steps/cashier/submit-session';

export const CashierStatusEnum = enumOf(CASHIER_STATUSES);
registerEnumType(CashierStatusEnum, {
  name: 'CashierStatus',
  description: 'How far a cashier session got (contract, "States and transitions").',
  valuesConfig: {
    PENDING: { description: 'The payer has not chosen yet; there is no order.' },
    SUBMITTED: { description: 'Its order is there and goes its own way.' },
    EXPIRED: { description: 'Its time ran out, or an operator ended it. Nothing comes of it.' },
  },
});

@ObjectType({ simpleResolvers: true, description: 'One detail of a card.' })
export class CashierCardField {
  @Field({ description: "The merchant's name for it." })
  key!: string;

  @Field({ description: 'Long numbers are cut to their last four digits.' })
  value!: string;
}

@ObjectType({ simpleResolvers: true, description: 'Whom the payer pays, as he knows them.' })
export class CashierMerchant {
  @Field()
  name!: string;

  @Field(() => String, { nullable: true, description: 'https.' })
  logoUrl!: string | null;

  @Field(() => String, { nullable: true, description: '#rrggbb, readable on white.' })
  colour!: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'What the payer has to transfer, and where.' })
export class CashierOrder {
  @Field({ description: "The gateway's number." })
  orderNo!: string;

  @Field(() => DepositStatusEnum)
  status!: DepositStatus;

  @Field(() => DecimalScalar, { description: 'As it was chosen.' })
  requestedAmount!: Money;

  @Field(() => DecimalScalar, { description: 'What must be transferred, exactly.' })
  amount!: Money;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field({ description: 'It takes no payment after this.' })
  expireAt!: Date;

  @Field(() => String, { nullable: true })
  bankCode!: string | null;

  @Field(() => String, { nullable: true })
  bankName!: string | null;

  @Field(() => String, { nullable: true })
  bankBranch!: string | null;

  @Field(() => String, { nullable: true })
  accountNo!: string | null;

  @Field(() => String, { nullable: true })
  accountHolder!: string | null;

  @Field(() => String, { nullable: true, description: 'What must stand in the memo.' })
  remark!: string | null;

  @Field(() => String, { nullable: true, description: "A channel's own page." })
  paymentUrl!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What a channel gives for a QR code: `qr_data` of its details.',
  })
  qrData!: string | null;

  @Field(() => Date, { nullable: true })
  completedAt!: Date | null;
}

@ObjectType({ simpleResolvers: true, description: 'That the payer says to have paid.' })
export class CashierClaim {
  @Field({ description: "The bank's reference, as the payer gave it." })
  reference!: string;

  @Field()
  at!: Date;
}

@ObjectType({ simpleResolvers: true, description: 'A cashier session as its payer sees it.' })
export class CashierView {
  @Field(() => ID)
  sessionId!: string;

  @Field(() => CashierStatusEnum)
  status!: CashierStatus;

  @Field()
  hasDepositOrder!: boolean;

  @Field(() => Int, {
    description: 'Rises when the session is opened again for something else; sent with the choice.',
  })
  version!: number;

  @Field({ description: "The session's; the order has its own." })
  expireAt!: Date;

  @Field({ description: 'Count down by this clock.' })
  serverTime!: Date;

  @Field({ description: 'Simulated money.' })
  sandbox!: boolean;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => Int, { description: "The currency's decimal places." })
  decimals!: number;

  @Field(() => [DecimalScalar], { description: 'Amounts to choose from.' })
  denominations!: readonly Money[];

  @Field(() => DecimalScalar, { nullable: true, description: 'The least of other amounts.' })
  customMin!: Money | null;

  @Field(() => DecimalScalar, { nullable: true, description: 'The greatest of other amounts.' })
  customMax!: Money | null;

  @Field(() => [[CashierCardField]], {
    description: 'One of them must be chosen, if there are any.',
  })
  cards!: readonly (readonly CashierCardField[])[];

  @Field(() => Int, { nullable: true, description: 'Which card was chosen, from 0.' })
  chosenCard!: number | null;

  @Field(() => CashierMerchant)
  merchant!: CashierMerchant;

  @Field(() => String, { nullable: true, description: 'Where to go when it is over.' })
  returnUrl!: string | null;

  @Field(() => CashierOrder, { nullable: true })
  order!: CashierOrder | null;

  @Field(() => CashierClaim, { nullable: true })
  claim!: CashierClaim | null;
}

const orderOf = (deposit: DepositView): CashierOrder => {
  const { bank_code, bank_name, bank_branch, account_no, account_holder, qr_data } = deposit.paymentSnapshot;
  return {
    orderNo: deposit.orderNo,
    status: deposit.status,
    requestedAmount: deposit.requestedAmount,
    amount: deposit.amount,
    currencyCode: deposit.currencyCode,
    expireAt: deposit.expireAt,
    bankCode: bank_code ?? null,
    bankName: bank_name ?? null,
    bankBranch: bank_branch ?? null,
    accountNo: account_no ?? null,
    accountHolder: account_holder ?? null,
    remark: deposit.expectedRemark,
    paymentUrl: deposit.paymentUrl,
    qrData: qr_data ?? null,
    completedAt: deposit.completedAt,
  };
};

const merchantOf = (merchant: MerchantRow): CashierMerchant => ({
  name: merchant.cashierName ?? merchant.name,
  logoUrl: merchant.cashierLogoUrl,
  colour: merchant.cashierColour,
});

/** A session as its payer sees it. */
async function viewOf(context: GraphContext, session: CashierSessionRow): Promise<CashierView> {
  const { database, environment, loaders, now, sealer } = context;
  const { merchantId, currencyCode, depositOrderId } = session;
  const [merchant, currencies, deposit, [claim]] = await Promise.all([
    loaders.merchants.load(merchantId),
    loaders.currencies.load(merchantId),
    depositOrderId === null ? undefined : loaders.deposits.load(depositOrderId),
    depositOrderId === null ? [] : findClaimsOfDeposits(database, [depositOrderId]),
  ]);
  if (!merchant) throw new Error('a session without its merchant');
  const amounts = currencies.find((c) => c.currencyCode === currencyCode)?.cashierAmounts;
  return {
    sessionId: session.id,
    status: session.status,
    hasDepositOrder: deposit !== undefined,
    version: session.version,
    expireAt: session.expireAt,
    serverTime: now,
    sandbox: environment === 'sandbox',
    currencyCode,
    decimals: currencyDecimals(currencyCode) ?? 2,
    denominations: amounts?.denominations ?? [],
    customMin: amounts?.custom?.min ?? null,
    customMax: amounts?.custom?.max ?? null,
    cards: openCards(sealer, session).map(shownCard),
    chosenCard: session.chosenCard,
    merchant: merchantOf(merchant),
    returnUrl: merchant.cashierReturnUrl,
    order: deposit ? orderOf(deposit) : null,
    claim: claim ? { reference: claim.reference, at: claim.at } : null,
  };
}

/** The payer's session as it is now. */
export async function currentView(context: GraphContext): Promise<CashierView> {
  const { sessionId } = payerOf(context.actor);
  const session = present((await findCashierSessions(context.database, [sessionId]))[0]);
  if (session.depositOrderId !== null) context.loaders.deposits.clear(session.depositOrderId);
  return await viewOf(context, session);
}

@Resolver()
export class CashierViewResolver {
  @Authorized('PAYER')
  @Query(() => CashierView, { description: "The payer's session, as it is now." })
  async cashierView(@Ctx() context: GraphContext): Promise<CashierView> {
    return await currentView(context);
  }

  @Authorized('PAYER')
  @Mutation(() => CashierView, {
    description: 'Makes the order of the payer’s choices. Safe to repeat: a double click makes one order.',
  })
  async submitCashierSession(
    @Ctx() context: GraphContext,
    @Arg('amount', () => String, {
      nullable: true,
      description: 'A plain decimal; not needed where the order is there already.',
    })
    amount?: string | null,
    @Arg('cardIndex', () => Int, {
      nullable: true,
      description: 'From 0; needed where the session has cards.',
    })
    cardIndex?: number | null,
    @Arg('version', () => Int, {
      nullable: true,
      description: 'Of the session that the payer was shown; an older one is refused with CONFLICT.',
    })
    version?: number | null,
  ): Promise<CashierView> {
    await submitSession(context, {
      amount: amount ?? null,
      cardIndex: cardIndex ?? null,
      version: version ?? null,
    });
    return await currentView(context);
  }
}
