import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { openCredit, openCreditMemo, openPayerName } from '../../crypto/personal';
import { isFinalDeposit } from '../../domain/deposit';
import { businessError, CatalogueError, invalidField, notFound } from '../../domain/errors';
import { chargeOn } from '../../domain/fees';
import { currencyDecimals, formatMoney, type Money, ZERO } from '../../domain/money';
import type { MerchantCurrency, MerchantRow } from '../../db/merchants/merchants';
import { type DepositView, findDeposit } from '../../db/deposits/deposits';
import { findRests } from '../../db/ledger/operator-postings';
import { type BankTransferView, findBankTransfer } from '../../db/transfers/bank-transfers';
import { EvidenceInput } from '../changes/change-request';
import { priceOf, pricingOf, termsOfOrder } from '../../steps/fees/price';
import type { Settings } from '../../domain/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import { operatorOfSource } from '../../steps/transfers/match-effects';
import { PostingResult } from './operator-posting';
import { aboutLate, lateMoney, lateShown } from './late-receipt';
import { checkedAmount } from '../../steps/postings/checked-amount';
import { plainPosting, post, type PostingRequest } from '../../steps/postings/post';
import { operatorOf, requireReach } from '../../steps/access/caller';
import { takesTwo } from '../../steps/authority/row';
import { warrantOf } from '../authority/warrant';

/** Describes an argument. */
export const TRANSFER_ID = 'The id of the bank transfer that brought the money, a UUID.';
const TRANSFER_OR_CHANNEL = `${TRANSFER_ID} Null: it is what a channel received late for orderNo.`;
const PART = 'How much of it; null: all that still waits.';

/** A bank credit with the part of it to use. @throws if that is more than waits */
export interface WaitingMoney {
  readonly transfer: BankTransferView;
  /** Who paid it, and the bank's text, in clear. */
  readonly said: Pick<BankTransferView, 'payerName' | 'payerAccount' | 'memo'>;
  readonly amount: Money;
  /** Its name in summaries. */
  readonly name: string;
  readonly enteredBy: readonly string[];
}

/** A credit, and how much of it to use. @throws NOT_FOUND, BUSINESS_ERROR if less waits */
export async function waitingMoney(
  context: GraphContext,
  transferId: string,
  part: Money | null,
): Promise<WaitingMoney> {
  const transfer = await findBankTransfer(context.database, transferId);
  if (!transfer) throw notFound('bank transfer');
  const rest =
    (await findRests(context.database, 'transfer', [transferId])).get(transferId) ?? ZERO;
  const { currencyCode } = transfer;
  if (rest.isZero())
    throw businessError('WRONG_STATE', 'nothing of this bank transfer waits any more');
  const amount = checkedAmount(part ?? rest, currencyCode);
  if (amount.gt(rest))
    throw businessError('AMOUNT', `only ${formatMoney(rest)} ${currencyCode} of it still waits`);
  const account = await context.loaders.bankAccounts.load(transfer.accountId);
  if (account?.currencyCode !== currencyCode)
    throw businessError('MISMATCH', 'the bank transfer and its account have different currencies');
  const enteredBy = transfer.confirmedAt === null ? operatorOfSource(transfer.source) : null;
  if (enteredBy !== null && takesTwo(context) && enteredBy === operatorOf(context.actor).id)
    throw new CatalogueError('AUTHORIZATION_ERROR', 'you entered this credit: others decide on it');
  const name = `${formatMoney(amount)} ${currencyCode}`;
  const { payerName, payerAccount, memo } = openCredit(context.sealer, transfer);
  const said = { payerName, payerAccount, memo };
  return { transfer, said, amount, name, enteredBy: enteredBy === null ? [] : [enteredBy] };
}

/** What an approver is shown about a credit. */
export const creditShown = ({ transfer, said }: WaitingMoney): Settings => ({
  received: formatMoney(transfer.amount),
  bankTime: transfer.bankTime.toISOString(),
  bankReference: transfer.bankReference,
  ...said,
});

