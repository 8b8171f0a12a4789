import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Code } from './copy';
import { Dialog } from './dialog';

/** Shows a secret once. Closing needs a confirmation. */
export function SecretOnce({
  title,
  secrets,
  children,
  onClose,
}: {
  title: string;
  secrets: readonly { readonly name: string; readonly text: string }[];
  children?: ReactNode;
  onClose: () => void;
}): ReactNode {
  const [stored, setStored] = useState(false);
  return (
    <Dialog title={title} closable={false} onClose={onClose}>
      <Stack gap="sm">
        <p className="note warn">Shown only once. It cannot be looked up later.</p>
        {secrets.map(({ name, text }) => (
          <div key={name} className="secret">
            <p className="dim">{name}</p>
            <Code text={text} what={name.toLowerCase()} />
          </div>
        ))}
        {children}
        <Checkbox
          label="I have stored it"
          checked={stored}
          onChange={({ currentTarget: { checked } }) => {
            setStored(checked);
          }}
        />
        <Group justify="flex-end">
          <Button disabled={!stored} onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
