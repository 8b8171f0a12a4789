import { Button, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { useGate } from '../../client/session';
import { inWords } from '../../format/words';
import { AcceptInvitationDocument, InvitationDocument, type InvitationQuery } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { isComplete, NewPasswordFields, NO_PASSWORD } from '../../parts/fields';
import { Form } from '../../parts/form';
import { Time } from '../../parts/time';
import { Gate } from '../../shell/gate';
import { EnrolTotp } from '../security/enrol';
import { useLinkToken } from './token';

/** Asks an invited person for login and password, then logs in. */
function Accept({
  token,
  offer,
  onIn,
}: {
  token: string;
  offer: NonNullable<InvitationQuery['invitation']>;
  onIn: (password: string) => void;
}): ReactNode {
  const { login: enter } = useGate();
  const accept = useAction(AcceptInvitationDocument);
  const [login, setLogin] = useState(offer.email.split('@')[0]?.toLowerCase() ?? '');
  const [fresh, setFresh] = useState(NO_PASSWORD);
  return (
    <Form
      act="Accept the invitation"
      busy={accept.busy}
      failure={accept.failure}
      ready={login.trim().length > 2 && isComplete(fresh)}
      onAct={async () => {
        const password = fresh.first;
        const done = await accept.run({ token, login: login.trim(), password });
        if (!done) return;
        await enter({ login: done.acceptInvitation.login, password, code: null });
        onIn(password);
      }}
    >
      <p>
        {offer.email} is invited as {offer.roles.map(inWords).join(', ')}, until <Time at={offer.expiresAt} />.
      </p>
      <TextInput
        label="Login"
        description="3-64 letters, digits and . _ @ + -"
        name="username"
        autoComplete="username"
        required
        value={login}
        onChange={({ currentTarget: { value } }) => {
          setLogin(value);
        }}
      />
      <NewPasswordFields value={fresh} onChange={setFresh} />
    </Form>
  );
}

/** The page of a mailed invitation: the offer, login and password, authenticator app. */
export function InvitationPage(): ReactNode {
  const token = useLinkToken();
  const navigate = useNavigate();
  const [asked, ask] = useQuery({ query: InvitationDocument, variables: { token } });
  const [password, setPassword] = useState<string | null>(null);
  const leave = (): void => {
    void navigate('/', { replace: true });
  };
  if (password !== null)
    return (
      <Gate title="Set up your authenticator app">
        <Stack gap="sm">
          <EnrolTotp password={password} onDone={leave} />
          <Button variant="subtle" onClick={leave}>
            Later
          </Button>
        </Stack>
      </Gate>
    );
  return (
    <Gate title="Welcome to Causeway">
      <Answer
        asked={asked}
        retry={() => {
          ask({ requestPolicy: 'network-only' });
        }}
      >
        {({ invitation }) => invitation && <Accept token={token} offer={invitation} onIn={setPassword} />}
      </Answer>
    </Gate>
  );
}
