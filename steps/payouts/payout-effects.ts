import { withdrawalCallbackBody } from '../../domain/callback';
import type { Settings } from '../../domain/change-request';
import { businessError, notFound } from '../../domain/errors';
import { channelCost, withdrawalPaid, withdrawalReleased } from '../../domain/ledger';
import { money, ZERO } from '../../domain/money';
import type { Transaction } from '../../db/client';
import * as db from '../../db/payouts/payouts';
import { findReleaseProblem } from '../../db/platform/recoveries';
import { findWithdrawalCase } from '../../db/withdrawals/withdrawals';
import { effect } from '../changes/change-effect';

/** People's finding about a payout, as a proposal stores it. */
export type ResolvePayoutPayload = Readonly<{
  withdrawalId: string;
  attemptId: string;
  paid: boolean;
  bankReference: string | null;
  /** What the channel charged; the estimate if it is not known. */
  cost?: string;
}>;

async function basis(tx: Transaction, { withdrawalId, attemptId }: ResolvePayoutPayload): Promise<Settings | null> {
  const [found] = await db.lockPayout(tx, withdrawalId, attemptId);
  return found ? { ...found } : null;
}

/**
 * Ends a payout by people's finding instead of its channel's answer: completed or failed. An answer of the channel that
 * comes first makes the change stale.
 */
export const resolvePayout = effect<ResolvePayoutPayload>({
  basis,
  apply: async (tx, { withdrawalId, attemptId, paid, bankReference, cost: said }, { reason, now }) => {
    const order = await findWithdrawalCase({ sql: tx }, withdrawalId);
    const attempts = await db.findAttemptsOf(tx, [withdrawalId]);
    const attempt = attempts.find(({ id }) => id === attemptId);
    if (!order || !attempt?.channelId) throw notFound('payout');
    const { merchantId, amount, fee, estimatedChannelCost } = order;
    if (!paid && (await findReleaseProblem(tx, withdrawalId)) === 'NOT_ASKED')
      throw businessError('WRONG_STATE', 'in RECOVERY channels must first be queried whether one has paid it');
    const cost = said === undefined ? (estimatedChannelCost ?? ZERO) : money(said);
    const end = { attemptId, actor: 'operators', now };
    const done = paid
      ? await db.payWithdrawal(tx, {
          ...end,
          bankReference,
          cost,
          returned: false,
          channelOrderNo: null,
          paid: withdrawalPaid(merchantId, amount, fee, { channelId: attempt.channelId }),
          charged: channelCost(attempt.channelId, cost),
          callbackBody: withdrawalCallbackBody('COMPLETED', order, now, { bankReference }),
        })
      : await db.failPayout(tx, {
          ...end,
          reason,
          release: withdrawalReleased(merchantId, amount, fee),
          callbackBody: withdrawalCallbackBody('FAILED', order, now, { reason }),
        });
    if (!done) throw businessError('WRONG_STATE', 'the payout has already ended');
  },
});
