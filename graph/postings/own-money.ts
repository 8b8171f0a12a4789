import { Arg, Authorized, Ctx, Field, ID, InputType, Mutation, Resolver } from 'type-graphql';
import { businessError, CatalogueError, invalidField, notFound } from '../../domain/errors';
import { ledgerAccount } from '../../domain/ledger';
import { formatMoney, type Money, ZERO } from '../../domain/money';
import type { Settings } from '../../domain/change-request';
import {
  findAccountSum,
  findOperatorPostings,
  findPostingsOfChanges,
  findRests,
  type OperatorPostingRow,
} from '../../db/ledger/operator-postings';
import { type BankDebitView, findBankDebit } from '../../db/transfers/bank-debits';
import { operatorOf, requireReach } from '../access/authorization';
import { takesTwo } from '../authority/warrant';
import { EvidenceInput } from '../changes/change-request';
import { findDecided, propose } from '../changes/propose';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY, idempotent } from '../idempotent';
import { DecimalScalar } from '../scalars';
import { operatorOfSource } from '../transfers/match-effects';
import { PostingResult } from './operator-posting';
import { checkedAmount } from './checked-amount';
import { plainPosting, post, type PostingRequest, requireEvidence } from './post';
import type { PlainPosting, ReversalPayload } from './posting-effects';
import { aboutCredit, creditShown, waitingMoney } from './waiting-money';

const DEBIT_ID = 'The id of the bank debit, a UUID.';
const PART = 'How much of it; null: all that nothing has posted yet.';

/** A bank's debit, and how much of it is to be posted. */
interface LeftMoney {
  readonly debit: BankDebitView;
  readonly amount: Money;
  readonly name: string;
  readonly enteredBy: readonly string[];
}

/** A debit, and how much of it is to be posted. @throws NOT_FOUND, BUSINESS_ERROR where less is left */
async function leftMoney(
  context: GraphContext,
  debitId: string,
  part: Money | null,
): Promise<LeftMoney> {
  const debit = await findBankDebit(context.database.sql, debitId);
  if (!debit) throw notFound('bank debit');
  const rest = (await findRests(context.database, 'debit', [debitId])).get(debitId) ?? ZERO;
  const { currencyCode } = debit;
  if (!rest.gt(0)) throw businessError('WRONG_STATE', 'all of this debit is posted');
  const amount = checkedAmount(part ?? rest, currencyCode);
  if (amount.gt(rest))
    throw businessError('AMOUNT', `only ${formatMoney(rest)} ${currencyCode} of it is unposted`);
  const account = await context.loaders.bankAccounts.load(debit.accountId);
  if (account?.currencyCode !== currencyCode)
    throw businessError('MISMATCH', 'the debit and its account have different currencies');
  const enteredBy = operatorOfSource(debit.source);
  if (enteredBy !== null && takesTwo(context) && enteredBy === operatorOf(context.actor).id)
    throw new CatalogueError('AUTHORIZATION_ERROR', 'you entered this debit: others decide on it');
  const name = `${formatMoney(amount)} ${currencyCode}`;
  return { debit, amount, name, enteredBy: enteredBy === null ? [] : [enteredBy] };
}

const debitShown = ({ debit }: LeftMoney): Settings => ({
  left: formatMoney(debit.amount),
  bankTime: debit.bankTime.toISOString(),
  ...{ debitReference: debit.bankReference, debitMemo: debit.memo },
  ...{ payeeName: debit.payeeName, payeeAccount: debit.payeeAccount },
});

const aboutDebit = ({
  debit,
  amount,
  name,
  enteredBy,
}: LeftMoney): Pick<PostingRequest, 'subject' | 'currencyCode' | 'amount' | 'enteredBy'> => ({
  subject: { kind: 'bank_debit', id: debit.id, name },
  ...{ currencyCode: debit.currencyCode, amount, enteredBy },
});

const PERSON_ENTERED = 'a person entered what the bank shows';

