import type { TaskRowFragment } from '../../generated/operations';
import type { TaskStep } from './dialogs';

/**
 * The steps that this operator may take, the usual one first. The platform checks again.
 * @param me the operator's id
 */
export function stepsOf({ status, transferTask }: TaskRowFragment, me: string): TaskStep[] {
  if (status !== 'APPROVED') return [];
  const mine = transferTask?.holder?.id === me;
  switch (transferTask?.status) {
    case 'OPEN':
      return ['claim', 'cancel'];
    case 'CLAIMED':
      return mine ? ['begin', 'release', 'cancel'] : ['release', 'cancel'];
    case 'SENDING':
      return mine ? ['complete'] : ['release'];
    default:
      return [];
  }
}

/** The button's label and the key of each step. */
export const STEP_WORDS: Readonly<Record<TaskStep, { act: string; key: string }>> = {
  claim: { act: 'Claim', key: 'c' },
  begin: { act: 'Send now', key: 's' },
  complete: { act: 'Complete', key: 'p' },
  release: { act: 'Return to the queue', key: 'r' },
  cancel: { act: 'Cancel withdrawal', key: 'u' },
};
