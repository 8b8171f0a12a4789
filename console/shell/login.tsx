import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { type Credentials, useGate } from '../client/session';
import type { Environment } from '../client/page-settings';
import type { Trouble } from '../client/trouble';
import { TroubleLine } from '../parts/states';
import { Brand, EnvironmentBadge } from './brand';

const WHY = {
  first: null,
  ended: 'Your login has ended. Log in again to go on where you were.',
  left: 'You have logged out.',
} as const;

/** Login and password; then the code of the authenticator app, where there is one. */
export function LoginPage({
  environment,
  why,
}: {
  environment: Environment;
  why: keyof typeof WHY;
}): ReactNode {
  const { login } = useGate();
  const [credentials, setCredentials] = useState<Credentials>({
    login: '',
    password: '',
    code: null,
  });
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  useEffect(() => {
    document.title = 'Log in · Causeway';
  }, []);
  const enter = async (): Promise<void> => {
    setBusy(true);
    const refusal = await login(credentials);
    // The password is right; the app has the rest.
    const wantsCode = refusal?.code === 'CODE_REQUIRED' && credentials.code === null;
    if (wantsCode) setCredentials((now) => ({ ...now, code: '' }));
    setTrouble(wantsCode ? null : refusal);
    setBusy(false);
  };
  return (
    <main className="gate">
      <form
        className="login"
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <header>
          <Brand />
          <EnvironmentBadge environment={environment} />
        </header>
        <h1>Log in</h1>
        {WHY[why] !== null && <p className="note">{WHY[why]}</p>}
        <Stack gap="sm">
          <TextInput
            label="Login"
            name="username"
            autoComplete="username"
            autoFocus
            required
            size="sm"
            value={credentials.login}
            onChange={({ currentTarget: { value } }) => {
              setCredentials((now) => ({ ...now, login: value }));
            }}
          />
          <PasswordInput
            label="Password"
            name="password"
            autoComplete="current-password"
            required
            size="sm"
            value={credentials.password}
            onChange={({ currentTarget: { value } }) => {
              setCredentials((now) => ({ ...now, password: value }));
            }}
          />
          {credentials.code !== null && (
            <TextInput
              label="Code"
              description="Of your authenticator app, or a recovery code"
              name="code"
              autoComplete="one-time-code"
              inputMode="numeric"
              autoFocus
              required
              size="sm"
              value={credentials.code}
              onChange={({ currentTarget: { value } }) => {
                setCredentials((now) => ({ ...now, code: value.trim() }));
              }}
            />
          )}
          <TroubleLine trouble={trouble} />
          <Button type="submit" size="sm" fullWidth loading={busy}>
            Log in
          </Button>
        </Stack>
      </form>
    </main>
  );
}
