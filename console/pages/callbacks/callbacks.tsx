import { Button, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  CallbackEndpointsDocument,
  type CallbackEndpointsQuery,
  ResendFailedCallbacksDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Page } from '../../parts/page';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

type Endpoint = CallbackEndpointsQuery['callbackEndpoints'][number];

/** How far back the page looks, hours. */
const PERIODS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '168', label: 'Last 7 days' },
  { value: '720', label: 'Last 30 days' },
];

/** The share of the callbacks that have ended. */
function successOf({ delivered, failed }: Endpoint): string {
  const ended = delivered + failed;
  return ended === 0 ? '–' : `${((100 * delivered) / ended).toFixed(1)} %`;
}

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    key: 'merchant',
    title: 'Merchant',
    cell: ({ merchant }) => <Link to={`/merchants/${merchant.id}`}>{merchant.merchantCode}</Link>,
  },
  {
    key: 'endpoint',
    title: 'Endpoint',
    cell: ({ endpoint }) => <span className="mono">{endpoint}</span>,
  },
  { key: 'success', title: 'Delivered', cell: successOf },
  { key: 'failed', title: 'Failed', cell: ({ failed }) => String(failed) },
  { key: 'waiting', title: 'Waiting', cell: ({ waiting }) => String(waiting) },
  {
    key: 'oldest',
    title: 'Oldest waiting',
    cell: ({ oldestWaitingAt }) => (oldestWaitingAt ? <Time at={oldestWaitingAt} /> : '–'),
  },
];

/** Resends failed callbacks in several calls, and shows the progress. */
function ResendFailed({
  since,
  of,
  onClose,
}: {
  since: string;
  /** Null: all merchants and endpoints. */
  of: Endpoint | null;
  onClose: () => void;
}): ReactNode {
  const resend = useAction(ResendFailedCallbacksDocument);
  const [resent, setResent] = useState(0);
  return (
    <ReasonDialog
      title="Resend failed callbacks"
      act="Resend"
      busy={resend.busy}
      failure={resend.failure}
      onAct={async (reason) => {
        const asked = {
          since,
          reason,
          merchantId: of?.merchant.id ?? null,
          endpoint: of?.endpoint ?? null,
        };
        for (;;) {
          const done = await resend.run(asked);
          if (!done) return;
          const { resent: armed, more } = done.resendFailedCallbacks;
          setResent((before) => before + armed);
          if (!more) break;
        }
        onClose();
      }}
      onClose={onClose}
    >
      {of
        ? `All that failed to ${of.endpoint} in the period is sent again, with up to five new attempts each.`
        : 'All callbacks that failed in the period are sent again, with up to five new attempts each.'}
      {resent > 0 && ` ${String(resent)} resent so far.`}
    </ReasonDialog>
  );
}

/** Callbacks of all merchants by endpoint. */
export function CallbacksPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const hours = Number(url.get('hours') ?? '24');
  const [openedAt] = useState(() => Date.now());
  const since = new Date(openedAt - hours * 3_600_000).toISOString();
  const [asked, ask] = useQuery({ query: CallbackEndpointsDocument, variables: { since } });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const [resending, setResending] = useState<{ of: Endpoint | null } | null>(null);
  const supports = may(me, 'SUPPORT');
  return (
    <Page
      title="Callbacks"
      actions={
        supports && (
          <Button
            variant="default"
            onClick={() => {
              setResending({ of: null });
            }}
          >
            Resend all failed
          </Button>
        )
      }
    >
      <Select
        label="Period"
        data={PERIODS}
        allowDeselect={false}
        value={String(hours)}
        onChange={(value) => {
          url.set({ hours: value === '24' ? null : value });
        }}
      />
      <Answer asked={asked} retry={look}>
        {({ callbackEndpoints }) =>
          callbackEndpoints.length === 0 ? (
            <Empty icon="send" title="No callbacks">
              There was none in this period.
            </Empty>
          ) : (
            <Rows
              label="Endpoints"
              columns={COLUMNS}
              rows={callbackEndpoints}
              keyOf={({ merchant, endpoint }) => `${merchant.id} ${endpoint}`}
              actions={(row) =>
                supports &&
                row.failed > 0 && (
                  <Button
                    variant="subtle"
                    aria-label={`Resend what failed to ${row.endpoint}`}
                    onClick={() => {
                      setResending({ of: row });
                    }}
                  >
                    Resend failed
                  </Button>
                )
              }
            />
          )
        }
      </Answer>
      {resending && (
        <ResendFailed
          since={since}
          of={resending.of}
          onClose={() => {
            setResending(null);
            look();
          }}
        />
      )}
    </Page>
  );
}
