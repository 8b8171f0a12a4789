import type { ReactNode } from 'react';
import { useAction } from '../../client/action';
import {
  type AccountRowFragment,
  type BankAccountStatus,
  SetBankAccountStatusDocument,
} from '../../generated/operations';
import { ProposeDialog, notifyProposed } from '../../parts/propose';

const STATUS_WORDS: Readonly<Record<BankAccountStatus, { act: string; effect: string }>> = {
  ACTIVE: { act: 'Activate', effect: 'The account takes new deposits again.' },
  PAUSED: {
    act: 'Pause',
    effect: 'The account takes no new deposits from now on. Bank credits that arrive are matched by hand.',
  },
  DISABLED: { act: 'Disable', effect: 'The account is out of use from now on.' },
};

/** The button's label for a status. */
export const statusAct = (status: BankAccountStatus): string => STATUS_WORDS[status].act;

/** Activates, pauses or disables an account. */
export function SetStatus({
  account,
  status,
  onClose,
}: {
  account: AccountRowFragment;
  status: BankAccountStatus;
  onClose: () => void;
}): ReactNode {
  const set = useAction(SetBankAccountStatusDocument);
  const { act, effect } = STATUS_WORDS[status];
  return (
    <ProposeDialog
      title={`${act} ${account.name}`}
      act={act}
      evidence={status === 'ACTIVE'}
      danger={status !== 'ACTIVE'}
      busy={set.busy}
      failure={set.failure}
      onPropose={async (why) => {
        const done = await set.run({ id: account.id, status, ...why });
        if (!done) return;
        notifyProposed(done.setBankAccountStatus.change);
        onClose();
      }}
      onClose={onClose}
    >
      {effect}
    </ProposeDialog>
  );
}
