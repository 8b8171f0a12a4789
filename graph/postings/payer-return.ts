import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  ObjectType,
  registerEnumType,
  Resolver,
  Root,
} from 'type-graphql';
import { uuidv7 } from 'uuidv7';
import { payeeDiffers } from '../../domain/debit-match';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { refundReleased } from '../../domain/ledger';
import { LIMITS } from '../../domain/limits';
import { formatMoney, type Money } from '../../domain/money';
import type { ChangeRow } from '../../db/changes/change-requests';
import { type DepositView, findDeposit } from '../../db/deposits/deposits';
import * as list from '../../db/ledger/payer-return-list';
import * as db from '../../db/ledger/payer-returns';
import type { OperatorRow } from '../../db/operators/operators';
import { findOpenDebits } from '../../db/transfers/bank-debits';
import type { BankTransferView } from '../../db/transfers/bank-transfers';
import { actorName, operatorOf, requireReach } from '../access/authorization';
import { takesTwo, warrantOf } from '../authority/warrant';
import { ChangeRequest, EvidenceInput } from '../changes/change-request';
import { findDecided, propose, type Proposal } from '../changes/propose';
import { BY_ID, connectionOf, sortEnum } from '../connection';
import type { GraphContext } from '../context';
import { DepositOrder } from '../deposits/deposit';
import { EVIDENCE, PAYLOAD_CHANGE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY, idempotent, type RecordKey } from '../idempotent';
import { listResolver, toOwnMerchants } from '../list-resolver';
import { Operator } from '../operators/operator';
import { operatorAction } from '../operators/operator-action';
import { DecimalScalar, enumOf } from '../scalars';
import { BankTransfer } from '../transfers/bank-transfer';
import { normaliseReference } from '../../domain/bank-reference';
import { endReturn, type CompleteReturnPayload, type ReturnPayload } from './payer-return-effects';
import { checkedAmount } from './checked-amount';
import { requireEvidence } from './post';
import { creditShown, waitingMoney } from './waiting-money';

const STATUSES = ['OPEN', 'SENDING', 'COMPLETED', 'CANCELLED'] as const;
/** Where a return stands. */
export type PayerReturnStatus = (typeof STATUSES)[number];
/** The statuses as GraphQL knows them. */
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

  @Field(() => PayerReturnStatusEnum, { description: 'Where it stands.' })
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

  @Field({ description: 'Whom it goes to.' })
  payeeName!: string;

  @Field({ description: 'The account number that it goes to.' })
  payeeAccount!: string;

  @Field(() => String, { nullable: true, description: 'The bank of that account, as given.' })
  payeeBank!: string | null;

  @Field({ description: 'Why, as the proposer says.' })
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

@InputType({ description: 'Where money goes back to.' })
export class PayeeInput {
  @Field({ description: 'The name of who gets it, 1-128 characters.' })
  name!: string;

  @Field({ description: 'The account number, 1-64 characters.' })
  account!: string;

  @Field(() => String, { nullable: true, description: 'The bank, for who sends it.' })
  bank?: string | null;
}

@ObjectType({ simpleResolvers: true, description: 'A return to a payer that was asked for.' })
export class ReturnResult {
  @Field(() => ChangeRequest, { description: PAYLOAD_CHANGE })
  change!: ChangeRow;

  @Field(() => PayerReturn, { nullable: true, description: 'Null until the change is applied.' })
  payerReturn!: db.PayerReturnRow | null;
}

@ObjectType({ simpleResolvers: true, description: 'A return to a payer, and what confirms it.' })
export class CompletedReturn {
  @Field(() => PayerReturn, { description: 'As it stands now.' })
  payerReturn!: db.PayerReturnRow;

  @Field(() => ChangeRequest, {
    nullable: true,
    description: 'Where no debit shows it: what another treasurer confirms; else null.',
  })
  change!: ChangeRow | null;
}

