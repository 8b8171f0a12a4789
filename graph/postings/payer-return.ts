import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  ObjectType,
  Query,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { openReturnAccount, openReturnName } from '../../crypto/personal';
import type { Money } from '../../domain/money';
import type { DepositView } from '../../db/deposits/deposits';
import * as list from '../../db/ledger/payer-return-list';
import * as db from '../../db/ledger/payer-returns';
import type { OperatorRow } from '../../db/operators/operators';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { Operator } from '../operators/operator';
import { DecimalScalar, enumOf } from '../scalars';
import { BankTransfer } from '../transfers/bank-transfer';
import { seesMoneyOf } from '../../steps/access/caller';

const STATUSES = ['OPEN', 'SENDING', 'COMPLETED', 'CANCELLED'] as const;
/** The status of a return. */
export type PayerReturnStatus = (typeof STATUSES)[number];
export const PayerReturnStatusEnum = enumOf(STATUSES);
registerEnumType(PayerReturnStatusEnum, {
  name: 'PayerReturnStatus',
  description: 'Where the return of money to its payer stands.',
  valuesConfig: {
    OPEN: { description: 'Agreed; nobody sends it yet.' },
    SENDING: { description: 'A person is sending it: only another person gives it back.' },
    COMPLETED: { description: 'The bank has paid it.' },
    CANCELLED: { description: 'It was not sent: the money waits again, or is the merchant’s.' },
  },
});

@ObjectType({
  simpleResolvers: true,
  description:
    'Money that goes back to who paid it: of a bank transfer that waits, or of a completed deposit as a refund, whole or in part. Two people agree; then a person sends it from a managed account.',
})
export class PayerReturn {
  @Field(() => ID, { description: 'A UUID, as `beginReturn` and the steps after it take it.' })
  id!: string;

  @Field(() => PayerReturnStatusEnum, { description: 'Its status.' })
  status!: PayerReturnStatus;

  @Field(() => ID, {
    nullable: true,
    description: 'The transfer whose money it is; null of a refund.',
  })
  bankTransferId!: string | null;

  @Field({ description: 'ISO 4217.' })
  currencyCode!: string;

  @Field(() => DecimalScalar, { description: 'What the payer gets, four decimal places.' })
  amount!: Money;

  @Field(() => String, { nullable: true, description: 'The bank of that account, as given.' })
  payeeBank!: string | null;

  @Field({ description: 'The reason of the proposer.' })
  reason!: string;

  @Field({ description: 'When two people had agreed on it.' })
  createdAt!: Date;

  @Field(() => ID, { nullable: true, description: 'The managed account that pays it.' })
  accountId!: string | null;

  @Field(() => Date, { nullable: true, description: 'Since when it is being sent.' })
  sendingAt!: Date | null;

  @Field(() => String, { nullable: true, description: "The bank's number of the transfer." })
  bankReference!: string | null;

  @Field(() => ID, { nullable: true, description: 'The bank debit that reports it.' })
  bankDebitId!: string | null;

  @Field(() => Date, { nullable: true, description: 'When it was completed or cancelled.' })
  endedAt!: Date | null;

  @Field(() => String, { nullable: true, description: 'Why it was cancelled.' })
  endReason!: string | null;
}

@Resolver(() => PayerReturn)
export class PayerReturnResolver {
  @FieldResolver(() => String, { description: 'Whom it goes to.' })
  payeeName(@Root() row: db.PayerReturnRow, @Ctx() { sealer }: GraphContext): string {
    return openReturnName(sealer, row);
  }

  @FieldResolver(() => String, { description: 'The account number that it goes to.' })
  payeeAccount(@Root() row: db.PayerReturnRow, @Ctx() { sealer }: GraphContext): string {
    return openReturnAccount(sealer, row);
  }

  @Authorized('VIEW')
  @Query(() => PayerReturn, { nullable: true, description: 'One return of money to its payer.' })
  async payerReturn(
    @Arg('id', () => ID, { description: 'A UUID.' }) id: string,
    @Ctx() { database, actor }: GraphContext,
  ): Promise<db.PayerReturnRow | undefined> {
    const [found] = await db.findPayerReturns(database, [id]);
    return found && seesMoneyOf(actor, found.merchantId) ? found : undefined;
  }

  @Authorized('VIEW')
  @FieldResolver(() => String, {
    nullable: true,
    description: 'Of a refund: the gateway number of its deposit.',
  })
  async orderNo(
    @Root() { depositId }: db.PayerReturnRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<string | undefined> {
    return depositId === null ? undefined : (await loaders.orderNos.load(depositId))?.orderNo;
  }

  @Authorized('VIEW')
  @FieldResolver(() => Operator, { nullable: true, description: 'Who sends it, or has sent it.' })
  async sender(
    @Root() { sentBy }: db.PayerReturnRow,
    @Ctx() { loaders }: GraphContext,
  ): Promise<OperatorRow | undefined> {
    return sentBy === null ? undefined : await loaders.operators.load(sentBy);
  }
}

@Resolver(() => BankTransfer)
export class ReturnsOfTransferResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [PayerReturn], { description: 'What of it goes, or went, back.' })
  async returns(
    @Root() { id }: BankTransferView,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.PayerReturnRow[]> {
    return await loaders.returnsOfTransfer.load(id);
  }
}

@Resolver(() => DepositOrder)
export class RefundsOfDepositResolver {
  @Authorized('VIEW')
  @FieldResolver(() => [PayerReturn], { description: 'Its refunds, the oldest first.' })
  async refunds(@Root() { id }: DepositView, @Ctx() { loaders }: GraphContext): Promise<readonly db.PayerReturnRow[]> {
    return await loaders.refundsOfDeposit.load(id);
  }
}

@InputType({ description: 'Filter of returns. All given conditions must hold.' })
export class PayerReturnFilter implements list.PayerReturnFilter {
  @Field(() => [PayerReturnStatusEnum], { nullable: true, description: 'One of these.' })
  status?: PayerReturnStatus[] | null;

  @Field(() => [ID], {
    nullable: true,
    description: 'Refunds of deposits of one of these merchants.',
  })
  merchantId?: string[] | null;

  @Field(() => [String], { nullable: true, description: 'In one of these, ISO 4217.' })
  currencyCode?: string[] | null;
}

export const PayerReturnListResolver = listResolver('payerReturns', {
  description: 'Money that goes, or went, back to payers, the newest first.',
  connection: connectionOf(PayerReturn, 'PayerReturn'),
  sort: sortEnum('PayerReturnSort', { CREATED_AT: 'By when two people had agreed' }),
  defaultSort: 'CREATED_AT_DESC',
  filter: PayerReturnFilter,
  sorts: list.PAYER_RETURN_SORTS,
  id: BY_ID,
  read: list.listPayerReturns,
  count: list.countPayerReturns,
  narrow: toOwnMerchants,
});
