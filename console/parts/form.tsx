import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Failure } from '../client/failure';
import { FailureLine } from './states';

/** Fields, the failure of the last attempt, and the submit button. */
export function Form({
  act,
  danger = false,
  busy,
  failure,
  ready,
  children,
  onAct,
  onBack,
}: {
  /** The button's label. */
  act: string;
  danger?: boolean;
  busy: boolean;
  failure: Failure | null;
  /** Whether the required fields are filled in. */
  ready: boolean;
  children?: ReactNode;
  onAct: () => void;
  /** Absent if there is nothing to go back to: then the button spans the form. */
  onBack?: () => void;
}): ReactNode {
  const button = (
    <Button type="submit" loading={busy} disabled={!ready} fullWidth={!onBack} color={danger ? 'red.8' : undefined}>
      {act}
    </Button>
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAct();
      }}
    >
      <Stack gap="sm">
        {children}
        <FailureLine failure={failure} />
        {onBack ? (
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onBack}>
              Back
            </Button>
            {button}
          </Group>
        ) : (
          button
        )}
      </Stack>
    </form>
  );
}