@InputType({
  description:
    'A transfer between our own accounts and channels: what left, what arrived, or both. A leg that is not there yet is given later.',
})
export class OwnTransferInput {
  @Field(() => ID, { nullable: true, description: 'What left a managed account: its debit.' })
  debitId?: string | null;

  @Field(() => ID, { nullable: true, description: 'The channel that it left instead.' })
  fromChannelId?: string | null;

  @Field(() => ID, { nullable: true, description: 'What arrived on an account: the transfer.' })
  transferId?: string | null;

  @Field(() => ID, { nullable: true, description: 'The channel where it arrived instead.' })
  toChannelId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Of what arrives: the posting of what had left, where that was posted before.',
  })
  pairId?: string | null;

  @Field(() => DecimalScalar, {
    nullable: true,
    description: 'Needed where no bank row says it; else null: all that is left of the bank rows.',
  })
  amount?: Money | null;

  @Field(() => String, {
    nullable: true,
    description: 'ISO 4217; needed where no bank row says it.',
  })
  currencyCode?: string | null;
}

interface Leg {
  readonly posting: (currencyCode: string, amount: Money) => PlainPosting;
  readonly findings: readonly string[];
  readonly shown: Settings;
  readonly enteredBy: readonly string[];
  readonly currencyCode: string | null;
  readonly amount: Money | null;
  readonly subject: PostingRequest['subject'];
}

async function channelOfLeg(
  context: GraphContext,
  channelId: string,
  kind: 'OWN_TRANSFER_OUT' | 'OWN_TRANSFER_IN',
  pairId: string | null,
): Promise<Leg> {
  const channel = await context.loaders.channels.load(channelId);
  if (!channel) throw notFound('channel');
  const { channelCode } = channel;
  return {
    posting: (currencyCode, amount) =>
      plainPosting(kind, currencyCode, amount, { channelId, pairId }),
    findings: [`no bank row shows the money of channel ${channelCode}`],
    shown: kind === 'OWN_TRANSFER_OUT' ? { fromChannel: channelCode } : { toChannel: channelCode },
    ...{ enteredBy: [], currencyCode: null, amount: null },
    subject: { kind: 'channel', id: channelId, name: channelCode },
  };
}

async function legOut(context: GraphContext, input: OwnTransferInput): Promise<Leg | null> {
  if (input.fromChannelId)
    return await channelOfLeg(context, input.fromChannelId, 'OWN_TRANSFER_OUT', null);
  if (!input.debitId) return null;
  const left = await leftMoney(context, input.debitId, input.amount ?? null);
  const { id: bankDebitId, accountId } = left.debit;
  return {
    posting: (currencyCode, amount) =>
      plainPosting('OWN_TRANSFER_OUT', currencyCode, amount, { bankDebitId, accountId }),
    findings: left.enteredBy.length > 0 ? [PERSON_ENTERED] : [],
    shown: { ...debitShown(left), fromAccount: accountId },
    ...aboutDebit(left),
  };
}

async function legIn(
  context: GraphContext,
  input: OwnTransferInput,
  pairId: string | null,
): Promise<Leg | null> {
  if (input.toChannelId)
    return await channelOfLeg(context, input.toChannelId, 'OWN_TRANSFER_IN', pairId);
  if (!input.transferId) return null;
  const money = await waitingMoney(context, input.transferId, input.amount ?? null);
  const { id: bankTransferId, accountId } = money.transfer;
  return {
    posting: (currencyCode, amount) =>
      plainPosting('OWN_TRANSFER_IN', currencyCode, amount, { bankTransferId, pairId }),
    findings: money.enteredBy.length > 0 ? [PERSON_ENTERED] : [],
    shown: { ...creditShown(money), toAccount: accountId },
    ...aboutCredit(money),
  };
}

