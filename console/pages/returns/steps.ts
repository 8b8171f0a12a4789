import type { PayerReturnFieldsFragment } from '../../generated/operations';

/** The steps of a return to a payer. */
export type ReturnStep = 'begin' | 'complete' | 'release' | 'cancel';

/** The button's label and the key of each step. */
export const STEP_WORDS: Readonly<Record<ReturnStep, { act: string; key: string }>> = {
  begin: { act: 'Send now', key: 's' },
  complete: { act: 'Complete', key: 'p' },
  release: { act: 'Release', key: 'r' },
  cancel: { act: 'Cancel the return', key: 'u' },
};

/**
 * The steps that this operator may take, the usual one first. The platform checks again.
 * @param me the operator's login
 */
export function stepsOf({ status, sender }: PayerReturnFieldsFragment, me: string): readonly ReturnStep[] {
  if (status === 'OPEN') return ['begin', 'cancel'];
  if (status !== 'SENDING') return [];
  return sender?.login === me ? ['complete'] : ['release'];
}
