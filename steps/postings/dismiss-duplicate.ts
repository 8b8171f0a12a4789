import { openCreditMemo } from '../../crypto/personal';
import { businessError, notFound } from '../../domain/errors';
import { findBankTransfer } from '../../db/transfers/bank-transfers';
import { plainPosting, post, type Posted } from './post';
import { aboutCredit, creditShown, waitingMoney } from './waiting-money';
import type { Needs } from '../context';
import type { Warrant } from '../../domain/authority/warrant';
import type { Evidence, ProposalNeeds } from '../changes/propose';

/**
 * Proposes that an unmatched transfer is a second report of another one: it brought nothing.
 * @throws NOT_FOUND; WRONG_STATE or MISMATCH if it cannot be that report
 */
export async function dismissDuplicate(
  context: ProposalNeeds & Needs<'loaders'>,
  warrant: Warrant<'dismissDuplicate'>,
  {
    transferId,
    sameAs,
    reason,
    evidence,
    key,
  }: {
    readonly transferId: string;
    /** The transfer that it repeats. */
    readonly sameAs: string;
    readonly reason: string;
    readonly evidence: Evidence;
    readonly key?: string | null | undefined;
  },
): Promise<Posted> {
  const args = { transferId, sameAs, reason };
  return await post(context, warrant, key, args, async () => {
    const money = await waitingMoney(context, transferId, null);
    const { transfer, amount } = money;
    const first = await findBankTransfer(context.database, sameAs);
    if (!first || first.id === transfer.id) throw notFound('bank transfer');
    const { accountId, currencyCode } = transfer;
    if (!amount.equals(transfer.amount))
      throw businessError('WRONG_STATE', 'a part of this bank transfer is used already');
    if (first.accountId !== accountId || first.currencyCode !== currencyCode)
      throw businessError('MISMATCH', 'the two transfers came on different accounts');
    if (!first.amount.equals(amount)) throw businessError('MISMATCH', 'the two transfers have different amounts');
    return {
      ...aboutCredit(money),
      kind: 'DISMISS_DUPLICATE',
      merchantId: null,
      findings: null,
      reason,
      evidence,
      summary: `Dismiss ${money.name} as reported twice`,
      shown: {
        ...creditShown(money),
        firstBankTime: first.bankTime.toISOString(),
        firstMemo: openCreditMemo(context.sealer, first),
        firstBankReference: first.bankReference,
      },
      postings: [
        plainPosting('REPORTED_TWICE', currencyCode, amount, {
          bankTransferId: transfer.id,
          accountId,
        }),
      ],
    };
  });
}
