import { businessError } from '../../domain/errors';
import { endRecovery as end, findRecoveryProblem } from '../../db/platform/recoveries';
import { effect } from '../changes/change-effect';

/** The recovery to end, as a proposal stores it. */
export type EndRecoveryPayload = Readonly<{ recoveryId: string }>;

/** Why a recovery cannot end yet, as text. */
export const RECOVERY_PROBLEMS = {
  ENDED: 'the recovery has ended',
  NOT_ASKED:
    'channels were not asked for every withdrawal yet, since the last request from before can have ended',
} as const;

/** Ends a recovery: payouts are sent again, and overdue orders expire. */
export const endRecovery = effect<EndRecoveryPayload>({
  basis: async (tx, { recoveryId }) => {
    const problem = await findRecoveryProblem(tx, recoveryId);
    return problem === 'ENDED' ? null : { inRecovery: true };
  },
  apply: async (tx, { recoveryId }, { id, now }) => {
    const problem = await findRecoveryProblem(tx, recoveryId);
    if (problem) throw businessError('WRONG_STATE', RECOVERY_PROBLEMS[problem]);
    await end(tx, recoveryId, id, now);
  },
});
