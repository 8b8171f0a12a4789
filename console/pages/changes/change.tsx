import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import { ChangeRequestDocument, type ChangeRequestQuery } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Diff } from '../../parts/diff';
import { Money } from '../../parts/money';
import { Facts, Page, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import { Decide, DECISIONS, type Deciding } from './decide';

type Change = NonNullable<ChangeRequestQuery['changeRequest']>;

/** The page of the change's subject. */
function subjectLink({ kind, id, name }: Change['subject']): string | null {
  switch (kind) {
    case 'MERCHANT':
      return `/merchants/${id}`;
    case 'BANK_ACCOUNT':
      return `/accounts?open=${id}`;
    case 'OPERATOR':
      return `/operators/${id}`;
    case 'ROLE':
      return `/roles?open=${id}`;
    case 'DEPOSIT':
      return `/deposits/${name}`;
    case 'WITHDRAWAL':
      return `/withdrawals/${name}`;
    case 'SETTLEMENT_ACCOUNT':
      return '/settlements?tab=accounts';
    case 'BANK_DIRECTORY':
      return `/banks?currency=${id}`;
    case 'REVIEW_RULES':
      return `/review?open=${id}`;
    case 'BANK_TRANSFER':
      return `/unmatched?open=${id}`;
    case 'BANK_DEBIT':
      return '/debits?show=all';
    case 'CHANNEL':
      return `/channels/${id}`;
    case 'POSTING':
      return `/postings/${id}`;
    case 'PAYER_RETURN':
      return `/returns/${id}`;
    default:
      return null;
  }
}

function Standing({ change, deciding }: { change: Change; deciding: ReactNode }): ReactNode {
  const { refusal, status, decidedBy, decidedAt, decisionReason, alone } = change;
  if (status === 'PROPOSED')
    return (
      <Section title="Decision" actions={deciding}>
        {refusal === null ? (
          <p>You may approve or reject it.</p>
        ) : (
          <p className="note warn">You may not approve it: {refusal}.</p>
        )}
        <p className="dim">
          Any other operator with the permission to approve may decide until <Time at={change.expiresAt} distance />.
        </p>
      </Section>
    );
  return (
    <Section title="Decision">
      <Facts
        of={[
          ['Outcome', <Status value={status} />],
          ['By', decidedBy?.login ?? null],
          ['At', decidedAt && <Time at={decidedAt} />],
          ['Reason', decisionReason && <span className="wrap">{decisionReason}</span>],
          [
            'Without a second person',
            alone === null ? null : alone === 'CLOSING' ? 'Yes: it only restricts' : 'Yes: sandbox',
          ],
        ]}
      />
    </Section>
  );
}

function ChangeView({ change }: { change: Change }): ReactNode {
  const { me } = useSession();
  const [how, setHow] = useState<Deciding | null>(null);
  const { subject, evidence, money } = change;
  const mine = change.proposedBy.id === me.id;
  const to = subjectLink(subject);
  const button = (which: Deciding, variant: 'filled' | 'default'): ReactNode => (
    <Button
      key={which}
      variant={variant}
      onClick={() => {
        setHow(which);
      }}
    >
      {DECISIONS[which].title}
    </Button>
  );
  const deciding = (
    <>
      {mine && button('withdraw', 'default')}
      {!mine && may(me, 'APPROVE') && button('reject', 'default')}
      {change.refusal === null && button('approve', 'filled')}
    </>
  );
  return (
    <Page
      title={change.summary}
      back={{ to: '/changes', words: 'Change requests' }}
      lead={<Status value={change.status} />}
    >
      <div className="split">
        <div className="stack">
          <Section title="Before and after" flush>
            <Diff before={change.before} after={change.after} />
          </Section>
          <Section title="Why">
            <p className="wrap">{change.reason}</p>
            {(evidence.text !== null || evidence.links.length > 0) && (
              <div className="evidence">
                <h3>Evidence</h3>
                {evidence.text !== null && <p className="wrap">{evidence.text}</p>}
                <ul>
                  {evidence.links.map((link) => (
                    <li key={link}>
                      <a href={link} target="_blank" rel="noreferrer" className="wrap">
                        {link}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            )}
          </Section>
        </div>
        <div className="beside">
          <Standing change={change} deciding={deciding} />
          <Section title="Proposal">
            <Facts
              of={[
                ['Kind', inWords(change.kind)],
                ['About', to === null ? subject.name : <Link to={to}>{subject.name}</Link>],
                ['Money', money && <Money amount={money.amount} currency={money.currencyCode} signed />],
                ['Proposed by', mine ? `${change.proposedBy.login} (you)` : change.proposedBy.login],
                ['Proposed', <Time at={change.proposedAt} />],
                ['Expires', <Time at={change.expiresAt} />],
              ]}
            />
          </Section>
        </div>
      </div>
      {how && (
        <Decide
          change={change}
          how={how}
          onClose={() => {
            setHow(null);
          }}
        />
      )}
    </Page>
  );
}

/** One change request: its fields, reason and decision. */
export function ChangePage(): ReactNode {
  const { id = '' } = useParams();
  const [asked, ask] = useQuery({ query: ChangeRequestDocument, variables: { id } });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  return (
    <Answer asked={asked} retry={look}>
      {({ changeRequest }) =>
        changeRequest ? (
          <ChangeView change={changeRequest} />
        ) : (
          <Page title="Change request" back={{ to: '/changes', words: 'Change requests' }}>
            <Empty icon="search" title="No such change request">
              It does not exist, or you have no access to its merchants.
            </Empty>
          </Page>
        )
      }
    </Answer>
  );
}
