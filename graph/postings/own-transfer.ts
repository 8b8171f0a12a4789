import { Field, ID, InputType } from 'type-graphql';
import { businessError, invalidField } from '../../domain/errors';
import { formatMoney, type Money } from '../../domain/money';
import type { Settings } from '../../domain/change-request';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { DecimalScalar } from '../scalars';
import { checkedAmount } from '../../steps/postings/checked-amount';
import { plainPosting, type PostingRequest } from '../../steps/postings/post';
import { aboutDebit, debitShown, leftMoney, PERSON_ENTERED } from '../../steps/postings/left-money';
import { aboutCredit, creditShown, waitingMoney } from '../../steps/postings/waiting-money';
import { channelOfLeg, earlierLeg, type Leg } from '../../steps/postings/own-transfer';

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

async function legOut(context: GraphContext, input: OwnTransferInput): Promise<Leg | null> {
  if (input.fromChannelId) return await channelOfLeg(context, input.fromChannelId, 'OWN_TRANSFER_OUT', null);
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

async function legIn(context: GraphContext, input: OwnTransferInput, pairId: string | null): Promise<Leg | null> {
  if (input.toChannelId) return await channelOfLeg(context, input.toChannelId, 'OWN_TRANSFER_IN', pairId);
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

/** The known legs, as one request. @throws if they do not fit each other */
export async function ownTransfer(
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
    throw invalidField('amount', 'is required with its currency, as no bank row says it', 'REQUIRED');
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
    kind: 'MOVE_OWN_MONEY',
    subject: first.subject,
    merchantId: null,
    reason,
    evidence,
    summary: `Our own ${formatMoney(amount)} ${currency} ${whole ? 'moved' : out ? 'left' : 'arrived'}`,
    shown: Object.assign({}, ...legs.map(({ shown }) => shown)) as Settings,
    currencyCode: currency,
    amount,
    postings,
    enteredBy: legs.flatMap((leg) => leg.enteredBy),
    findings: [
      ...legs.flatMap((leg) => leg.findings),
      ...(earlier && earlier.bankDebitId === null ? ['no bank row shows what had left'] : []),
      ...(whole ? [] : ['only one leg is known']),
    ],
  };
}
