import { openCredit, openPayerName } from '../../crypto/personal';
import { isFinalDeposit } from '../../domain/deposit';
import { businessError, CatalogueError, invalidField, notFound } from '../../domain/errors';
import { currencyDecimals, formatMoney, type Money, ZERO } from '../../domain/money';
import type { MerchantCurrency, MerchantRow } from '../../db/merchants/merchants';
import { type DepositView, findDeposit } from '../../db/deposits/deposits';
import { findRests } from '../../db/ledger/operator-postings';
import { type BankTransferView, findBankTransfer } from '../../db/transfers/bank-transfers';
import type { Settings } from '../../domain/change-request';
import type { Needs } from '../context';
import { operatorOfSource } from '../transfers/match-effects';
import { checkedAmount } from './checked-amount';
import { plainPosting, post, type Posted, type PostingRequest } from './post';
import { operatorOf, requireReach } from '../access/caller';
import { takesTwo } from '../authority/row';
import { aboutLate, lateMoney, lateShown } from './late-money';
import { chargeOn } from '../../domain/fees';
import type { ProposalNeeds, Evidence } from '../changes/propose';
import { priceOf, pricingOf, termsOfOrder } from '../fees/price';
import type { Warrant } from '../../domain/authority/warrant';

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
  context: Needs<'actor' | 'changes' | 'database' | 'loaders' | 'sealer'>,
  transferId: string,
  part: Money | null,
): Promise<WaitingMoney> {
  const transfer = await findBankTransfer(context.database, transferId);
  if (!transfer) throw notFound('bank transfer');
  const rest = (await findRests(context.database, 'transfer', [transferId])).get(transferId) ?? ZERO;
  const { currencyCode } = transfer;
  if (rest.isZero()) throw businessError('WRONG_STATE', 'nothing of this bank transfer waits any more');
  const amount = checkedAmount(part ?? rest, currencyCode);
  if (amount.gt(rest)) throw businessError('AMOUNT', `only ${formatMoney(rest)} ${currencyCode} of it still waits`);
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
  currencyCode: transfer.currencyCode,
  amount,
  enteredBy,
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
export async function moneyOf(
  context: Needs<'actor' | 'changes' | 'database' | 'loaders' | 'sealer'>,
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
    amount,
    name,
    currencyCode: deposit.currencyCode,
    since: receipt.at,
    shown: await lateShown(context, late),
    about: aboutLate(late),
    source: { depositAttemptId: receipt.id },
  };
}

/** A merchant that has this currency. @throws NOT_FOUND, BUSINESS_ERROR */
export async function merchantIn(
  context: Needs<'actor' | 'loaders'>,
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
export async function finalDeposit(
  context: Needs<'database'>,
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

/** Proposes to credit money that waits to a merchant, less its fee. */
export async function creditLateMoney(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'creditLateMoney'>,
  {
    reason,
    evidence,
    transferId,
    orderNo,
    merchantId,
    part,
    key,
  }: {
    readonly reason: string;
    readonly evidence: Evidence;
    readonly transferId?: string | null | undefined;
    readonly orderNo?: string | null | undefined;
    readonly merchantId?: string | null | undefined;
    readonly part?: Money | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { transferId, orderNo, merchantId, part: part?.toFixed(), reason };
  return await post(context, warrant, key, args, async () => {
    if (!orderNo === !merchantId) throw invalidField('merchantId', 'give either orderNo or merchantId', 'REQUIRED');
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
      kind: 'CREDIT_LATE_MONEY',
      merchantId: of,
      findings: null,
      reason,
      evidence,
      summary: `Credit ${money.name} to ${merchant.merchantCode}${orderNo ? ` for ${orderNo}` : ''}`,
      shown: {
        ...money.shown,
        merchantCode: merchant.merchantCode,
        fee: formatMoney(fee),
        ...(deposit && {
          orderNo: deposit.orderNo,
          status: deposit.status,
          requestedAmount: formatMoney(deposit.amount),
          expectedPayerName: openPayerName(context.sealer, deposit),
        }),
      },
      postings: [plainPosting('LATE_CREDIT', currencyCode, amount, { ...about, fee })],
    };
  });
}

/** Proposes that money that waits is a merchant's top-up. */
export async function creditTopUp(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'creditTopUp'>,
  {
    transferId,
    merchantId,
    reason,
    evidence,
    part,
    key,
  }: {
    readonly transferId: string;
    readonly merchantId: string;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly part?: Money | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { transferId, merchantId, part: part?.toFixed(), reason };
  return await post(context, warrant, key, args, async () => {
    const money = await waitingMoney(context, transferId, part ?? null);
    const { transfer, amount } = money;
    const { merchant } = await merchantIn(context, merchantId, transfer.currencyCode);
    const { merchantCode } = merchant;
    const about = { bankTransferId: transfer.id, merchantId };
    return {
      ...aboutCredit(money),
      kind: 'CREDIT_TOP_UP',
      merchantId,
      findings: null,
      reason,
      evidence,
      summary: `Credit ${money.name} to ${merchantCode} as its top-up`,
      shown: { ...creditShown(money), merchantCode },
      postings: [plainPosting('TOP_UP_RECEIVED', transfer.currencyCode, amount, about)],
    };
  });
}

/** Proposes to write off money that nobody claims. */
export async function writeOffMoney(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'writeOffMoney'>,
  {
    reason,
    evidence,
    transferId,
    orderNo,
    part,
    key,
  }: {
    readonly reason: string;
    readonly evidence: Evidence;
    readonly transferId?: string | null | undefined;
    readonly orderNo?: string | null | undefined;
    readonly part?: Money | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { transferId, orderNo, part: part?.toFixed(), reason };
  return await post(context, warrant, key, args, async () => {
    if (!transferId === !orderNo) throw invalidField('transferId', 'give either transferId or orderNo', 'REQUIRED');
    const { name, amount, currencyCode, source, ...money } = await moneyOf(context, transferId, orderNo, part);
    const { now, changes } = context;
    const waits = changes.unclaimedAfterMs ?? 0;
    const earliest = money.since.getTime() + waits;
    // The clock of the process that recorded it may be a little ahead of ours.
    if (waits > 0 && now.getTime() < earliest)
      throw businessError('NOT_ENABLED', `it may still be claimed until ${new Date(earliest).toISOString()}`);
    return {
      ...money.about,
      kind: 'WRITE_OFF_MONEY',
      merchantId: null,
      findings: null,
      reason,
      evidence,
      summary: `Write off ${name} that nobody claims`,
      shown: { ...money.shown, receivedAt: money.since.toISOString() },
      postings: [plainPosting('MONEY_UNCLAIMED', currencyCode, amount, source)],
    };
  });
}

/** Posts money that waits as the bank's interest. */
export async function postInterest(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'postInterest'>,
  {
    transferId,
    reason,
    evidence,
    key,
  }: {
    readonly transferId: string;
    readonly reason: string;
    readonly evidence?: Evidence | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  return await post(context, warrant, key, { transferId, reason }, async () => {
    const money = await waitingMoney(context, transferId, null);
    const { transfer, amount, enteredBy } = money;
    return {
      ...aboutCredit(money),
      kind: 'POST_INTEREST',
      merchantId: null,
      reason,
      evidence,
      summary: `Post ${money.name} as interest`,
      shown: creditShown(money),
      postings: [
        plainPosting('INTEREST_RECEIVED', transfer.currencyCode, amount, {
          bankTransferId: transfer.id,
        }),
      ],
      findings: enteredBy.length > 0 ? ['a person entered the credit'] : [],
    };
  });
}
