import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { usePolled } from '../../client/polled';
import { inWords } from '../../format/words';
import { EndSessionDocument, OperatorPageDocument, type OperatorPageQuery } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { Facts, Page, Section } from '../../parts/page';
import { Empty, FailureLine } from '../../parts/states';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import { Sessions } from '../security/sessions';
import { TokenRows } from '../security/tokens';
import { useMerchantCodes } from './access';
import { ChangeAccess, ChangeDisabled, SendReset } from './dialogs';

type Operator = NonNullable<OperatorPageQuery['operator']>;
type Change = OperatorPageQuery['changeRequests']['nodes'][number];

function Limits({ approveLimits, permissions }: Operator): ReactNode {
  if (!permissions.includes('APPROVE')) return 'nothing';
  if (approveLimits === null) return 'any amount';
  return approveLimits.map(({ currencyCode, amount }) => (
    <span key={currencyCode} className="limit">
      up to <Money amount={amount} currency={currencyCode} />
    </span>
  ));
}

function Access({ operator }: { operator: Operator }): ReactNode {
  const codeOf = useMerchantCodes();
  return (
    <Facts
      of={[
        ['Roles', operator.roles.map(inWords).join(', ') || null],
        ['May', operator.permissions.map(inWords).join(', ') || null],
        ['Approves', <Limits {...operator} />],
        ...(operator.decidesFrom === null
          ? []
          : [['Decides from', <Time at={operator.decidesFrom} distance />] as const]),
        ['Merchants', operator.merchantIds?.map(codeOf).join(', ') ?? 'all'],
      ]}
    />
  );
}

function OpenSessions({ operator, look }: { operator: Operator; look: () => void }): ReactNode {
  const end = useAction(EndSessionDocument, 'Session ended.');
  return (
    <Section title="Sessions" flush>
      <FailureLine failure={end.failure} />
      {operator.sessions.length === 0 ? (
        <Empty icon="user" title="Not logged in" />
      ) : (
        <Sessions
          sessions={operator.sessions}
          action={({ id, address }) => (
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
          )}
        />
      )}
    </Section>
  );
}

function Changes({ changes }: { changes: readonly Change[] }): ReactNode {
  return (
    <Section title="Changes">
      {changes.length === 0 && <p className="dim">No changes yet.</p>}
      <ul className="plain-list">
        {changes.map(({ id, summary, status, proposedBy, proposedAt }) => (
          <li key={id}>
            <Link to={`/changes/${id}`}>{summary}</Link> <Status value={status} />{' '}
            <span className="dim">
              {proposedBy.login} · <Time at={proposedAt} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const DIALOGS = { access: ChangeAccess, disabled: ChangeDisabled, reset: SendReset } as const;

function OperatorView({
  operator,
  changes,
  look,
}: {
  operator: Operator;
  changes: readonly Change[];
  look: () => void;
}): ReactNode {
  const [dialog, setDialog] = useState<keyof typeof DIALOGS | null>(null);
  const disabled = operator.disabledAt !== null;
  const Chosen = dialog && DIALOGS[dialog];
  const button = (which: keyof typeof DIALOGS, words: string): ReactNode => (
    <Button
      variant="default"
      onClick={() => {
        setDialog(which);
      }}
    >
      {words}
    </Button>
  );
  return (
    <Page
      title={operator.login}
      back={{ to: '/operators', words: 'Operators' }}
      lead={<Status value={disabled ? 'DISABLED' : 'ACTIVE'} />}
      actions={
        <Group gap="xs">
          {!disabled && operator.email !== null && button('reset', 'Email a password link')}
          {button('disabled', disabled ? 'Enable' : 'Disable')}
        </Group>
      }
    >
      <div className="stack">
        <div className="halves">
          <Section title="Account">
            <Facts
              of={[
                ['E-mail', operator.email],
                ['Since', <Time at={operator.createdAt} />],
                ['Disabled', operator.disabledAt && <Time at={operator.disabledAt} />],
                [
                  'Authenticator app',
                  operator.totp ? (
                    <Status
                      value="ENABLED"
                      words={`Set up, ${String(operator.recoveryCodesLeft)} recovery codes left`}
                    />
                  ) : (
                    <Status value="MISSING" tone="wait" words="Not set up" />
                  ),
                ],
                ['Passkeys', operator.passkeys.map(({ label }) => label).join(', ') || 'none'],
              ]}
            />
          </Section>
          <Section title="Access" actions={button('access', 'Change')}>
            <Access operator={operator} />
          </Section>
        </div>
        <OpenSessions operator={operator} look={look} />
        {operator.apiTokens.length > 0 && (
          <Section title="API tokens" flush>
            <TokenRows tokens={operator.apiTokens} look={look} />
          </Section>
        )}
        <Changes changes={changes} />
      </div>
      {Chosen && (
        <Chosen
          operator={operator}
          onDone={look}
          onClose={() => {
            setDialog(null);
          }}
        />
      )}
    </Page>
  );
}

/** One operator: access, sessions, tokens and changes. */
export function OperatorPage(): ReactNode {
  const { id = '' } = useParams();
  const [asked, ask] = useQuery({ query: OperatorPageDocument, variables: { id, subject: id } });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  return (
    <Answer asked={asked} retry={look}>
      {({ operator, changeRequests }) =>
        operator ? (
          <OperatorView operator={operator} changes={changeRequests.nodes} look={look} />
        ) : (
          <Page title="Operator" back={{ to: '/operators', words: 'Operators' }}>
            <Empty icon="search" title="No such operator">
              The link may be out of date.
            </Empty>
          </Page>
        )
      }
    </Answer>
  );
}
