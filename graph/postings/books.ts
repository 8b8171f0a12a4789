import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { currenciesOf } from '../../domain/channel';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { ledgerAccount } from '../../domain/ledger';
import { formatMoney, type Money } from '../../domain/money';
import { findAccountSum } from '../../db/ledger/operator-postings';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import { PostingResult } from './operator-posting';
import { checkedAmount } from '../../steps/postings/checked-amount';
import { plainPosting, post, type PostingRequest } from '../../steps/postings/post';
import { creditShown, waitingMoney } from './waiting-money';
import { warrantOf } from '../authority/warrant';

/** The book of an account or of a channel. @throws unless exactly one of them is given */
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
  if (currencyCode === null || !currenciesOf(channel).includes(currencyCode))
    throw invalidField('currencyCode', 'must be one of the channel', 'REQUIRED');
  const subject = { kind: 'channel', id: channelId, name: channel.channelCode } as const;
  return { subject, account: ledgerAccount.channel(channelId), currencyCode, about };
}

@Resolver()
export class BooksResolver {
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
    return await post(context, warrantOf(context, 'openBook'), key, args, async () => {
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
      description: 'How much more it holds than the book shows; negative: less.',
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
    return await post(context, warrantOf(context, 'correctBook'), key, args, async () => {
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
    return await post(context, warrantOf(context, 'postChannelCharge'), key, args, async () => {
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
    return await post(context, warrantOf(context, 'settleChannelClaim'), key, args, async () => {
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
    return await post(context, warrantOf(context, 'writeOffChannelClaim'), key, args, async () => {
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
}
