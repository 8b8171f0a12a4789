import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { useSession } from '../../client/session';
import { ChangePasswordDocument } from '../../generated/operations';
import { Dialog } from '../../parts/dialog';
import { CodeField, isComplete, NewPasswordFields, NO_PASSWORD, PasswordField } from '../../parts/fields';
import { Form } from '../../parts/form';

/** A button with the dialog to change the operator's own password, which ends all sessions. */
export function ChangePassword({ totp }: { totp: boolean }): ReactNode {
  const { leave } = useSession();
  const change = useAction(ChangePasswordDocument);
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [fresh, setFresh] = useState(NO_PASSWORD);
  const [code, setCode] = useState('');
  const close = (): void => {
    setOpen(false);
    change.forget();
    setPassword('');
    setFresh(NO_PASSWORD);
    setCode('');
  };
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setOpen(true);
        }}
      >
        Change password
      </Button>
      {open && (
        <Dialog title="Change your password" onClose={close}>
          <Form
            act="Save password"
            busy={change.busy}
            failure={change.failure}
            ready={password !== '' && isComplete(fresh) && (!totp || code !== '')}
            onAct={async () => {
              const variables = { password, newPassword: fresh.first, code: totp ? code : null };
              if (await change.run(variables)) leave('password');
            }}
            onBack={close}
          >
            All your sessions and API tokens end, including this session.
            <PasswordField value={password} onChange={setPassword} />
            {totp && <CodeField value={code} onChange={setCode} />}
            <NewPasswordFields value={fresh} onChange={setFresh} />
          </Form>
        </Dialog>
      )}
    </>
  );
}
