import { currenciesOf } from '../../domain/channel';
import { businessError, invalidField, notFound } from '../../domain/errors';
import { ledgerAccount } from '../../domain/ledger';
import type { Needs } from '../context';
import { plainPosting, post, type Posted, type PostingRequest } from './post';
import { formatMoney, type Money } from '../../domain/money';
import type { ProposalNeeds, Evidence } from '../changes/propose';
import { checkedAmount } from './checked-amount';
import type { Warrant } from '../../domain/authority/warrant';
import { findAccountSum } from '../../db/ledger/operator-postings';
import { creditShown, waitingMoney } from './waiting-money';

/** The book of an account or of a channel. @throws unless exactly one of them is given */
export async function bookOf(
  context: Needs<'loaders'>,
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

/** Proposes what an account or channel held when its book began. */
export async function openBook(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'openBook'>,
  {
    amount,
    reason,
    evidence,
    accountId,
    channelId,
    currency,
    key,
  }: {
    readonly amount: Money;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly accountId?: string | null | undefined;
    readonly channelId?: string | null | undefined;
    readonly currency?: string | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { amount: amount.toFixed(), accountId, channelId, currency, reason };
  return await post(context, warrant, key, args, async () => {
    const book = await bookOf(context, accountId ?? null, channelId ?? null, currency ?? null);
    const { subject, currencyCode, about } = book;
    checkedAmount(amount, currencyCode, true);
    return {
      kind: 'OPEN_BOOK',
      subject,
      merchantId: null,
      findings: null,
      reason,
      evidence,
      currencyCode,
      amount,
      enteredBy: [],
      summary: `Open the book of ${subject.name} with ${formatMoney(amount)} ${currencyCode}`,
      shown: { book: subject.name },
      postings: [plainPosting('ACCOUNT_OPENED', currencyCode, amount, about)],
    };
  });
}

/** Proposes to correct a book to its statement. */
export async function correctBook(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'correctBook'>,
  {
    amount,
    reason,
    evidence,
    accountId,
    channelId,
    currency,
    key,
  }: {
    readonly amount: Money;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly accountId?: string | null | undefined;
    readonly channelId?: string | null | undefined;
    readonly currency?: string | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { amount: amount.toFixed(), accountId, channelId, currency, reason };
  return await post(context, warrant, key, args, async () => {
    const book = await bookOf(context, accountId ?? null, channelId ?? null, currency ?? null);
    const { subject, currencyCode, about } = book;
    checkedAmount(amount, currencyCode, true);
    const { read: sql } = context.database;
    const holds = (await findAccountSum({ sql }, book.account, currencyCode)).negated();
    return {
      kind: 'CORRECT_BOOK',
      subject,
      merchantId: null,
      findings: null,
      reason,
      evidence,
      currencyCode,
      amount,
      enteredBy: [],
      summary: `Correct the book of ${subject.name} by ${formatMoney(amount)} ${currencyCode}`,
      shown: {
        book: subject.name,
        holds: formatMoney(holds),
        willHold: formatMoney(holds.plus(amount)),
      },
      postings: [plainPosting('ACCOUNT_CORRECTED', currencyCode, amount, about)],
    };
  });
}

/** Proposes what a channel charged beside its orders. */
export async function postChannelCharge(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'postChannelCharge'>,
  {
    channelId,
    currency,
    amount,
    reason,
    evidence,
    key,
  }: {
    readonly channelId: string;
    readonly currency: string;
    readonly amount: Money;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { channelId, currency, amount: amount.toFixed(), reason };
  return await post(context, warrant, key, args, async () => {
    const { subject, currencyCode } = await bookOf(context, null, channelId, currency);
    checkedAmount(amount, currencyCode);
    return {
      kind: 'POST_CHANNEL_CHARGE',
      subject,
      merchantId: null,
      findings: null,
      reason,
      evidence,
      currencyCode,
      amount,
      enteredBy: [],
      summary: `Channel ${subject.name} charged ${formatMoney(amount)} ${currencyCode}`,
      shown: { book: subject.name },
      postings: [plainPosting('CHANNEL_CHARGED', currencyCode, amount, { channelId })],
    };
  });
}

/** Proposes that a channel gave back what it had paid too much. */
export async function settleChannelClaim(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'settleChannelClaim'>,
  {
    channelId,
    currency,
    amount,
    reason,
    evidence,
    transferId,
    key,
  }: {
    readonly channelId: string;
    readonly currency: string;
    readonly amount: Money;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly transferId?: string | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { channelId, currency, amount: amount.toFixed(), transferId, reason };
  return await post(context, warrant, key, args, async () => {
    const { subject, currencyCode } = await bookOf(context, null, channelId, currency);
    checkedAmount(amount, currencyCode);
    const money = transferId ? await waitingMoney(context, transferId, amount) : null;
    if (money && money.transfer.currencyCode !== currencyCode)
      throw businessError('MISMATCH', 'the bank transfer is in another currency');
    const about = { channelId, bankTransferId: transferId ?? null };
    return {
      kind: 'SETTLE_CHANNEL_CLAIM',
      subject,
      merchantId: null,
      findings: null,
      reason,
      evidence,
      currencyCode,
      amount,
      enteredBy: money?.enteredBy ?? [],
      summary: `Channel ${subject.name} gave back ${formatMoney(amount)} ${currencyCode}`,
      shown: { ...(money && creditShown(money)), channel: subject.name },
      postings: [plainPosting('CLAIM_SETTLED', currencyCode, amount, about)],
    };
  });
}

/** Proposes to give up what a channel owes. */
export async function writeOffChannelClaim(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'writeOffChannelClaim'>,
  {
    channelId,
    currency,
    amount,
    reason,
    evidence,
    key,
  }: {
    readonly channelId: string;
    readonly currency: string;
    readonly amount: Money;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { channelId, currency, amount: amount.toFixed(), reason };
  return await post(context, warrant, key, args, async () => {
    const { subject, currencyCode } = await bookOf(context, null, channelId, currency);
    checkedAmount(amount, currencyCode);
    return {
      kind: 'WRITE_OFF_CHANNEL_CLAIM',
      subject,
      merchantId: null,
      findings: null,
      reason,
      evidence,
      currencyCode,
      amount,
      enteredBy: [],
      summary: `Give up ${formatMoney(amount)} ${currencyCode} that channel ${subject.name} owes`,
      shown: { channel: subject.name },
      postings: [plainPosting('CLAIM_WRITTEN_OFF', currencyCode, amount, { channelId })],
    };
  });
}