async function answered({ database }: GraphContext, change: ChangeRow): Promise<ReturnResult> {
  const [payerReturn] = await db.findReturnsOf(database, 'change_id', [change.id]);
  return { change, payerReturn: payerReturn ?? null };
}

function checkedPayee({ name, account, bank }: PayeeInput): {
  readonly payeeName: string;
  readonly payeeAccount: string;
  readonly payeeBank: string | null;
} {
  const [payeeName, payeeAccount] = [name.trim(), account.trim()];
  if (payeeName === '' || payeeName.length > LIMITS.beneficiaryName)
    throw invalidField('payee.name', `must have 1-${LIMITS.beneficiaryName} characters`);
  if (payeeAccount === '' || payeeAccount.length > LIMITS.beneficiaryAccount)
    throw invalidField('payee.account', `must have 1-${LIMITS.beneficiaryAccount} characters`);
  return { payeeName, payeeAccount, payeeBank: bank?.trim() || null };
}

/** Proposes a return once for each key of its client's. */
const proposeReturn = async (
  context: GraphContext,
  mutation: string,
  key: string | null | undefined,
  args: Readonly<Record<string, unknown>>,
  ask: () => Promise<Proposal>,
): Promise<ReturnResult> =>
  await idempotent(
    context,
    { mutation, key, args },
    async (recordKey: RecordKey) => {
      const proposal = await ask();
      requireEvidence(proposal.evidence);
      return await answered(context, await propose(context, proposal, recordKey));
    },
    async (id) => await answered(context, await findDecided(context, id)),
  );

async function findReturn(context: GraphContext, id: string): Promise<db.PayerReturnRow> {
  const [found] = await db.findPayerReturns({ sql: context.database.sql }, [id]);
  if (!found) throw notFound('return');
  if (found.merchantId !== null) requireReach(context.actor, found.merchantId, 'return');
  return found;
}

const CANNOT_SEND: Readonly<Record<db.SendRefusal, string>> = {
  NOT_OPEN: 'the return is not open',
  RECOVERY: 'nothing is sent while the platform recovers',
  WRONG_ACCOUNT: 'the account is disabled or has another currency',
};

/** The one debit that reports what was sent: by its bank reference, of this money, to this payee. */
async function debitOfReturn(
  context: GraphContext,
  { accountId, amount, currencyCode, payeeAccount }: db.PayerReturnRow,
  bankReference: string,
): Promise<string | null> {
  if (accountId === null) return null;
  const named = await context.database.transaction(
    async (tx) => await findOpenDebits(tx, { accountId, amount, currencyCode }),
  );
  const debits = named.filter(
    (debit) =>
      debit.bankReference !== null &&
      normaliseReference(debit.bankReference) === normaliseReference(bankReference) &&
      !payeeDiffers(debit.payeeAccount, payeeAccount),
  );
  return debits.length === 1 ? (debits[0]?.id ?? null) : null;
}

