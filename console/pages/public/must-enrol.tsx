import type { ReactNode } from 'react';
import { useGate } from '../../client/session';
import { Gate } from '../../shell/gate';
import { EnrolTotp } from '../security/enrol';

/** In production an operator must set up an authenticator app first. */
export function MustEnrolPage(): ReactNode {
  const { retry } = useGate();
  return (
    <Gate title="Set up your authenticator app">
      <EnrolTotp onDone={retry} />
    </Gate>
  );
}