/** The common part of all requests about a credit. */
export const aboutCredit = ({
  transfer,
  amount,
  enteredBy,
  name,
}: WaitingMoney): Pick<PostingRequest, 'subject' | 'currencyCode' | 'amount' | 'enteredBy'> => ({
  subject: { kind: 'bank_transfer', id: transfer.id, name },
  ...{ currencyCode: transfer.currencyCode, amount, enteredBy },
});

/** The part to use of waiting money, from a bank or a channel. */
interface UsedMoney {
  readonly amount: Money;
  readonly currencyCode: string;
  readonly name: string;
  readonly shown: Settings;
  readonly about: ReturnType<typeof aboutCredit>;
  /** The columns of the posting's row that name the money. */
  readonly source: { readonly bankTransferId: string } | { readonly depositAttemptId: string };
  readonly since: Date;
}

/** The money of a bank credit, else the late money of an order at a channel. @throws if less waits */
async function moneyOf(
  context: GraphContext,
  transferId: string | null | undefined,
  orderNo: string | null | undefined,
  part: Money | null | undefined,
): Promise<UsedMoney> {
  if (transferId) {
    const credit = await waitingMoney(context, transferId, part ?? null);
    const { id: bankTransferId, currencyCode, receivedAt: since } = credit.transfer;
    const { amount, name } = credit;
    const of = { shown: creditShown(credit), about: aboutCredit(credit) };
    return { amount, currencyCode, name, source: { bankTransferId }, since, ...of };
  }
  if (!orderNo) throw invalidField('transferId', 'or orderNo is required', 'REQUIRED');
  const late = await lateMoney(context, orderNo, part ?? null);
  const { amount, name, receipt, deposit } = late;
  return {
    ...{ amount, name, currencyCode: deposit.currencyCode, since: receipt.at },
    ...{ shown: await lateShown(context, late), about: aboutLate(late) },
    source: { depositAttemptId: receipt.id },
  };
}

/** A merchant that has this currency. @throws NOT_FOUND, BUSINESS_ERROR */
export async function merchantIn(
  context: GraphContext,
  merchantId: string,
  currencyCode: string,
): Promise<{ readonly merchant: MerchantRow; readonly currency: MerchantCurrency }> {
  const { loaders, actor } = context;
  const merchant = await loaders.merchants.load(merchantId);
  if (!merchant) throw notFound('merchant');
  requireReach(actor, merchantId, 'merchant');
  const currencies = await loaders.currencies.load(merchantId);
  const currency = currencies.find((one) => one.currencyCode === currencyCode);
  if (!currency) throw businessError('MISMATCH', `the merchant has no balance in ${currencyCode}`);
  return { merchant, currency };
}

/** The order of late money. @throws if it is not final, or of another merchant or currency */
async function finalDeposit(
  context: GraphContext,
  orderNo: string,
  currencyCode: string,
): Promise<DepositView> {
  const deposit = await findDeposit(context.database, { orderNo });
  if (!deposit) throw notFound('deposit');
  if (!isFinalDeposit(deposit.status))
    throw businessError('WRONG_STATE', `the deposit is ${deposit.status}: match the money to it`);
  if (deposit.currencyCode !== currencyCode)
    throw businessError('MISMATCH', 'the bank transfer and the deposit have different currencies');
  return deposit;
}

