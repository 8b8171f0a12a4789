import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSubscription } from 'urql';
import { ALERT_KINDS } from '../../../domain/alert';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { type Me, useSession } from '../../client/session';
import { inWords } from '../../format/words';
import {
  AcknowledgeAlertDocument,
  type AlertFilter,
  type AlertRowFragment,
  AlertsChangedDocument,
  AlertsDocument,
} from '../../generated/operations';
import { ChoiceFilter, Filters, listOf, someOf, TimeFilter, WordsFilter } from '../../parts/filters';
import { List, useList } from '../../parts/list';
import { Page } from '../../parts/page';
import { isFirstPage, pageOf } from '../../parts/paging';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { About, reasonOf } from './about';
import { AlertMails } from './mails';

const COLUMNS: readonly Column<AlertRowFragment>[] = [
  { key: 'kind', title: 'Alert', cell: ({ kind }) => inWords(kind) },
  {
    key: 'status',
    title: 'Status',
    cell: ({ acknowledgedAt }) =>
      acknowledgedAt === null ? <Status value="OPEN" tone="bad" /> : <Status value="ACKNOWLEDGED" tone="off" />,
  },
  { key: 'about', title: 'About', cell: (alert) => <About alert={alert} /> },
  {
    key: 'reason',
    title: 'Why',
    cell: (alert) => {
      const reason = reasonOf(alert);
      return reason === null ? (
        <span className="dim">–</span>
      ) : (
        <span className="clip wide" title={reason}>
          {reason}
        </span>
      );
    },
  },
  { key: 'raisedAt', title: 'Raised', cell: ({ raisedAt }) => <Time at={raisedAt} /> },
  {
    key: 'acknowledged',
    title: 'Acknowledged',
    cell: ({ acknowledgedAt, acknowledgedBy }) =>
      acknowledgedAt === null ? (
        <span className="dim">–</span>
      ) : (
        <>
          {acknowledgedBy?.login} · <Time at={acknowledgedAt} />
        </>
      ),
  },
];

function Acknowledge({
  alert,
  onDone,
  onClose,
}: {
  alert: AlertRowFragment;
  onDone: (alert: AlertRowFragment) => void;
  onClose: () => void;
}): ReactNode {
  const acknowledge = useAction(AcknowledgeAlertDocument, 'Alert acknowledged.');
  return (
    <ReasonDialog
      title={`Acknowledge: ${inWords(alert.kind)}`}
      act="Acknowledge"
      busy={acknowledge.busy}
      failure={acknowledge.failure}
      onAct={async (reason) => {
        const done = await acknowledge.run({ id: alert.id, reason });
        if (!done) return;
        onDone(done.acknowledgeAlert);
        onClose();
      }}
      onClose={onClose}
    >
      Tells the other operators that you have seen the alert. It changes nothing else.
    </ReasonDialog>
  );
}

const mayAcknowledge = (me: Me): boolean =>
  (['SUPPORT', 'RECONCILE', 'CONFIGURE', 'ADMIN'] as const).some((one) => may(me, one));

/** Whether a changed alert belongs to the list. */
const fits = (alert: AlertRowFragment, { open, kind }: AlertFilter): boolean =>
  (open == null || open === (alert.acknowledgedAt === null)) && (kind == null || kind.includes(alert.kind));

/** The alerts, live. */
export function AlertsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [chosen, setChosen] = useState<AlertRowFragment | null>(null);
  const which = url.get('status') ?? 'open';
  const [from, to] = [url.get('from'), url.get('to')];
  const filter: AlertFilter = {
    open: which === 'all' ? null : which === 'open',
    kind: someOf(listOf(url, 'kind'), ALERT_KINDS),
    raisedAt: from === null && to === null ? null : { from, to },
  };
  const list = useList(
    AlertsDocument,
    { ...pageOf(url), filter, sort: 'RAISED_AT_DESC' as const },
    ({ alerts }) => alerts,
  );
  const afterSeq = list.asked.data?.lastAlertSeq ?? null;
  useSubscription({ query: AlertsChangedDocument, variables: { afterSeq }, pause: afterSeq === null }, (_, event) => {
    const { seq: _seq, ...alert } = event.alertsChanged;
    list.held.note(alert, isFirstPage(url) && fits(alert, filter));
    return event;
  });
  return (
    <Page title="Alerts" actions={<AlertMails />}>
      <Filters names={['status', 'kind', 'from', 'to']}>
        <ChoiceFilter
          name="status"
          label="Status"
          placeholder="Open"
          choices={[
            { value: 'done', label: 'Acknowledged' },
            { value: 'all', label: 'All' },
          ]}
        />
        <WordsFilter name="kind" label="Kind" words={ALERT_KINDS} />
        <TimeFilter name="from" label="Raised from" />
        <TimeFilter name="to" label="Raised before" />
      </Filters>
      <List
        list={list}
        label="Alerts"
        columns={COLUMNS}
        empty={
          <Empty icon="bell" title={which === 'open' ? 'No open alerts' : 'No alerts'}>
            New alerts appear here as they are raised.
          </Empty>
        }
        actions={(alert) =>
          mayAcknowledge(me) &&
          alert.acknowledgedAt === null && (
            <Button
              variant="subtle"
              aria-label={`Acknowledge ${inWords(alert.kind)}`}
              onClick={() => {
                setChosen(alert);
              }}
            >
              Acknowledge
            </Button>
          )
        }
      />
      {chosen && (
        <Acknowledge
          alert={chosen}
          onDone={(alert) => {
            list.held.note(alert, false);
          }}
          onClose={() => {
            setChosen(null);
          }}
        />
      )}
    </Page>
  );
}
