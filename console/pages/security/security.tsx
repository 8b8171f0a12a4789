import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import { EndOtherSessionsDocument, EndSessionDocument, MeDocument, type MeQuery } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Facts, Page, Section } from '../../parts/page';
import { FailureLine } from '../../parts/states';
import { SecondFactor } from './factor';
import { Passkeys } from './passkeys';
import { ChangePassword } from './password';
import { Sessions } from './sessions';
import { Tokens } from './tokens';

function MySessions({ sessions, look }: { sessions: MeQuery['me']['sessions']; look: () => void }): ReactNode {
  const end = useAction(EndSessionDocument, 'Session ended.');
  const endOthers = useAction(EndOtherSessionsDocument, 'All other sessions ended.');
  return (
    <Section
      title="Sessions"
      flush
      actions={
        <Button
          variant="default"
          loading={endOthers.busy}
          onClick={async () => {
            await endOthers.run({});
            look();
          }}
        >
          End all others
        </Button>
      }
    >
      <FailureLine failure={end.failure ?? endOthers.failure} />
      <Sessions
        sessions={sessions}
        action={({ id, current, address }) =>
          !current && (
            <Button
              variant="subtle"
              aria-label={`End the session from ${address ?? 'elsewhere'}`}
              onClick={async () => {
                await end.run({ id });
                look();
              }}
            >
              End
            </Button>
          )
        }
      />
    </Section>
  );
}

/** The operator's own account: password, app, tokens, sessions, permissions. */
export function SecurityPage(): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({ query: MeDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  return (
    <Page title="My security">
      <Answer asked={asked} retry={look}>
        {({ me: mine }) => (
          <div className="stack">
            <div className="halves">
              <Section title="Account" actions={<ChangePassword totp={mine.totp} />}>
                <Facts
                  of={[
                    ['Login', me.login],
                    ['E-mail', mine.email],
                    ['Roles', me.roles.map(inWords).join(', ')],
                    ['May', me.permissions.map(inWords).join(', ')],
                    ['Merchants', me.merchantIds === null ? 'all' : `${String(me.merchantIds.length)} of them`],
                  ]}
                />
              </Section>
              <SecondFactor me={mine} look={look} />
            </div>
            <Passkeys passkeys={mine.passkeys} look={look} />
            <Tokens tokens={mine.apiTokens} look={look} />
            <MySessions sessions={mine.sessions} look={look} />
          </div>
        )}
      </Answer>
    </Page>
  );
}
