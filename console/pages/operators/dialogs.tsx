import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import {
  type OperatorRowFragment,
  SendPasswordResetDocument,
  SetOperatorAccessDocument,
  SetOperatorDisabledDocument,
} from '../../generated/operations';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { ReasonDialog } from '../../parts/reason';
import { type Access, AccessFields, accessOf } from './access';

interface DialogProps {
  readonly operator: OperatorRowFragment;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Proposes roles or merchants; removing access takes effect at once. */
export function ChangeAccess({ operator, onDone, onClose }: DialogProps): ReactNode {
  const change = useAction(SetOperatorAccessDocument);
  const [access, setAccess] = useState<Access>({
    roles: operator.roles,
    merchantIds: operator.merchantIds ?? [],
  });
  return (
    <ProposeDialog
      title={`Access of ${operator.login}`}
      busy={change.busy}
      failure={change.failure}
      onPropose={async (why) => {
        const done = await change.run({ operatorId: operator.id, ...accessOf(access), ...why });
        if (!done) return;
        notifyProposed(done.setOperatorAccess.change);
        onClose();
        onDone();
      }}
      onClose={onClose}
    >
      Granting access needs another operator's approval; removing access takes effect at once. The operator's sessions
      end.
      <AccessFields value={access} onChange={setAccess} />
    </ProposeDialog>
  );
}

/** Disables an operator at once, or proposes to enable it. */
export function ChangeDisabled({ operator, onDone, onClose }: DialogProps): ReactNode {
  const change = useAction(SetOperatorDisabledDocument);
  const disabled = operator.disabledAt === null;
  return (
    <ReasonDialog
      title={disabled ? `Disable ${operator.login}` : `Enable ${operator.login}`}
      act={disabled ? 'Disable' : 'Propose'}
      danger={disabled}
      busy={change.busy}
      failure={change.failure}
      onAct={async (reason) => {
        const done = await change.run({ operatorId: operator.id, disabled, reason });
        if (!done) return;
        notifyProposed(done.setOperatorDisabled.change);
        onClose();
        onDone();
      }}
      onClose={onClose}
    >
      {disabled
        ? 'The operator is logged out at once and can no longer log in. Its API tokens end. No second approval is needed.'
        : 'The operator can log in again with its old access, once another operator has approved it.'}
    </ReasonDialog>
  );
}

/** Mails an operator a password link. */
export function SendReset({ operator, onClose }: Omit<DialogProps, 'onDone'>): ReactNode {
  const send = useAction(SendPasswordResetDocument, 'Link sent.');
  return (
    <ReasonDialog
      title={`Email ${operator.login} a password link`}
      act="Send"
      busy={send.busy}
      failure={send.failure}
      onAct={async (reason) => {
        if (await send.run({ operatorId: operator.id, reason })) onClose();
      }}
      onClose={onClose}
    >
      We email a link to choose a new password to {operator.email}. The link works once, for one hour. The authenticator
      app is unchanged.
    </ReasonDialog>
  );
}
