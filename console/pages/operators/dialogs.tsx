import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import {
  type OperatorRowFragment,
  SendPasswordResetDocument,
  SetOperatorAccessDocument,
  SetOperatorDisabledDocument,
} from '../../generated/operations';
import { ProposeDialog, tellProposed } from '../../parts/propose';
import { ReasonDialog } from '../../parts/reason';
import { type Access, AccessFields, accessOf } from './access';

interface DialogProps {
  readonly operator: OperatorRowFragment;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Proposes other roles or merchants; what only takes away is done at once. */
export function ChangeAccess({ operator, onDone, onClose }: DialogProps): ReactNode {
  const change = useAction(SetOperatorAccessDocument);
  const [access, setAccess] = useState<Access>({
    roles: operator.roles,
    merchantIds: operator.merchantIds ?? [],
  });
  return (
    <ProposeDialog
      title={`What ${operator.login} may do`}
      busy={change.busy}
      trouble={change.trouble}
      onPropose={async (why) => {
        const done = await change.run({ operatorId: operator.id, ...accessOf(access), ...why });
        if (!done) return;
        tellProposed(done.setOperatorAccess.change);
        onClose();
        onDone();
      }}
      onClose={onClose}
    >
      What gives more needs another person; what only takes away is done at once. Its logins end
      with it.
      <AccessFields value={access} onChange={setAccess} />
    </ProposeDialog>
  );
}

/** Shuts an operator out, at once, or proposes to let it in again. */
export function ChangeDisabled({ operator, onDone, onClose }: DialogProps): ReactNode {
  const change = useAction(SetOperatorDisabledDocument);
  const disabled = operator.disabledAt === null;
  return (
    <ReasonDialog
      title={disabled ? `Disable ${operator.login}` : `Let ${operator.login} in again`}
      act={disabled ? 'Disable' : 'Propose'}
      danger={disabled}
      busy={change.busy}
      trouble={change.trouble}
      onAct={async (reason) => {
        const done = await change.run({ operatorId: operator.id, disabled, reason });
        if (!done) return;
        tellProposed(done.setOperatorDisabled.change);
        onClose();
        onDone();
      }}
      onClose={onClose}
    >
      {disabled
        ? 'It is logged out at once and may not log in. Its API tokens end. One person is enough.'
        : 'It may log in again as what it was, once another person has approved it.'}
    </ReasonDialog>
  );
}

/** Mails an operator a link to another password. */
export function SendReset({ operator, onClose }: Omit<DialogProps, 'onDone'>): ReactNode {
  const send = useAction(SendPasswordResetDocument, 'The link is on its way.');
  return (
    <ReasonDialog
      title={`Mail ${operator.login} a link`}
      act="Send"
      busy={send.busy}
      trouble={send.trouble}
      onAct={async (reason) => {
        if (await send.run({ operatorId: operator.id, reason })) onClose();
      }}
      onClose={onClose}
    >
      A link to choose another password goes to {operator.email}. It is good once, for an hour; the
      authenticator app stays.
    </ReasonDialog>
  );
}