/** What had left for what arrives now. @throws where it did not, or came before */
async function earlierLeg(context: GraphContext, pairId: string): Promise<OperatorPostingRow> {
  const [earlier] = await findOperatorPostings(context.database, [pairId]);
  if (earlier?.kind !== 'OWN_TRANSFER_OUT' || earlier.reversedAt !== null)
    throw businessError('UNKNOWN_VALUE', 'pairId names no money of ours that left');
  return earlier;
}

async function ownTransfer(
  context: GraphContext,
  input: OwnTransferInput,
  reason: string,
  evidence: EvidenceInput | null,
): Promise<PostingRequest> {
  const earlier = input.pairId ? await earlierLeg(context, input.pairId) : null;
  const out = await legOut(context, input);
  if (out && earlier) throw invalidField('pairId', 'is of what had left before', 'NOT_ALLOWED');
  const into = await legIn(context, input, earlier?.id ?? null);
  const legs = [out, into].filter((leg) => leg !== null);
  const [first] = legs;
  if (!first) throw invalidField('input', 'name what left, what arrived, or both', 'REQUIRED');
  const said = [...legs, ...(earlier ? [earlier] : [])];
  const amount = said.find((one) => one.amount !== null)?.amount ?? input.amount;
  const currencyCode = said.find((one) => one.currencyCode !== null)?.currencyCode;
  const currency = currencyCode ?? input.currencyCode;
  if (!amount || !currency)
    throw invalidField(
      'amount',
      'is required with its currency, as no bank row says it',
      'REQUIRED',
    );
  checkedAmount(amount, currency);
  if (said.some((one) => one.amount !== null && !one.amount.equals(amount)))
    throw businessError('MISMATCH', 'what left and what arrived are different amounts');
  if (said.some((one) => one.currencyCode !== null && one.currencyCode !== currency))
    throw businessError('MISMATCH', 'what left and what arrived are different currencies');
  const left = out?.posting(currency, amount);
  const arrived = into?.posting(currency, amount);
  const postings = [
    ...(left ? [left] : []),
    ...(arrived ? [{ ...arrived, pairId: arrived.pairId ?? left?.id ?? null }] : []),
  ];
  const whole = into !== null && (out !== null || earlier !== null);
  return {
    ...{ kind: 'MOVE_OWN_MONEY', subject: first.subject, merchantId: null, reason, evidence },
    summary: `Our own ${formatMoney(amount)} ${currency} ${whole ? 'moved' : out ? 'left' : 'arrived'}`,
    shown: Object.assign({}, ...legs.map(({ shown }) => shown)) as Settings,
    ...{ currencyCode: currency, amount, postings },
    enteredBy: legs.flatMap((leg) => leg.enteredBy),
    findings: [
      ...legs.flatMap((leg) => leg.findings),
      ...(earlier && earlier.bankDebitId === null ? ['no bank row shows what had left'] : []),
      ...(whole ? [] : ['only one leg is known']),
    ],
  };
}

/** The book of an account or of a channel. @throws where it is not exactly one of them */
async function bookOf(
  context: GraphContext,
  accountId: string | null,
  channelId: string | null,
  currencyCode: string | null,
): Promise<{
  readonly subject: PostingRequest['subject'];
  readonly account: string;
  readonly currencyCode: string;
  readonly about: { readonly accountId: string | null; readonly channelId: string | null };
}> {
  const about = { accountId, channelId };
  if (accountId !== null && channelId === null) {
    const found = await context.loaders.bankAccounts.load(accountId);
    if (!found) throw notFound('bank account');
    if (currencyCode !== null && currencyCode !== found.currencyCode)
      throw businessError('MISMATCH', `the account is in ${found.currencyCode}`);
    const subject = { kind: 'bank_account', id: accountId, name: found.name } as const;
    return {
      subject,
      account: ledgerAccount.bank(accountId),
      currencyCode: found.currencyCode,
      about,
    };
  }
  if (channelId === null || accountId !== null)
    throw invalidField('accountId', 'give either accountId or channelId', 'REQUIRED');
  const channel = await context.loaders.channels.load(channelId);
  if (!channel) throw notFound('channel');
  if (currencyCode === null || !channel.currencies.includes(currencyCode))
    throw invalidField('currencyCode', 'must be one of the channel', 'REQUIRED');
  const subject = { kind: 'channel', id: channelId, name: channel.channelCode } as const;
  return { subject, account: ledgerAccount.channel(channelId), currencyCode, about };
}

