import type { ReactNode } from 'react';
import { Loader } from '@mantine/core';
import { useGate } from '../client/session';
import type { Environment } from '../client/page-settings';
import { TroubleState } from '../parts/states';
import { LoginPage } from './login';
import { Shell } from './shell';

/**
 * The pages for who is logged in, the login for all others. The URL stays as it is: after the login one is where one
 * was, or wanted to be.
 */
export function Gatekeeper({ environment }: { environment: Environment }): ReactNode {
  const { state, retry } = useGate();
  switch (state.at) {
    case 'looking':
      return (
        <main className="gate">
          <Loader size="sm" aria-label="Loading" />
        </main>
      );
    case 'unreachable':
      return (
        <main className="gate">
          <TroubleState trouble={state.trouble} onRetry={retry} />
        </main>
      );
    case 'out':
      return <LoginPage environment={environment} why={state.why} />;
    case 'in':
      return <Shell environment={environment} />;
  }
}
