import { businessError, notFound } from '../../domain/errors';
import { ledgerAccount } from '../../domain/ledger';
import { formatMoney, type Money } from '../../domain/money';
import { findAccountSum } from '../../db/ledger/operator-postings';
import type { ProposalNeeds, Evidence } from '../changes/propose';
import type { Needs } from '../context';
import { aboutDebit, debitShown, leftMoney } from '../postings/left-money';
import { plainPosting, post, type Posted } from '../postings/post';
import type { Warrant } from '../../domain/authority/warrant';

/** Proposes that a debit paid a reseller's commission. */
export async function payCommission(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'payCommission'>,
  {
    debitId,
    resellerId,
    reason,
    evidence,
    part,
    key,
  }: {
    readonly debitId: string;
    readonly resellerId: string;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly part?: Money | null | undefined;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { debitId, resellerId, part: part?.toFixed(), reason };
  return await post(context, warrant, key, args, async () => {
    const reseller = await context.loaders.resellers.load(resellerId);
    if (!reseller) throw notFound('reseller');
    const left = await leftMoney(context, debitId, part ?? null);
    const { debit, amount } = left;
    const { currencyCode, accountId } = debit;
    const { read: sql } = context.database;
    const owed = await findAccountSum({ sql }, ledgerAccount.reseller(resellerId), currencyCode);
    if (amount.gt(owed)) throw businessError('AMOUNT', `only ${formatMoney(owed)} ${currencyCode} are owed`);
    return {
      ...aboutDebit(left),
      kind: 'PAY_COMMISSION',
      merchantId: null,
      findings: null,
      reason,
      evidence,
      summary: `Post ${left.name} as commissions paid to ${reseller.name}`,
      shown: { ...debitShown(left), reseller: reseller.name, owed: formatMoney(owed) },
      postings: [
        plainPosting('COMMISSION_PAID', currencyCode, amount, {
          bankDebitId: debitId,
          accountId,
          resellerId,
        }),
      ],
    };
  });
}
