import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '../../client/action';
import { RequestPasswordResetDocument } from '../../generated/operations';
import { Form } from '../../parts/form';
import { Gate } from '../../shell/gate';

/** Requests a password link. The answer is the same for every login, known or not. */
export function ForgotPage(): ReactNode {
  const request = useAction(RequestPasswordResetDocument);
  const [login, setLogin] = useState('');
  const [asked, setAsked] = useState(false);
  return (
    <Gate title="Forgot your password">
      {asked ? (
        <p className="note" role="status">
          If this login exists and has an email address, we have sent it a link. The link works once, for one hour.
        </p>
      ) : (
        <Form
          act="Email me a link"
          busy={request.busy}
          failure={request.failure}
          ready={login.trim() !== ''}
          onAct={async () => {
            if (await request.run({ login: login.trim() })) setAsked(true);
          }}
        >
          <TextInput
            label="Login"
            name="username"
            autoComplete="username"
            autoFocus
            required
            size="sm"
            value={login}
            onChange={({ currentTarget: { value } }) => {
              setLogin(value);
            }}
          />
        </Form>
      )}
      <Link to="/" className="aside-link">
        Back to log in
      </Link>
    </Gate>
  );
}
