import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import type { InterventionOfQuery, InterventionRowFragment } from '../../generated/operations';
import { Section } from '../../parts/page';
import { PayoutFacts } from '../../parts/payout';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import { Decide, DECISIONS, type Deciding } from '../changes/decide';

type Finding = InterventionOfQuery['changeRequests']['nodes'][number];

/** The decisions open to this operator: the proposer may withdraw, others may approve or reject. */
function decisionsFor({ status, proposedBy, refusal }: Finding, me: string, approves: boolean) {
  if (status !== 'PROPOSED') return [];
  if (proposedBy.id === me) return ['withdraw'] as const;
  if (!approves) return [];
  return refusal === null ? (['approve', 'reject'] as const) : (['reject'] as const);
}

function One({ order, of, onDone }: { order: InterventionRowFragment; of: Finding; onDone: () => void }): ReactNode {
  const { me } = useSession();
  const [how, setHow] = useState<Deciding | null>(null);
  const { id, status, summary, reason, refusal, proposedBy, proposedAt, decidedBy, evidence } = of;
  const decisions = decisionsFor(of, me.id, may(me, 'APPROVE'));
  return (
    <li>
      <Link to={`/changes/${id}`}>{summary}</Link> <Status value={status} />
      <p className="dim">
        by {proposedBy.id === me.id ? 'you' : proposedBy.login} <Time at={proposedAt} />
        {decidedBy && `, decided by ${decidedBy.login}`}
      </p>
      <p className="wrap">{reason}</p>
      {evidence.text !== null && <p className="wrap">Evidence: {evidence.text}</p>}
      {evidence.links.map((link) => (
        <p key={link}>
          <a href={link} target="_blank" rel="noreferrer" className="wrap">
            {link}
          </a>
        </p>
      ))}
      {status === 'PROPOSED' && refusal !== null && <p className="note warn">You may not approve it: {refusal}.</p>}
      {decisions.length > 0 && (
        <Group gap="xs" mt="xs">
          {decisions.map((which) => (
            <Button
              key={which}
              variant={which === 'approve' ? 'filled' : 'default'}
              onClick={() => {
                setHow(which);
              }}
            >
              {DECISIONS[which].title}
            </Button>
          ))}
        </Group>
      )}
      {how && (
        <Decide
          change={of}
          how={how}
          onClose={() => {
            setHow(null);
            onDone();
          }}
        >
          <PayoutFacts of={order} why={order.manualReason} />
          {of.evidence.text !== null && <p className="wrap">Evidence: {of.evidence.text}</p>}
        </Decide>
      )}
    </li>
  );
}

/** The findings about a payout and their decisions. */
export function Findings({
  order,
  of,
  actions,
  onDone,
}: {
  order: InterventionRowFragment;
  of: readonly Finding[];
  actions: ReactNode;
  /** Called after a decision. */
  onDone: () => void;
}): ReactNode {
  return (
    <Section title="Outcome" actions={actions}>
      {of.length === 0 ? (
        <p className="dim">
          No finding yet. A treasurer records the outcome with evidence, and a second person approves it.
        </p>
      ) : (
        <ul className="outcomes" aria-label="Findings">
          {of.map((finding) => (
            <One key={finding.id} order={order} of={finding} onDone={onDone} />
          ))}
        </ul>
      )}
    </Section>
  );
}
