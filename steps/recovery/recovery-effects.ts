import { uuidv7 } from 'uuidv7';
import { businessError } from '../../domain/errors';
import * as findings from '../../db/platform/findings';
import { endRecovery as end, findRecoveryProblem } from '../../db/platform/recoveries';
import { effect } from '../changes/change-effect';

/** The recovery to end, as a proposal stores it. */
export type EndRecoveryPayload = Readonly<{ recoveryId: string }>;

/** What two people say of findings, as a proposal stores it. */
export type ExplainFindingsPayload = Readonly<{
  recoveryId: string;
  ids: readonly string[];
  /** The channel that has the one withdrawal, and its reference there; null: nobody paid. */
  paidAt: Readonly<{ channelId: string; reference: string }> | null;
}>;

/** Why a recovery cannot end yet, as text. */
export const RECOVERY_PROBLEMS = {
  ENDED: 'the recovery has ended',
  NOT_ASKED: 'channels were not asked for every withdrawal yet, since the last request from before can have ended',
} as const;

/** Ends a recovery: payouts are sent again, and overdue orders expire. */
export const endRecovery = effect<EndRecoveryPayload>({
  basis: async (tx, { recoveryId }) => {
    const problem = await findRecoveryProblem(tx, recoveryId);
    return problem === 'ENDED' ? null : { inRecovery: true };
  },
  apply: async (tx, { recoveryId }, { id, now, twoPeople }) => {
    const problem = await findRecoveryProblem(tx, recoveryId);
    if (problem) throw businessError('WRONG_STATE', RECOVERY_PROBLEMS[problem]);
    await end(tx, recoveryId, id, now);
    // Where one person suffices, as in a sandbox, who ends it also says that nobody paid by hand.
    if (!twoPeople) await findings.explainUnpaid(tx, recoveryId, id);
  },
});

/**
 * Explains findings: what they held goes on, because nobody paid it in the lost time; or the order follows the channel
 * that has it. A newer answer of a channel makes the change stale.
 */
export const explainFindings = effect<ExplainFindingsPayload>({
  basis: async (tx, { recoveryId, ids }) =>
    Object.fromEntries(
      (await findings.findFindings({ sql: tx }, recoveryId, ids)).map(({ id, kind, foundAt }) => [
        id,
        `${kind} ${foundAt.toISOString()}`,
      ]),
    ),
  apply: async (tx, { recoveryId, ids, paidAt }, { id, now }) => {
    if ((await findRecoveryProblem(tx, recoveryId)) === 'NOT_ASKED')
      throw businessError('WRONG_STATE', RECOVERY_PROBLEMS.NOT_ASKED);
    if (!paidAt) {
      if ((await findings.explainFindings(tx, ids, id)) !== ids.length)
        throw businessError('WRONG_STATE', 'a finding is explained already, or holds nothing');
      return;
    }
    for (const findingId of ids) {
      const payout = { attemptId: uuidv7(), findingId, ...paidAt };
      if (!(await findings.adoptFoundPayout(tx, payout, now)))
        throw businessError(
          'WRONG_STATE',
          'the order cannot follow it: it has ended, is being paid, or knows the reference',
        );
    }
  },
});
