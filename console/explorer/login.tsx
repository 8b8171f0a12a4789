import { type ReactNode, type SubmitEvent, useState } from 'react';

/** Where operations are sent: the address of the page. */
export const GRAPHQL = '/graphql';

const LOGIN = `mutation Login($login: String!, $password: String!, $code: String) {
  login(login: $login, password: $password, code: $code) { token operator { login } }
}`;

interface Answer {
  readonly data?: { readonly login: { token: string; operator: { login: string } } | null } | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** A login. Its token is only in the page's memory. */
export interface LoggedIn {
  readonly login: string;
  readonly token: string;
}

/** The form of the login. */
export function LoginBar({ onLogin }: { onLogin: (login: LoggedIn) => void }): ReactNode {
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const given = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    const code = given['code']?.trim();
    const response = await fetch(GRAPHQL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: LOGIN,
        operationName: 'Login',
        variables: { login: given['login'], password: given['password'], code: code ? code : null },
      }),
    });
    const { data, errors } = (await response.json()) as Answer;
    if (data?.login) onLogin({ login: data.login.operator.login, token: data.login.token });
    else setFailure(errors?.[0]?.message ?? 'the login failed');
  };
  return (
    <form
      className="login"
      onSubmit={(event) => {
        submit(event).catch((error: unknown) => {
          setFailure(String(error));
        });
      }}
    >
      <strong>Causeway</strong>
      <input name="login" aria-label="Login" placeholder="Login" autoComplete="username" required />
      <input
        name="password"
        type="password"
        aria-label="Password"
        placeholder="Password"
        autoComplete="current-password"
        required
      />
      <input name="code" aria-label="Code" placeholder="Code, if any" autoComplete="one-time-code" />
      <button type="submit">Log in</button>
      {failure !== null && <span role="alert">{failure}</span>}
    </form>
  );
}
