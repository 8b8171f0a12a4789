import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import {
  CashierSessionDocument,
  type CashierSessionQuery,
  RevokeCashierSessionDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Code } from '../../parts/copy';
import { Icon } from '../../parts/icons';
import { Money } from '../../parts/money';
import { Facts, Page, Section } from '../../parts/page';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Time } from '../../parts/time';
import { SessionStatus } from './sessions';

type Session = NonNullable<CashierSessionQuery['cashierSession']>;

const BACK = { to: '/cashier', words: 'Cashier sessions' };

function Revoke({ id, onClose }: { id: string; onClose: () => void }): ReactNode {
  const revoke = useAction(RevokeCashierSessionDocument, 'Session ended.');
  return (
    <ReasonDialog
      title="End this session"
      act="End the session"
      danger
      busy={revoke.busy}
      failure={revoke.failure}
      onAct={async (reason) => {
        if (await revoke.run({ id, reason })) onClose();
      }}
      onClose={onClose}
    >
      Its links stop working and it can no longer create an order. The payer needs a new session.
    </ReasonDialog>
  );
}

function Happened({ session }: { session: Session }): ReactNode {
  return (
    <Section title="Timeline">
      <Facts
        of={session.timeline.map(({ id, type, actor, at }) => [
          inWords(type),
          <span key={id}>
            <Time at={at} /> <span className="dim">by {actor.split(':')[0]}</span>
          </span>,
        ])}
      />
      {session.workflow.waitsFor !== null && <p className="dim">Waiting for {session.workflow.waitsFor}</p>}
      {session.workflow.url !== null && (
        <a href={session.workflow.url} target="_blank" rel="noreferrer">
          Workflow <Icon name="external" size={12} />
        </a>
      )}
    </Section>
  );
}

function Particulars({ session }: { session: Session }): ReactNode {
  const { merchant, deposit } = session;
  return (
    <Section title="Session">
      <Facts
        of={[
          ['Merchant', <Link to={`/merchants/${merchant.id}`}>{merchant.merchantCode}</Link>],
          ['Merchant number', <Code text={session.merchantOrderNo} what="merchant number" />],
          [
            'Order',
            deposit && (
              <>
                <Link to={`/deposits/${deposit.orderNo}`}>{deposit.orderNo}</Link>{' '}
                <Money amount={deposit.amount} currency={session.currencyCode} />
              </>
            ),
          ],
          ['Currency', session.currencyCode],
          ['Payer (user_id)', session.userId],
          ['Callback URL', session.callbackUrl],
          ['Created', <Time at={session.createdAt} />],
          ['Expires', <Time at={session.expireAt} distance={session.status === 'PENDING'} />],
          ['Submitted', session.submittedAt && <Time at={session.submittedAt} />],
          ['Ended by an operator', session.revokedAt && <Time at={session.revokedAt} />],
          ['Link version', String(session.version)],
          ['Trace', session.traceId && <Code text={session.traceId} what="trace id" />],
        ]}
      />
    </Section>
  );
}

function Cards({ session: { cards, chosenCard } }: { session: Session }): ReactNode {
  if (cards.length === 0) return null;
  return (
    <Section title="The payer's cards">
      <Facts
        of={cards.map((card, n) => [
          n === chosenCard ? `Card ${String(n + 1)}, chosen` : `Card ${String(n + 1)}`,
          card.map(({ key, value }) => `${key}: ${value}`).join(', '),
        ])}
      />
    </Section>
  );
}

function SessionView({ session }: { session: Session }): ReactNode {
  const { me } = useSession();
  const [revoking, setRevoking] = useState(false);
  return (
    <Page
      title={session.merchantOrderNo}
      back={BACK}
      lead={<SessionStatus session={session} />}
      actions={
        session.status === 'PENDING' &&
        may(me, 'SUPPORT') && (
          <Button
            variant="default"
            onClick={() => {
              setRevoking(true);
            }}
          >
            End session
          </Button>
        )
      }
    >
      <div className="split story-second">
        <Happened session={session} />
        <div className="beside">
          <Particulars session={session} />
          <Cards session={session} />
        </div>
      </div>
      {revoking && (
        <Revoke
          id={session.id}
          onClose={() => {
            setRevoking(false);
          }}
        />
      )}
    </Page>
  );
}

/** One cashier session with its timeline. */
export function CashierSessionPage(): ReactNode {
  const { id = '' } = useParams();
  const [asked, ask] = useQuery({ query: CashierSessionDocument, variables: { id } });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const session = asked.data?.cashierSession;
  return (
    <Answer asked={asked} retry={look}>
      {() =>
        session ? (
          <SessionView key={session.id} session={session} />
        ) : (
          <Page title="Cashier session" back={BACK}>
            <Empty icon="search" title="No such session">
              It does not exist, or you have no access to it.
            </Empty>
          </Page>
        )
      }
    </Answer>
  );
}