@Resolver(() => PayerReturn)
export class PayerReturnResolver {
  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => ReturnResult, {
    description:
      'Proposes to send money that waits back to who paid it. Needs evidence; a second person approves, then a person sends it. Until then the money stays in suspense, and nothing else may use it.',
  })
  async returnMoney(
    @Arg('transferId', () => ID, { description: 'The id of the bank transfer, a UUID.' })
    transferId: string,
    @Arg('payee', () => PayeeInput, { description: 'Where it goes back to.' }) payee: PayeeInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, {
      nullable: true,
      description: 'How much of it; null: all that still waits.',
    })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<ReturnResult> {
    const args = { transferId, ...checkedPayee(payee), part: part?.toFixed(), reason };
    return await proposeReturn(context, 'returnMoney', key, args, async () => {
      const money = await waitingMoney(context, transferId, part ?? null);
      const { transfer, amount, name, enteredBy } = money;
      const to = checkedPayee(payee);
      const payload: ReturnPayload = {
        ...{ id: uuidv7(), bankTransferId: transferId, depositId: null, merchantId: null },
        ...{ ...to, currencyCode: transfer.currencyCode, amount: amount.toFixed(), enteredBy },
      };
      return {
        kind: 'RETURN_MONEY',
        subject: { kind: 'bank_transfer', id: transferId, name },
        summary: `Send ${name} back to ${to.payeeName}`,
        before: {},
        after: { ...creditShown(money), ...to, amount: formatMoney(amount) },
        money: { amount, currencyCode: transfer.currencyCode },
        ...{ payload, reason, evidence },
      };
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => ReturnResult, {
    description:
      'Proposes to refund a completed deposit to its payer, whole or in part, several times up to what was received. Needs evidence; a second person approves: then it is frozen in the balance of the merchant, and a person sends it. The fee stays earned, the order stays COMPLETED.',
  })
  async refundDeposit(
    @Arg('orderNo', { description: 'The gateway number of the deposit; it begins with D.' })
    orderNo: string,
    @Arg('payee', () => PayeeInput, { description: 'Where it goes back to.' }) payee: PayeeInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, {
      nullable: true,
      description: 'How much of what was received; null: all of it.',
    })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<ReturnResult> {
    const args = { orderNo, ...checkedPayee(payee), part: part?.toFixed(), reason };
    return await proposeReturn(context, 'refundDeposit', key, args, async () => {
      const deposit = await findDeposit(context.database, { orderNo });
      if (!deposit) throw notFound('deposit');
      const { id: depositId, merchantId, currencyCode, status, actualAmount } = deposit;
      requireReach(context.actor, merchantId, 'deposit');
      if (status !== 'COMPLETED')
        throw businessError('WRONG_STATE', 'only a completed deposit can be refunded');
      const amount = checkedAmount(part ?? actualAmount, currencyCode);
      const to = checkedPayee(payee);
      const payload: ReturnPayload = {
        ...{ id: uuidv7(), bankTransferId: null, depositId, merchantId, enteredBy: [] },
        ...{ ...to, currencyCode, amount: amount.toFixed() },
      };
      return {
        kind: 'REFUND_DEPOSIT',
        subject: { kind: 'deposit', id: depositId, name: orderNo },
        merchantId,
        summary: `Refund ${formatMoney(amount)} ${currencyCode} of ${orderNo} to ${to.payeeName}`,
        before: {},
        after: {
          ...{ ...to, orderNo, amount: formatMoney(amount), received: formatMoney(actualAmount) },
          ...{ payerName: deposit.payerName, payerAccount: deposit.payerAccountNo },
        },
        money: { amount: amount.negated(), currencyCode },
        ...{ payload, reason, evidence },
      };
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PayerReturn, {
    description:
      'Says that the operator sends a return now, from this account. From then on only another person gives it back.',
  })
  async beginReturn(
    @Arg('id', () => ID, { description: 'The id of the return, a UUID.' }) id: string,
    @Arg('accountId', () => ID, { description: 'The managed account that pays it.' })
    accountId: string,
    @Ctx() context: GraphContext,
  ): Promise<db.PayerReturnRow> {
    warrantOf(context, 'beginReturn');
    await findReturn(context, id);
    const action = { action: 'beginReturn', subject: `return:${id}`, reason: 'sends it' };
    await operatorAction(context, { ...action, detail: { accountId } }, async (tx) => {
      const { id: operatorId } = operatorOf(context.actor);
      const refusal = await db.beginPayerReturn(tx, {
        id,
        accountId,
        operatorId,
        now: context.now,
      });
      if (refusal)
        throw businessError(
          refusal === 'WRONG_ACCOUNT' ? 'MISMATCH' : 'WRONG_STATE',
          CANNOT_SEND[refusal],
        );
    });
    return await findReturn(context, id);
  }

  @Authorized('TREASURER')
  @Mutation(() => CompletedReturn, {
    description:
      'Completes a return that the operator has sent. Where a debit of the account shows it, at once; else another treasurer confirms it, with evidence.',
  })
  async completeReturn(
    @Arg('id', () => ID, { description: 'The id of the return, a UUID.' }) id: string,
    @Arg('bankReference', { description: "The bank's number of the transfer." })
    bankReference: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
  ): Promise<CompletedReturn> {
    warrantOf(context, 'completeReturn');
    const found = await findReturn(context, id);
    const { now, actor } = context;
    const reference = bankReference.trim();
    if (reference === '' || reference.length > LIMITS.bankReference)
      throw invalidField('bankReference', `must have 1-${LIMITS.bankReference} characters`);
    const { id: operatorId } = operatorOf(actor);
    if (found.status !== 'SENDING')
      throw businessError('WRONG_STATE', 'the return is not being sent');
    if (found.sentBy !== operatorId)
      throw businessError('NOT_HELD', 'another operator is sending this return');
    const debitId = await debitOfReturn(context, found, reference);
    if (debitId === null && takesTwo(context)) {
      requireEvidence(evidence);
      const { amount, currencyCode, payeeName } = found;
      const payload: CompleteReturnPayload = {
        ...{ returnId: id, sentBy: operatorId, bankReference: reference },
      };
      const change = await propose(context, {
        kind: 'COMPLETE_RETURN',
        subject: { kind: 'payer_return', id, name: `${formatMoney(amount)} ${currencyCode}` },
        merchantId: found.merchantId,
        summary: `${formatMoney(amount)} ${currencyCode} went back to ${payeeName}`,
        before: { status: 'SENDING' },
        after: { status: 'COMPLETED', bankReference: reference },
        money: { amount, currencyCode },
        ...{ payload, reason: 'sent, and no debit shows it yet', evidence },
      });
      return { payerReturn: await findReturn(context, id), change };
    }
    const action = {
      action: 'completeReturn',
      subject: `return:${id}`,
      reason: 'the bank paid it',
    };
    const detail = { bankReference: reference, debitId };
    await operatorAction(context, { ...action, detail }, async (tx) => {
      await endReturn(tx, {
        ...{ id, bankReference: reference, debitId, actor: actorName(actor), now },
      });
    });
    return { payerReturn: await findReturn(context, id), change: null };
  }

  @Authorized('TREASURER')
  @Mutation(() => PayerReturn, {
    description: 'Gives back a return that somebody else was sending: the bank has not paid it.',
  })
  async releaseReturn(
    @Arg('id', () => ID, { description: 'The id of the return, a UUID.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.PayerReturnRow> {
    warrantOf(context, 'releaseReturn');
    await findReturn(context, id);
    const action = { action: 'releaseReturn', subject: `return:${id}`, reason };
    await operatorAction(context, action, async (tx) => {
      if (!(await db.releasePayerReturn(tx, id, operatorOf(context.actor).id)))
        throw businessError('NOT_HELD', 'another person than the sender gives it back');
    });
    return await findReturn(context, id);
  }

  @Authorized('TREASURER')
  @Mutation(() => PayerReturn, {
    description:
      "Cancels a return that nobody is sending: the money waits again, or is the merchant's again.",
  })
  async cancelReturn(
    @Arg('id', () => ID, { description: 'The id of the return, a UUID.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
  ): Promise<db.PayerReturnRow> {
    warrantOf(context, 'cancelReturn');
    const { merchantId, amount } = await findReturn(context, id);
    const action = { action: 'cancelReturn', subject: `return:${id}`, reason };
    await operatorAction(context, action, async (tx) => {
      const release = merchantId === null ? [] : refundReleased(merchantId, amount);
      const end = { id, release, actor: actorName(context.actor), reason, now: context.now };
      if (!(await db.cancelPayerReturn(tx, end)))
        throw businessError('WRONG_STATE', 'only an open return can be cancelled');
    });
    return await findReturn(context, id);
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
  async refunds(
    @Root() { id }: DepositView,
    @Ctx() { loaders }: GraphContext,
  ): Promise<readonly db.PayerReturnRow[]> {
    return await loaders.refundsOfDeposit.load(id);
  }
}

@InputType({ description: 'Which returns to show: all that is given must hold.' })
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
