import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { useGate } from '../client/session';
import { MustEnrolPage } from '../pages/public/must-enrol';
import { FailureState } from '../parts/states';
import { LoginPage } from './login';
import { LoginAgain } from './login-again';
import { PUBLIC_PAGES } from './pages';
import { Shell } from './shell';

/**
 * Shows the console to operators who are logged in, the login page to others, and the public pages to everybody. The
 * URL stays, so that login leads back to it. A page whose session ends stays too, hidden behind the login, with what its
 * operator has typed.
 */
export function Gatekeeper(): ReactNode {
  const { state, retry } = useGate();
  const { pathname } = useLocation();
  const publicPage = PUBLIC_PAGES.find(({ path }) => path === pathname);
  if (publicPage) return publicPage.page;
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
          <FailureState failure={state.failure} onRetry={retry} heading />
        </main>
      );
    case 'out':
      return <LoginPage why={state.why} />;
    case 'in':
    case 'ended':
      return (
        <>
          {state.me.mustEnrolTotp || state.me.mustEnrolPasskey ? (
            <MustEnrolPage passkey={state.me.mustEnrolPasskey} />
          ) : (
            <Shell />
          )}
          {state.at === 'ended' && <LoginAgain login={state.me.login} />}
        </>
      );
  }
}
