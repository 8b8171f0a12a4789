import { Arg, Authorized, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { businessError, notFound } from '../../domain/errors';
import { ledgerAccount } from '../../domain/ledger';
import { formatMoney, type Money } from '../../domain/money';
import { findAccountSum } from '../../db/ledger/operator-postings';
import { EvidenceInput } from '../changes/change-request';
import type { GraphContext } from '../context';
import { EVIDENCE, REASON } from '../descriptions';
import { IDEMPOTENCY_KEY } from '../../steps/idempotent';
import { aboutDebit, DEBIT_ID, debitShown, leftMoney, PART } from '../../steps/postings/left-money';
import { PostingResult } from '../postings/operator-posting';
import { plainPosting, post } from '../../steps/postings/post';
import { DecimalScalar } from '../scalars';
import { warrantOf } from '../authority/warrant';

@Resolver()
export class PayCommissionResolver {
  @Authorized('TREASURER')
  @Mutation(() => PostingResult, {
    description:
      'Proposes that a bank debit paid a reseller what its commissions came to; never more than it is owed. Needs evidence; a second person approves.',
  })
  async payCommission(
    @Arg('debitId', () => ID, { description: DEBIT_ID }) debitId: string,
    @Arg('resellerId', () => ID, { description: 'Who was paid.' }) resellerId: string,
    @Arg('reason', { description: REASON }) reason: string,
    @Arg('evidence', () => EvidenceInput, { description: EVIDENCE }) evidence: EvidenceInput,
    @Ctx() context: GraphContext,
    @Arg('amount', () => DecimalScalar, { nullable: true, description: PART })
    part?: Money | null,
    @Arg('idempotencyKey', () => String, { nullable: true, description: IDEMPOTENCY_KEY })
    key?: string | null,
  ): Promise<PostingResult> {
    const args = { debitId, resellerId, part: part?.toFixed(), reason };
    return await post(context, warrantOf(context, 'payCommission'), key, args, async () => {
      const reseller = await context.loaders.resellers.load(resellerId);
      if (!reseller) throw notFound('reseller');
      const left = await leftMoney(context, debitId, part ?? null);
      const { debit, amount } = left;
      const { currencyCode, accountId } = debit;
      const { read: sql } = context.database;
      const owed = await findAccountSum({ sql }, ledgerAccount.reseller(resellerId), currencyCode);
      if (amount.gt(owed))
        throw businessError('AMOUNT', `only ${formatMoney(owed)} ${currencyCode} are owed`);
      return {
        ...aboutDebit(left),
        ...{ kind: 'PAY_COMMISSION', merchantId: null, findings: null, reason, evidence },
        summary: `Post ${left.name} as commissions paid to ${reseller.name}`,
        shown: { ...debitShown(left), reseller: reseller.name, owed: formatMoney(owed) },
        postings: [
          plainPosting('COMMISSION_PAID', currencyCode, amount, {
            ...{ bankDebitId: debitId, accountId, resellerId },
          }),
        ],
      };
    });
  }
}
