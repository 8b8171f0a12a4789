import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useGate } from '../../client/session';
import { Gate } from '../../shell/gate';
import { EnrolTotp } from '../security/enrol';
import { AddPasskey } from '../security/passkeys';

/**
 * In production an operator must set up a second factor first.
 * @param passkey true for an approver, for whom only a passkey counts
 */
export function MustEnrolPage({ passkey }: { passkey: boolean }): ReactNode {
  const { retry } = useGate();
  const [app, setApp] = useState(!passkey);
  // Recovery codes are shown once: nothing may replace them on the screen.
  const [codes, setCodes] = useState(false);
  const onCodes = (): void => {
    setCodes(true);
  };
  return (
    <Gate title={app ? 'Set up your authenticator app' : 'Add your passkey'}>
      <Stack gap="sm">
        {!app && passkey && <p className="note">Operators who may approve must first add a passkey.</p>}
        {app ? <EnrolTotp onCodes={onCodes} onDone={retry} /> : <AddPasskey onCodes={onCodes} onDone={retry} />}
        {!passkey && !codes && (
          <Button
            variant="subtle"
            onClick={() => {
              setApp(!app);
            }}
          >
            {app ? 'Use a passkey instead' : 'Use an authenticator app instead'}
          </Button>
        )}
      </Stack>
    </Gate>
  );
}
