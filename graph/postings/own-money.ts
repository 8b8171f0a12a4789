import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { businessError } from '../../domain/errors';
import { ledgerAccount } from '../../domain/ledger';
import { formatMoney, type Money } from '../../domain/money';
import { findAccountSum } from '../../db/ledger/operator-postings';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { DecimalScalar } from '../scalars';
import { PostingResult } from './operator-posting';
import { plainPosting, post } from '../../steps/postings/post';
import {
  aboutDebit,
  DEBIT_ID,
  debitShown,
  leftMoney,
  PART,
  PERSON_ENTERED,
} from '../../steps/postings/left-money';
import { ownTransfer, OwnTransferInput } from './own-transfer';
import { warrantOf } from '../authority/warrant';

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
    return await post(context, warrantOf(context, 'postBankCharge'), key, args, async () => {
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
    return await post(context, warrantOf(context, 'takeProfit'), key, args, async () => {
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
      warrantOf(context, 'moveOwnMoney'),
      key,
      args,
      async () => await ownTransfer(context, input, reason, evidence ?? null),
    );
  }
}
