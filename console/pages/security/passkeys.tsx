import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import type { Failure } from '../../client/failure';
import { makePasskey } from '../../client/passkey';
import {
  AddPasskeyDocument,
  BeginPasskeyDocument,
  type PasskeyRowFragment,
  RemovePasskeyDocument,
  RenamePasskeyDocument,
} from '../../generated/operations';
import { Dialog } from '../../parts/dialog';
import { PasswordField } from '../../parts/fields';
import { Form } from '../../parts/form';
import { Icon } from '../../parts/icons';
import { Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { RecoveryCodes } from './enrol';

function LabelField({ value, onChange }: { value: string; onChange: (value: string) => void }): ReactNode {
  return (
    <TextInput
      label="Name"
      description="Such as the device that holds it"
      value={value}
      maxLength={64}
      required
      data-autofocus
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
    />
  );
}

/** Adds a passkey: name, password, the device, and recovery codes if there were none. */
export function AddPasskey({
  onCodes,
  onDone,
  onBack,
}: {
  /** Recovery codes are shown from now on: a dialog must not close by itself. */
  onCodes?: () => void;
  onDone: () => void;
  onBack?: () => void;
}): ReactNode {
  const begin = useAction(BeginPasskeyDocument);
  const add = useAction(AddPasskeyDocument);
  const [label, setLabel] = useState('');
  const [password, setPassword] = useState('');
  const [refused, setRefused] = useState<Failure | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <RecoveryCodes codes={codes} onStored={onDone} />;
  return (
    <Form
      act="Add the passkey"
      busy={begin.busy || add.busy}
      failure={begin.failure ?? refused ?? add.failure}
      ready={label.trim() !== '' && password !== ''}
      onAct={async () => {
        setRefused(null);
        const begun = await begin.run({ password });
        if (!begun) return;
        const made = await makePasskey(begun.beginPasskey);
        if (!made.answer) {
          setRefused(made.failure);
          return;
        }
        const added = await add.run({ label: label.trim(), answer: made.answer });
        if (!added) return;
        const { recoveryCodes } = added.addPasskey;
        if (recoveryCodes.length === 0) {
          onDone();
          return;
        }
        setCodes(recoveryCodes);
        onCodes?.();
      }}
      {...(onBack ? { onBack } : {})}
    >
      <p>
        A passkey is a key in your phone, your computer or a security key. It works on this console&apos;s address
        alone, so no other page can ask you for it.
      </p>
      <LabelField value={label} onChange={setLabel} />
      <PasswordField value={password} onChange={setPassword} />
    </Form>
  );
}

function Add({ onDone, onClose }: { onDone: () => void; onClose: () => void }): ReactNode {
  const [given, setGiven] = useState(false);
  return (
    <Dialog title="New passkey" closable={!given} onClose={onClose}>
      <AddPasskey
        onCodes={() => {
          setGiven(true);
        }}
        onDone={onDone}
        onBack={onClose}
      />
    </Dialog>
  );
}

function Rename({
  passkey: { id, label: old },
  onDone,
  onClose,
}: {
  passkey: PasskeyRowFragment;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const rename = useAction(RenamePasskeyDocument, 'Passkey renamed.');
  const [label, setLabel] = useState(old);
  return (
    <Dialog title={`Rename ${old}`} onClose={onClose}>
      <Form
        act="Rename"
        busy={rename.busy}
        failure={rename.failure}
        ready={label.trim() !== ''}
        onAct={async () => {
          if (await rename.run({ id, label: label.trim() })) onDone();
        }}
        onBack={onClose}
      >
        <LabelField value={label} onChange={setLabel} />
      </Form>
    </Dialog>
  );
}

function Remove({
  passkey: { id, label },
  onDone,
  onClose,
}: {
  passkey: PasskeyRowFragment;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const remove = useAction(RemovePasskeyDocument, 'Passkey removed.');
  return (
    <Dialog title={`Remove ${label}`} onClose={onClose}>
      <Form
        act="Remove"
        danger
        busy={remove.busy}
        failure={remove.failure}
        ready
        onAct={async () => {
          if (await remove.run({ id })) onDone();
        }}
        onBack={onClose}
      >
        It no longer logs you in. Remove it from the device, too.
      </Form>
    </Dialog>
  );
}

const COLUMNS: readonly Column<PasskeyRowFragment>[] = [
  { key: 'label', title: 'Passkey', cell: ({ label }) => label },
  {
    key: 'lastUsedAt',
    title: 'Last used',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span className="dim">never</span> : <Time at={lastUsedAt} />),
  },
  { key: 'createdAt', title: 'Added', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** The operator's own passkeys. */
export function Passkeys({ passkeys, look }: { passkeys: readonly PasskeyRowFragment[]; look: () => void }): ReactNode {
  const [open, setOpen] = useState<{
    readonly what: 'add' | 'rename' | 'remove';
    readonly passkey?: PasskeyRowFragment;
  } | null>(null);
  const close = (): void => {
    setOpen(null);
  };
  const done = (): void => {
    close();
    look();
  };
  const { what, passkey } = open ?? {};
  return (
    <Section
      title="Passkeys"
      flush
      actions={
        <Button
          variant="default"
          leftSection={<Icon name="plus" />}
          onClick={() => {
            setOpen({ what: 'add' });
          }}
        >
          New passkey
        </Button>
      }
    >
      {passkeys.length === 0 ? (
        <Empty icon="key" title="No passkeys">
          A passkey cannot be phished. Add one, and a second one in case you lose the first.
        </Empty>
      ) : (
        <Rows
          label="Passkeys"
          columns={COLUMNS}
          rows={passkeys}
          keyOf={({ id }) => id}
          actions={(row) => (
            <Group gap={0} wrap="nowrap" justify="flex-end">
              {(['rename', 'remove'] as const).map((act) => (
                <Button
                  key={act}
                  variant="subtle"
                  aria-label={`${act === 'rename' ? 'Rename' : 'Remove'} ${row.label}`}
                  onClick={() => {
                    setOpen({ what: act, passkey: row });
                  }}
                >
                  {act === 'rename' ? 'Rename' : 'Remove'}
                </Button>
              ))}
            </Group>
          )}
        />
      )}
      {what === 'add' && <Add onDone={done} onClose={close} />}
      {what === 'rename' && passkey && <Rename passkey={passkey} onDone={done} onClose={close} />}
      {what === 'remove' && passkey && <Remove passkey={passkey} onDone={done} onClose={close} />}
    </Section>
  );
}