@Resolver()
export class WaitingMoneyResolver {
  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes to credit money that waits to a merchant, less its fee: it came late for a final order, or without one. Refused where its memo names a COMPLETED order, or the channel of an order reported this payment. Needs evidence; a second person approves. The order stays as it is.',
  })
  async creditLateMoney(
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('transferId', () => ID, { nullable: true, description: TRANSFER_OR_CHANNEL })
    transferId?: string | null,
    @Arg('orderNo', () => String, {
      nullable: true,
      description: 'The gateway number of the final deposit that it is for; null: it is for none.',
    })
    orderNo?: string | null,
    @Arg('merchantId', () => ID, {
      nullable: true,
      description: 'Whose it is, where it is for no order.',
    })
    merchantId?: string | null,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { transferId, orderNo, merchantId, part: part?.toFixed(), reason };
    return await post(context, warrantOf(context, 'creditLateMoney'), key, args, async () => {
      if (!orderNo === !merchantId)
        throw invalidField('merchantId', 'give either orderNo or merchantId', 'REQUIRED');
      const money = await moneyOf(context, transferId, orderNo, part);
      const { amount, currencyCode, source } = money;
      const deposit = orderNo ? await finalDeposit(context, orderNo, currencyCode) : null;
      const of = deposit?.merchantId ?? merchantId ?? '';
      const { merchant, currency } = await merchantIn(context, of, currencyCode);
      const decimals = currencyDecimals(currencyCode) ?? 0;
      const fee = deposit
        ? chargeOn(amount, deposit, await termsOfOrder(context, deposit, currency), decimals)
        : priceOf(amount, pricingOf(currency, 'DEPOSIT'), currencyCode).fee;
      if (fee.gte(amount)) throw businessError('AMOUNT', 'the fee exceeds the amount');
      const about = { ...source, merchantId: of, depositId: deposit?.id ?? null };
      return {
        ...money.about,
        ...{ kind: 'CREDIT_LATE_MONEY', merchantId: of, findings: null, reason, evidence },
        summary: `Credit ${money.name} to ${merchant.merchantCode}${orderNo ? ` for ${orderNo}` : ''}`,
        shown: {
          ...money.shown,
          ...{ merchantCode: merchant.merchantCode, fee: formatMoney(fee) },
          ...(deposit && {
            ...{ orderNo: deposit.orderNo, status: deposit.status },
            ...{ requestedAmount: formatMoney(deposit.amount) },
            expectedPayerName: openPayerName(context.sealer, deposit),
          }),
        },
        postings: [plainPosting('LATE_CREDIT', currencyCode, amount, { ...about, fee })],
      };
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Proposes that money that waits is a merchant's top-up, which is credited without a fee. Needs evidence; a second person approves.",
  })
  async creditTopUp(
    @Arg('transferId', () => ID, { description: TRANSFER_ID }) transferId: string,
    @Arg('merchantId', () => ID, { description: 'The id of the merchant, a UUID.' })
    merchantId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { transferId, merchantId, part: part?.toFixed(), reason };
    return await post(context, warrantOf(context, 'creditTopUp'), key, args, async () => {
      const money = await waitingMoney(context, transferId, part ?? null);
      const { transfer, amount } = money;
      const { merchant } = await merchantIn(context, merchantId, transfer.currencyCode);
      const { merchantCode } = merchant;
      const about = { bankTransferId: transfer.id, merchantId };
      return {
        ...aboutCredit(money),
        ...{ kind: 'CREDIT_TOP_UP', merchantId, findings: null, reason, evidence },
        summary: `Credit ${money.name} to ${merchantCode} as its top-up`,
        shown: { ...creditShown(money), merchantCode },
        postings: [plainPosting('TOP_UP_RECEIVED', transfer.currencyCode, amount, about)],
      };
    });
  }

  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes to write off money that has waited for long and that nobody claims (`UNCLAIMED_AFTER_DAYS`). Needs evidence; a second person approves. Who claims it later gets it by `reversePosting`.',
  })
  async writeOffMoney(
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('transferId', () => ID, { nullable: true, description: TRANSFER_OR_CHANNEL })
    transferId?: string | null,
    @Arg('orderNo', () => String, {
      nullable: true,
      description:
        'Without transferId: the gateway number of the deposit whose money a channel has.',
    })
    orderNo?: string | null,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { transferId, orderNo, part: part?.toFixed(), reason };
    return await post(context, warrantOf(context, 'writeOffMoney'), key, args, async () => {
      if (!transferId === !orderNo)
        throw invalidField('transferId', 'give either transferId or orderNo', 'REQUIRED');
      const { name, amount, currencyCode, source, ...money } = await moneyOf(
        ...([context, transferId, orderNo, part] as const),
      );
      const { now, changes } = context;
      const waits = changes.unclaimedAfterMs ?? 0;
      const earliest = money.since.getTime() + waits;
      // The clock of the process that recorded it may be a little ahead of ours.
      if (waits > 0 && now.getTime() < earliest)
        throw businessError(
          'NOT_ENABLED',
          `it may still be claimed until ${new Date(earliest).toISOString()}`,
        );
      return {
        ...money.about,
        ...{ kind: 'WRITE_OFF_MONEY', merchantId: null, findings: null, reason, evidence },
        summary: `Write off ${name} that nobody claims`,
        shown: { ...money.shown, receivedAt: money.since.toISOString() },
        postings: [plainPosting('MONEY_UNCLAIMED', currencyCode, amount, source)],
      };
    });
  }

  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes that an unmatched transfer is a second report of another one: it brought nothing, and its posting is taken back. Needs evidence; a second person approves.',
  })
  async dismissDuplicate(
    @Arg('transferId', () => ID, { description: 'The id of the second report, a UUID.' })
    transferId: string,
    @Arg('sameAs', () => ID, { description: 'The id of the transfer that it repeats, a UUID.' })
    sameAs: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { transferId, sameAs, reason };
    return await post(context, warrantOf(context, 'dismissDuplicate'), key, args, async () => {
      const money = await waitingMoney(context, transferId, null);
      const { transfer, amount } = money;
      const first = await findBankTransfer(context.database, sameAs);
      if (!first || first.id === transfer.id) throw notFound('bank transfer');
      const { accountId, currencyCode } = transfer;
      if (!amount.equals(transfer.amount))
        throw businessError('WRONG_STATE', 'a part of this bank transfer is used already');
      if (first.accountId !== accountId || first.currencyCode !== currencyCode)
        throw businessError('MISMATCH', 'the two transfers came on different accounts');
      if (!first.amount.equals(amount))
        throw businessError('MISMATCH', 'the two transfers have different amounts');
      return {
        ...aboutCredit(money),
        ...{ kind: 'DISMISS_DUPLICATE', merchantId: null, findings: null, reason, evidence },
        summary: `Dismiss ${money.name} as reported twice`,
        shown: {
          ...creditShown(money),
          firstBankTime: first.bankTime.toISOString(),
          firstMemo: openCreditMemo(context.sealer, first),
          firstBankReference: first.bankReference,
        },
        postings: [
          plainPosting('REPORTED_TWICE', currencyCode, amount, {
            ...{ bankTransferId: transfer.id, accountId },
          }),
        ],
      };
    });
  }

  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Posts money that waits as the bank's interest. One person up to the day's amount, else two with evidence.",
  })
  async postInterest(
    @Arg('transferId', () => ID, { description: TRANSFER_ID }) transferId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    return await post(
      context,
      warrantOf(context, 'postInterest'),
      key,
      { transferId, reason },
      async () => {
        const money = await waitingMoney(context, transferId, null);
        const { transfer, amount, enteredBy } = money;
        return {
          ...aboutCredit(money),
          ...{ kind: 'POST_INTEREST', merchantId: null, reason, evidence },
          summary: `Post ${money.name} as interest`,
          shown: creditShown(money),
          postings: [
            plainPosting('INTEREST_RECEIVED', transfer.currencyCode, amount, {
              bankTransferId: transfer.id,
            }),
          ],
          findings: enteredBy.length > 0 ? ['a person entered the credit'] : [],
        };
      },
    );
  }
}
