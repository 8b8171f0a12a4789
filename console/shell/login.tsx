import { Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useClient } from 'urql';
import { type Credentials, type LeftBecause, useGate } from '../client/session';
import type { Failure } from '../client/failure';
import { hasSingleSignOn } from '../client/page-settings';
import { askPasskey } from '../client/passkey';
import { goToProvider } from '../client/single-sign-on';
import type { PasskeyRequestFragment } from '../generated/operations';
import { FailureLine } from '../parts/states';
import { Gate } from './gate';

const WHY: Readonly<Record<LeftBecause, string | null>> = {
  first: null,
  ended:
    'Your session has ended. Log in again to continue where you were. What you entered is kept, unless somebody else logs in.',
  left: 'You are logged out.',
  password: 'Your password has been changed and all sessions have ended. Log in with the new password.',
};

/**
 * Login and password, then the authenticator's code if one is set up.
 * @param again the login of the operator whose page waits behind: the ways that leave the page open in another tab
 */
export function LoginPage({ why, again }: { why: LeftBecause; again?: string }): ReactNode {
  const { login, passkeyFor } = useGate();
  const client = useClient();
  const { pathname, search } = useLocation();
  const [credentials, setCredentials] = useState<Credentials>({
    login: again ?? '',
    password: '',
    code: null,
  });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [passkey, setPasskey] = useState<PasskeyRequestFragment | null>(null);
  const enter = async (): Promise<void> => {
    setBusy(true);
    const refusal = await login(credentials);
    // The password is right; a second factor is needed.
    const wantsMore = refusal?.code === 'CODE_REQUIRED' && credentials.code === null;
    if (wantsMore) {
      setPasskey(await passkeyFor(credentials));
      setCredentials((now) => ({ ...now, code: '' }));
    }
    setFailure(wantsMore ? null : refusal);
    setBusy(false);
  };
  const enterByPasskey = async (): Promise<void> => {
    setBusy(true);
    // A challenge is valid once: after a failure a new one is fetched.
    const request = failure ? await passkeyFor(credentials) : passkey;
    const said = request && (await askPasskey(request));
    setFailure(
      said?.answer ? await login({ ...credentials, code: null, passkey: said.answer }) : (said?.failure ?? failure),
    );
    setBusy(false);
  };
  return (
    <Gate title="Log in" over={again !== undefined}>
      {WHY[why] !== null && <p className="note">{WHY[why]}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <Stack gap="sm">
          <TextInput
            label="Login"
            name="username"
            autoComplete="username"
            autoFocus={again === undefined}
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
            autoFocus={again !== undefined}
            required
            size="sm"
            value={credentials.password}
            onChange={({ currentTarget: { value } }) => {
              setCredentials((now) => ({ ...now, password: value }));
            }}
          />
          {passkey && (
            <Button
              size="sm"
              fullWidth
              loading={busy}
              onClick={() => {
                void enterByPasskey();
              }}
            >
              Use a passkey
            </Button>
          )}
          {credentials.code !== null && (
            <TextInput
              label="Code"
              description="From your authenticator app, or a recovery code"
              name="code"
              autoComplete="one-time-code"
              inputMode="numeric"
              autoFocus={!passkey}
              required
              size="sm"
              value={credentials.code}
              onChange={({ currentTarget: { value } }) => {
                setCredentials((now) => ({ ...now, code: value.trim() }));
              }}
            />
          )}
          <FailureLine failure={failure} />
          <Button type="submit" size="sm" fullWidth loading={busy} variant={passkey ? 'default' : 'filled'}>
            Log in
          </Button>
          {hasSingleSignOn() && again !== undefined && (
            <Button component="a" href="/console/" target="_blank" size="sm" variant="default" fullWidth>
              Single sign-on in a new tab
            </Button>
          )}
          {hasSingleSignOn() && again === undefined && (
            <Button
              size="sm"
              variant="default"
              fullWidth
              disabled={busy}
              onClick={() => {
                setBusy(true);
                void goToProvider(client, `${pathname}${search}`).then((refusal) => {
                  setFailure(refusal);
                  setBusy(refusal === null);
                });
              }}
            >
              Single sign-on
            </Button>
          )}
          <Link to="/forgot" className="aside-link" target={again === undefined ? undefined : '_blank'}>
            Forgot your password?
          </Link>
        </Stack>
      </form>
    </Gate>
  );
}
