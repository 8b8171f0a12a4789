import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  EventDeliveriesDocument,
  type EventDeliveryRowFragment,
  ResendEventDeliveryDocument,
} from '../../generated/operations';
import { Dialog } from '../../parts/dialog';
import { ChoiceFilter, Filters, listOf, someOf } from '../../parts/filters';
import { List, useList } from '../../parts/list';
import { Section } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { choicesOf } from '../payers/words';
import { DELIVERY_WORDS, EVENT_WORDS } from './words';

type Delivery = EventDeliveryRowFragment;
type Attempt = Delivery['attempts'][number];

const COLUMNS: readonly Column<Delivery>[] = [
  {
    key: 'event',
    title: 'Event',
    cell: ({ event, about }) => (
      <span className="wrap">
        {EVENT_WORDS[event]}
        {about !== null && <span className="dim"> {about}</span>}
      </span>
    ),
  },
  {
    key: 'target',
    title: 'To',
    cell: ({ target }) => <span className="mono wrap">{target}</span>,
  },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status }) => <Status value={status} words={DELIVERY_WORDS[status]} />,
  },
  { key: 'attempts', title: 'Attempts', numeric: true, cell: ({ totalAttempts }) => totalAttempts },
  {
    key: 'next',
    title: 'Next attempt',
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt === null ? <span className="dim">–</span> : <Time at={nextAttemptAt} />,
  },
  { key: 'createdAt', title: 'Happened', cell: ({ createdAt }) => <Time at={createdAt} /> },
];

const ATTEMPTS: readonly Column<Attempt>[] = [
  {
    key: 'attempt',
    title: 'Attempt',
    cell: ({ generation, attempt }) =>
      generation === 1 ? attempt : `${String(attempt)}, resend ${String(generation - 1)}`,
  },
  { key: 'startedAt', title: 'At', cell: ({ startedAt }) => <Time at={startedAt} /> },
  {
    key: 'outcome',
    title: 'Outcome',
    cell: ({ endedAt, responseStatus, error }) => (
      <span className="wrap">
        {endedAt === null
          ? 'Under way, or interrupted'
          : (error ?? (responseStatus === null ? 'Taken' : `HTTP ${String(responseStatus)}`))}
      </span>
    ),
  },
];

/** All attempts at a delivery. */
function Attempts({ delivery, onClose }: { delivery: Delivery; onClose: () => void }): ReactNode {
  const { attempts, target, workflow } = delivery;
  return (
    <Dialog title={`Attempts to reach ${target}`} onClose={onClose}>
      {attempts.length === 0 ? (
        <p className="dim">No attempts yet.</p>
      ) : (
        <Rows
          label="Attempts"
          columns={ATTEMPTS}
          rows={attempts}
          keyOf={({ generation, attempt }) => `${String(generation)}.${String(attempt)}`}
        />
      )}
      {workflow.url !== null && (
        <p>
          <a href={workflow.url} target="_blank" rel="noreferrer">
            Workflow in Temporal
          </a>
        </p>
      )}
    </Dialog>
  );
}

function Resend({
  delivery: { id, target },
  onDone,
  onClose,
}: {
  delivery: Delivery;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const resend = useAction(ResendEventDeliveryDocument, 'Resend started.');
  return (
    <ReasonDialog
      title="Deliver again"
      act="Resend"
      busy={resend.busy}
      failure={resend.failure}
      onAct={async (reason) => {
        if (!(await resend.run({ id, reason }))) return;
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      The event goes to {target} again, with all its attempts.
    </ReasonDialog>
  );
}

/** Deliveries of events, each to one address. */
export function Deliveries(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const variables = {
    ...pageOf(url),
    filter: {
      status: someOf(listOf(url, 'status'), ['WAITING_RETRY', 'SENDING', 'SUCCESS', 'FAILED']),
      event: someOf(listOf(url, 'event'), [
        ...(['billing_statement_issued', 'alert_raised', 'tenant_owner_invite'] as const),
        ...(['agent_invite'] as const),
      ]),
    },
  };
  const rows = useList(EventDeliveriesDocument, variables, ({ eventDeliveries }) => eventDeliveries);
  usePolled(rows.look);
  const [shown, setShown] = useState<Delivery | null>(null);
  const [resending, setResending] = useState<Delivery | null>(null);
  return (
    <Section title="Deliveries">
      <Filters names={['status', 'event']}>
        <ChoiceFilter name="status" label="Status" choices={choicesOf(DELIVERY_WORDS)} />
        <ChoiceFilter name="event" label="Event" choices={choicesOf(EVENT_WORDS)} />
      </Filters>
      <List
        list={rows}
        label="Deliveries"
        columns={COLUMNS}
        empty={
          <Empty icon="send" title="No deliveries">
            {Object.values(variables.filter).some(Boolean)
              ? 'Nothing matches these filters.'
              : 'No event has had an address yet.'}
          </Empty>
        }
        actions={(row) => (
          <>
            <Button
              variant="subtle"
              aria-label={`Attempts to reach ${row.target}`}
              onClick={() => {
                setShown(row);
              }}
            >
              Attempts
            </Button>
            {may(me, 'SUPPORT') && (row.status === 'FAILED' || row.status === 'SUCCESS') && (
              <Button
                variant="subtle"
                aria-label={`Resend to ${row.target}`}
                onClick={() => {
                  setResending(row);
                }}
              >
                Resend
              </Button>
            )}
          </>
        )}
      />
      {shown && (
        <Attempts
          delivery={shown}
          onClose={() => {
            setShown(null);
          }}
        />
      )}
      {resending && (
        <Resend
          delivery={resending}
          onDone={() => {
            rows.held.adopt();
            rows.look();
          }}
          onClose={() => {
            setResending(null);
          }}
        />
      )}
    </Section>
  );
}
