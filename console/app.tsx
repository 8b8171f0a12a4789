import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { BrowserRouter } from 'react-router';
import { FactorProvider } from './client/factor';
import { SessionProvider } from './client/session';
import { styleNonce } from './client/page-settings';
import { Gatekeeper } from './shell/gatekeeper';
import { readable, theme } from './theme';

const colorSchemes = localStorageColorSchemeManager({ key: 'causeway.scheme' });

/** The console. */
export function App(): ReactNode {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readable}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      getStyleNonce={styleNonce}
    >
      {/* A transition would let the next key act on what the one before had not changed yet. */}
      <BrowserRouter basename="/console" useTransitions={false}>
        {/* Inside the router: notifications may link to a page. */}
        <Notifications position="bottom-right" autoClose={5_000} limit={3} />
        <SessionProvider>
          <FactorProvider>
            <Gatekeeper />
          </FactorProvider>
        </SessionProvider>
      </BrowserRouter>
    </MantineProvider>
  );
}
