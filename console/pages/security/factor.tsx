import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { type MeQuery, NewRecoveryCodesDocument, RemoveTotpDocument } from '../../generated/operations';
import { Dialog } from '../../parts/dialog';
import { CodeField, PasswordField } from '../../parts/fields';
import { Form } from '../../parts/form';
import { Facts, Section } from '../../parts/page';
import { Status } from '../../parts/status';
import { EnrolTotp, RecoveryCodes } from './enrol';

interface DialogProps {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/**
 * @param totp false for an operator with only passkeys, who is asked for one when needed
 */
function FreshCodes({ totp, onDone, onClose }: DialogProps & { totp: boolean }): ReactNode {
  const renew = useAction(NewRecoveryCodesDocument);
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <Dialog title="New recovery codes" closable={!codes} onClose={onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} onStored={onDone} />
      ) : (
        <Form
          act="Create new codes"
          busy={renew.busy}
          failure={renew.failure}
          ready={password !== '' && (!totp || code !== '')}
          onAct={async () => {
            const done = await renew.run({ password, code });
            if (done) setCodes(done.newRecoveryCodes.codes);
          }}
          onBack={onClose}
        >
          The earlier codes stop working.
          <PasswordField value={password} onChange={setPassword} />
          {totp && <CodeField value={code} onChange={setCode} />}
        </Form>
      )}
    </Dialog>
  );
}

/** Closes by Escape and a click beside it until recovery codes are shown: they come once. */
function Enrol({ onDone }: { onDone: () => void }): ReactNode {
  const [given, setGiven] = useState(false);
  return (
    <Dialog title="Authenticator app" closable={!given} onClose={onDone}>
      <EnrolTotp
        onCodes={() => {
          setGiven(true);
        }}
        onDone={onDone}
      />
    </Dialog>
  );
}

function Remove({ passkeys, onDone, onClose }: DialogProps & { passkeys: boolean }): ReactNode {
  const remove = useAction(RemoveTotpDocument, 'Authenticator app removed.');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  return (
    <Dialog title="Remove the authenticator app" onClose={onClose}>
      <Form
        act="Remove"
        danger
        busy={remove.busy}
        failure={remove.failure}
        ready={password !== '' && code !== ''}
        onAct={async () => {
          if (await remove.run({ password, code })) onDone();
        }}
        onBack={onClose}
      >
        {passkeys
          ? 'Your passkeys and the recovery codes still work.'
          : 'Until you set up another app, your password is enough to log in. The recovery codes stop working too.'}
        <PasswordField value={password} onChange={setPassword} />
        <CodeField value={code} onChange={setCode} />
      </Form>
    </Dialog>
  );
}

/** The second factor: authenticator app and recovery codes. */
export function SecondFactor({
  me: { totp, passkeys, recoveryCodesLeft },
  look,
}: {
  me: Pick<MeQuery['me'], 'passkeys' | 'totp' | 'recoveryCodesLeft'>;
  look: () => void;
}): ReactNode {
  const [dialog, setDialog] = useState<'enrol' | 'codes' | 'remove' | null>(null);
  const close = (): void => {
    setDialog(null);
  };
  const done = (): void => {
    close();
    look();
  };
  const isSet = totp || passkeys.length > 0;
  const button = (which: 'codes' | 'remove', words: string): ReactNode => (
    <Button
      variant="default"
      onClick={() => {
        setDialog(which);
      }}
    >
      {words}
    </Button>
  );
  return (
    <Section
      title="Authenticator app"
      actions={
        <Group gap="xs">
          {isSet && button('codes', 'New recovery codes')}
          {totp ? (
            button('remove', 'Remove')
          ) : (
            <Button
              onClick={() => {
                setDialog('enrol');
              }}
            >
              Set up
            </Button>
          )}
        </Group>
      }
    >
      {isSet ? (
        <Facts
          of={[
            ['App', totp ? <Status value="ENABLED" words="Set up" /> : 'not set up'],
            [
              'Recovery codes',
              recoveryCodesLeft > 3 ? (
                `${String(recoveryCodesLeft)} left`
              ) : (
                <Status value="LOW" tone="wait" words={`${String(recoveryCodesLeft)} left: create new ones`} />
              ),
            ],
          ]}
        />
      ) : (
        <p className="note warn">
          Anyone who learns your password can log in as you. Setting up an app takes a minute.
        </p>
      )}
      {dialog === 'enrol' && <Enrol onDone={done} />}
      {dialog === 'codes' && <FreshCodes totp={totp} onDone={done} onClose={close} />}
      {dialog === 'remove' && <Remove passkeys={passkeys.length > 0} onDone={done} onClose={close} />}
    </Section>
  );
}
