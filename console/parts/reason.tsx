import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { Failure } from '../client/failure';
import { Dialog } from './dialog';
import { FailureLine } from './states';

/** A dialog that asks for the reason, which the audit log records. */
export function ReasonDialog({
  title,
  children,
  act,
  danger = false,
  busy,
  failure,
  ready = true,
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
  onAct: (reason: string) => void;
  onClose: () => void;
}): ReactNode {
  const [reason, setReason] = useState('');
  return (
    <Dialog onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
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
            required
          />
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
