import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { ReasonChips, rememberReason } from './chips';
import type { Failure } from '../client/failure';
import { useSession } from '../client/session';
import { Dialog } from './dialog';
import { FailureLine } from './states';

/** Reasons that a dialog offers. */
export interface Usual {
  readonly kind: string;
  readonly usual: readonly string[];
}

/** Sends a form from a text of several lines, as its button would: Ctrl+Enter, or Cmd+Enter. */
export function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  // A button that is disabled, or already sends, is not clicked.
  event.currentTarget.form?.querySelector<HTMLButtonElement>('button[type=submit]')?.click();
}

/** A dialog that asks for the reason, which the audit log records. */
export function ReasonDialog({
  title,
  children,
  act,
  danger = false,
  busy,
  failure,
  ready = true,
  usual,
  onAct,
  onClose,
}: {
  title: string;
  /** Explains the effect; holds further fields. */
  children?: ReactNode;
  /** The button's label. */
  act: string;
  danger?: boolean;
  busy: boolean;
  failure: Failure | null;
  /** Whether the further fields are filled in. */
  ready?: boolean;
  /** Reasons to choose from, by the name under which they are kept. */
  usual?: Usual;
  onAct: (reason: string) => void;
  onClose: () => void;
}): ReactNode {
  const { me } = useSession();
  const [reason, setReason] = useState('');
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (usual) rememberReason(me, usual.kind, reason.trim());
          onAct(reason.trim());
        }}
      >
        <Stack gap="sm">
          {children}
          <Textarea
            label="Reason"
            description="Recorded in the audit log."
            value={reason}
            onChange={(event) => {
              setReason(event.currentTarget.value);
            }}
            data-autofocus
            autosize
            minRows={2}
            maxLength={500}
            onKeyDown={sendByKey}
            required
          />
          {usual && <ReasonChips {...usual} onChoose={setReason} />}
          <FailureLine failure={failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button
              type="submit"
              loading={busy}
              disabled={!ready || reason.trim() === ''}
              color={danger ? 'red.8' : undefined}
            >
              {act}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