@Resolver()
export class OwnMoneyResolver {
  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Posts a bank debit, or what of it nothing else explains, as the bank's charge. One person up to the day's amount, else two with evidence.",
  })
  async postBankCharge(
    @Arg('debitId', () => ID, { description: DEBIT_ID }) debitId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { debitId, part: part?.toFixed(), reason };
    return await post(context, 'postBankCharge', key, args, async () => {
      const left = await leftMoney(context, debitId, part ?? null);
      const { debit, amount, enteredBy } = left;
      const about = { bankDebitId: debitId, accountId: debit.accountId };
      return {
        ...aboutDebit(left),
        ...{ kind: 'POST_BANK_CHARGE', merchantId: null, reason, evidence },
        summary: `Post ${left.name} as the bank's charge`,
        shown: debitShown(left),
        postings: [plainPosting('BANK_CHARGED', debit.currencyCode, amount, about)],
        findings: enteredBy.length > 0 ? [PERSON_ENTERED] : [],
      };
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes that a bank debit took out what was earned; never more than that. Needs evidence; a second person approves.',
  })
  async takeProfit(
    @Arg('debitId', () => ID, { description: DEBIT_ID }) debitId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { debitId, part: part?.toFixed(), reason };
    return await post(context, 'takeProfit', key, args, async () => {
      const left = await leftMoney(context, debitId, part ?? null);
      const { debit, amount } = left;
      const { currencyCode, accountId } = debit;
      const { read: sql } = context.database;
      const earned = await findAccountSum({ sql }, ledgerAccount.feeIncome(), currencyCode);
      if (amount.gt(earned))
        throw businessError('AMOUNT', `only ${formatMoney(earned)} ${currencyCode} was earned`);
      return {
        ...aboutDebit(left),
        ...{ kind: 'TAKE_PROFIT', merchantId: null, findings: null, reason, evidence },
        summary: `Post ${left.name} as profit taken out`,
        shown: { ...debitShown(left), earned: formatMoney(earned) },
        postings: [
          plainPosting('PROFIT_TAKEN', currencyCode, amount, { bankDebitId: debitId, accountId }),
        ],
      };
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Posts a transfer between our own accounts and channels: what left, what arrived, or both. Where a bank's debit and a bank's credit show the same amount, one person up to the day's amount; else two with evidence, as where a channel is funded or settles.",
  })
  async moveOwnMoney(
    @Arg('input', () => OwnTransferInput, { description: 'What left, and what arrived.' })
    input: OwnTransferInput,
    @Arg('reason', { description: REASON }) reason: string,
    @Ctx() context: GraphContext,
    @Arg('evidence', () => EvidenceInput, { nullable: true, description: EVIDENCE })
    evidence?: EvidenceInput | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const { debitId, fromChannelId, transferId, toChannelId, pairId, currencyCode } = input;
    const legs = { debitId, fromChannelId, transferId, toChannelId, pairId, currencyCode };
    const args = { ...legs, amount: input.amount?.toFixed(), reason };
    return await post(
      context,
      'moveOwnMoney',
      key,
      args,
      async () => await ownTransfer(context, input, reason, evidence ?? null),
    );
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes what an account or channel held when its book began. Once a book and currency. Needs evidence; a second person approves.',
  })
  async openBook(
    @Arg('amount', () => DecimalScalar, { description: 'What it held; negative: what it owed.' })
    amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('accountId', () => ID, { nullable: true, description: 'The managed account.' })
    accountId?: string | null,
    @Arg('channelId', () => ID, { nullable: true, description: 'The channel instead.' })
    channelId?: string | null,
    @Arg('currencyCode', () => String, { nullable: true, description: 'ISO 4217; of a channel.' })
    currency?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { amount: amount.toFixed(), accountId, channelId, currency, reason };
    return await post(context, 'openBook', key, args, async () => {
      const book = await bookOf(context, accountId ?? null, channelId ?? null, currency ?? null);
      const { subject, currencyCode, about } = book;
      checkedAmount(amount, currencyCode, true);
      return {
        ...{ kind: 'OPEN_BOOK', subject, merchantId: null, findings: null, reason, evidence },
        ...{ currencyCode, amount, enteredBy: [] },
        summary: `Open the book of ${subject.name} with ${formatMoney(amount)} ${currencyCode}`,
        shown: { book: subject.name },
        postings: [plainPosting('ACCOUNT_OPENED', currencyCode, amount, about)],
      };
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes to correct the book of an account or channel to its statement, where nothing else explains the difference. Needs evidence; a second person approves.',
  })
  async correctBook(
    @Arg('amount', () => DecimalScalar, {
      description: 'How much more it holds than the book says; negative: less.',
    })
    amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('accountId', () => ID, { nullable: true, description: 'The managed account.' })
    accountId?: string | null,
    @Arg('channelId', () => ID, { nullable: true, description: 'The channel instead.' })
    channelId?: string | null,
    @Arg('currencyCode', () => String, { nullable: true, description: 'ISO 4217; of a channel.' })
    currency?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { amount: amount.toFixed(), accountId, channelId, currency, reason };
    return await post(context, 'correctBook', key, args, async () => {
      const book = await bookOf(context, accountId ?? null, channelId ?? null, currency ?? null);
      const { subject, currencyCode, about } = book;
      checkedAmount(amount, currencyCode, true);
      const { read: sql } = context.database;
      const holds = (await findAccountSum({ sql }, book.account, currencyCode)).negated();
      return {
        ...{ kind: 'CORRECT_BOOK', subject, merchantId: null, findings: null, reason, evidence },
        ...{ currencyCode, amount, enteredBy: [] },
        summary: `Correct the book of ${subject.name} by ${formatMoney(amount)} ${currencyCode}`,
        shown: {
          ...{ book: subject.name, holds: formatMoney(holds) },
          willHold: formatMoney(holds.plus(amount)),
        },
        postings: [plainPosting('ACCOUNT_CORRECTED', currencyCode, amount, about)],
      };
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      "Proposes what a channel charged beside its payouts and deposits, such as a month's fee. Needs evidence; a second person approves.",
  })
  async postChannelCharge(
    @Arg('channelId', () => ID, { description: 'The id of the channel, a UUID.' })
    channelId: string,
    @Arg('currencyCode', { description: 'ISO 4217.' }) currency: string,
    @Arg('amount', () => DecimalScalar, { description: 'Greater than zero.' }) amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { channelId, currency, amount: amount.toFixed(), reason };
    return await post(context, 'postChannelCharge', key, args, async () => {
      const { subject, currencyCode } = await bookOf(context, null, channelId, currency);
      checkedAmount(amount, currencyCode);
      return {
        ...{ kind: 'POST_CHANNEL_CHARGE', subject, merchantId: null, findings: null, reason },
        ...{ evidence, currencyCode, amount, enteredBy: [] },
        summary: `Channel ${subject.name} charged ${formatMoney(amount)} ${currencyCode}`,
        shown: { book: subject.name },
        postings: [plainPosting('CHANNEL_CHARGED', currencyCode, amount, { channelId })],
      };
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes that a channel gave back what it had paid too much: at the channel, or by a bank transfer. Needs evidence; a second person approves.',
  })
  async settleChannelClaim(
    @Arg('channelId', () => ID, { description: 'The id of the channel, a UUID.' })
    channelId: string,
    @Arg('currencyCode', { description: 'ISO 4217.' }) currency: string,
    @Arg('amount', () => DecimalScalar, { description: 'Greater than zero.' }) amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('transferId', () => ID, {
      nullable: true,
      description: 'The bank transfer that brought it; null: it is at the channel.',
    })
    transferId?: string | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { channelId, currency, amount: amount.toFixed(), transferId, reason };
    return await post(context, 'settleChannelClaim', key, args, async () => {
      const { subject, currencyCode } = await bookOf(context, null, channelId, currency);
      checkedAmount(amount, currencyCode);
      const money = transferId ? await waitingMoney(context, transferId, amount) : null;
      if (money && money.transfer.currencyCode !== currencyCode)
        throw businessError('MISMATCH', 'the bank transfer is in another currency');
      const about = { channelId, bankTransferId: transferId ?? null };
      return {
        ...{ kind: 'SETTLE_CHANNEL_CLAIM', subject, merchantId: null, findings: null, reason },
        ...{ evidence, currencyCode, amount, enteredBy: money?.enteredBy ?? [] },
        summary: `Channel ${subject.name} gave back ${formatMoney(amount)} ${currencyCode}`,
        shown: { ...(money && creditShown(money)), channel: subject.name },
        postings: [plainPosting('CLAIM_SETTLED', currencyCode, amount, about)],
      };
    });
  }

  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes to give up what a channel owes: it becomes loss. Needs evidence; a second person approves.',
  })
  async writeOffChannelClaim(
    @Arg('channelId', () => ID, { description: 'The id of the channel, a UUID.' })
    channelId: string,
    @Arg('currencyCode', { description: 'ISO 4217.' }) currency: string,
    @Arg('amount', () => DecimalScalar, { description: 'Greater than zero.' }) amount: Money,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { channelId, currency, amount: amount.toFixed(), reason };
    return await post(context, 'writeOffChannelClaim', key, args, async () => {
      const { subject, currencyCode } = await bookOf(context, null, channelId, currency);
      checkedAmount(amount, currencyCode);
      return {
        ...{ kind: 'WRITE_OFF_CHANNEL_CLAIM', subject, merchantId: null, findings: null, reason },
        ...{ evidence, currencyCode, amount, enteredBy: [] },
        summary: `Give up ${formatMoney(amount)} ${currencyCode} that channel ${subject.name} owes`,
        shown: { channel: subject.name },
        postings: [plainPosting('CLAIM_WRITTEN_OFF', currencyCode, amount, { channelId })],
      };
    });
  }

  @Authorized('RECONCILE', 'TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes to take a posting back: its money waits again. What its merchant does not have any more, it owes. Needs evidence; a second person approves.',
  })
  async reversePosting(
    @Arg('id', () => ID, { description: 'The id of the posting, a UUID.' }) id: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const { database, actor } = context;
    const answered = async (changeId: string): Promise<PostingResult> => ({
      change: await findDecided(context, changeId),
      postings: await findPostingsOfChanges(database, [changeId]),
    });
    return await idempotent(
      context,
      { mutation: 'reversePosting', key, args: { id, reason } },
      async (recordKey) => {
        const [posting] = await findOperatorPostings(database, [id]);
        if (!posting) throw notFound('posting');
        const { merchantId, amount, currencyCode, kind, reversedAt } = posting;
        if (merchantId !== null) requireReach(actor, merchantId, 'posting');
        if (reversedAt !== null)
          throw businessError('WRONG_STATE', 'the posting was taken back before');
        requireEvidence(evidence);
        const payload: ReversalPayload = { postingId: id };
        const name = `${formatMoney(amount)} ${currencyCode}`;
        const change = await propose(
          context,
          {
            kind: 'REVERSE_POSTING',
            subject: { kind: 'posting', id, name },
            merchantId,
            summary: `Take back ${kind} of ${name}`,
            before: { reversed: false },
            after: { reversed: true, kind, postedFor: posting.reason },
            money: { amount: amount.negated(), currencyCode },
            ...{ payload, reason, evidence },
          },
          recordKey,
        );
        return await answered(change.id);
      },
      answered,
    );
  }
}
