import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useAction } from '../../client/action';
import { ResetPasswordDocument } from '../../generated/operations';
import { isComplete, NewPasswordFields, NO_PASSWORD } from '../../parts/fields';
import { Form } from '../../parts/form';
import { Gate } from '../../shell/gate';
import { useLinkToken } from './token';

/** The page of a mailed password link. */
export function ResetPage(): ReactNode {
  const token = useLinkToken();
  const reset = useAction(ResetPasswordDocument);
  const [fresh, setFresh] = useState(NO_PASSWORD);
  const [done, setDone] = useState(false);
  return (
    <Gate title="Choose a new password">
      {done ? (
        <p className="note" role="status">
          Your password has been changed. All your sessions and API tokens have ended. Your authenticator app is
          unchanged.
        </p>
      ) : (
        <Form
          act="Set the password"
          busy={reset.busy}
          failure={reset.failure}
          ready={isComplete(fresh)}
          onAct={async () => {
            if (await reset.run({ token, newPassword: fresh.first })) setDone(true);
          }}
        >
          <NewPasswordFields value={fresh} onChange={setFresh} />
        </Form>
      )}
      <Link to={reset.failure?.kind === 'missing' ? '/forgot' : '/'} className="aside-link">
        {reset.failure?.kind === 'missing' ? 'Request another link' : 'Log in'}
      </Link>
    </Gate>
  );
}
