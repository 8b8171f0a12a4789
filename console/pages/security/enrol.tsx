import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { BeginTotpDocument, type BeginTotpMutation, ConfirmTotpDocument } from '../../generated/operations';
import { Code, copyText } from '../../parts/copy';
import { CodeField, PasswordField } from '../../parts/fields';
import { Form } from '../../parts/form';
import { QrCode } from '../../parts/qr';

type Enrolment = BeginTotpMutation['beginTotp'];

/** Ten recovery codes, shown once. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }): ReactNode {
  const [stored, setStored] = useState(false);
  const [copied, setCopied] = useState(false);
  return (
    <Stack gap="sm">
      <p className="note warn">
        Each code replaces one code of the app, once. They are not shown again: store them where you can reach them
        without your phone.
      </p>
      <ul className="recovery mono" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Checkbox
        label="I have stored them"
        checked={stored}
        onChange={({ currentTarget: { checked } }) => {
          setStored(checked);
        }}
      />
      <Group justify="flex-end" gap="xs">
        <Button
          variant="default"
          onClick={async () => {
            await copyText(codes.join('\n'));
            setCopied(true);
          }}
        >
          {copied ? 'Copied' : 'Copy all'}
        </Button>
        <Button disabled={!stored} onClick={onStored}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}

/** The QR code, and a code of the app to confirm it. */
function Scan({
  enrolment: { uri, secret },
  onConfirmed,
}: {
  enrolment: Enrolment;
  onConfirmed: (codes: readonly string[]) => void;
}): ReactNode {
  const confirm = useAction(ConfirmTotpDocument);
  const [code, setCode] = useState('');
  return (
    <Form
      act="Confirm"
      busy={confirm.busy}
      failure={confirm.failure}
      ready={/^\d{6}$/.test(code)}
      onAct={async () => {
        const done = await confirm.run({ code });
        if (done) onConfirmed(done.confirmTotp.codes);
      }}
    >
      <p>Scan this with an authenticator app and enter the six digits that it shows.</p>
      <QrCode text={uri} label="To scan with the authenticator app" />
      <div className="secret">
        <p className="dim">Or enter this key</p>
        <Code text={secret} what="secret" />
      </div>
      <CodeField value={code} description="Six digits from the app" onChange={setCode} />
    </Form>
  );
}

/**
 * Sets up an authenticator app: password, QR code, confirmation, recovery codes.
 * @param password if it is already known
 */
export function EnrolTotp({
  password: known,
  onCodes,
  onDone,
}: {
  password?: string;
  /** Recovery codes are shown from now on: a dialog must not close by itself. */
  onCodes?: () => void;
  onDone: () => void;
}): ReactNode {
  const begin = useAction(BeginTotpDocument);
  const [password, setPassword] = useState(known ?? '');
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onStored={onDone} />;
  if (enrolment)
    return (
      <Scan
        enrolment={enrolment}
        onConfirmed={(shown) => {
          setCodes(shown);
          onCodes?.();
        }}
      />
    );
  return (
    <Form
      act="Set up the authenticator app"
      busy={begin.busy}
      failure={begin.failure}
      ready={password !== ''}
      onAct={async () => {
        const done = await begin.run({ password });
        if (done) setEnrolment(done.beginTotp);
      }}
    >
      <p>
        An app on your phone shows a new code every half minute. From then on each login needs a code, so a stolen
        password is not enough.
      </p>
      {known === undefined && <PasswordField value={password} onChange={setPassword} />}
    </Form>
  );
}
