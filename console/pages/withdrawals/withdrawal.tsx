import { Button, Group } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery, useSubscription } from 'urql';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import {
  WithdrawalChangedDocument,
  WithdrawalDocument,
  type WithdrawalQuery,
  type WithdrawalVerdict,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Code, CopyButton } from '../../parts/copy';
import { costFacts } from '../../parts/costs';
import { Money } from '../../parts/money';
import { Routes } from '../routing/route';
import { Facts, Page, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import { Callbacks } from '../deposits/callbacks';
import { lastSeqOf } from '../deposits/story';
import { Timeline } from '../deposits/timeline';
import { DecideDialog } from './decide';
import { Evidence } from './evidence';

type Withdrawal = NonNullable<WithdrawalQuery['withdrawal']>;

/** Events within this time cause one reload, milliseconds. */
const GATHER_MS = 120;

/** The page where people handle the payout; null if it needs nobody. */
function workOn({ orderNo, status, payoutMethod, needsManualIntervention }: Withdrawal) {
  if (needsManualIntervention) return { to: `/interventions?open=${orderNo}`, words: 'Find out the outcome' };
  if (status === 'APPROVED' && payoutMethod === 'MANUAL')
    return { to: `/tasks?open=${orderNo}`, words: 'Pay it by hand' };
  return null;
}

function Payout({ of }: { of: Withdrawal }): ReactNode {
  const { account, payoutMethod } = of;
  const work = workOn(of);
  return (
    <Section title="Payout" actions={work && <Link to={work.to}>{work.words}</Link>}>
      <Facts
        of={[
          ['Paid by', payoutMethod && inWords(payoutMethod)],
          ['Channel', of.channelName],
          ["Channel's number", of.channelOrderNo],
          ['Account', account && `${account.name} · ${account.bankCode} ${account.accountNo}`],
          ['Bank reference', of.bankReference],
          ['Needs a person', of.needsManualIntervention ? of.manualReason : null],
          ['Why it ended', of.endReason],
          ...costFacts(of.costs, of.currencyCode),
        ]}
      />
      {of.payoutAttempts.length > 0 && (
        <ul className="outcomes" aria-label="Payout attempts">
          {of.payoutAttempts.map(({ id, number, status, reference, lastError, createdAt }) => (
            <li key={id}>
              {number}. {inWords(status)} <span className="mono">{reference}</span> <Time at={createdAt} />
              {lastError !== null && <p className="dim wrap">{lastError}</p>}
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Particulars({ of }: { of: Withdrawal }): ReactNode {
  return (
    <Section title="Order">
      <Facts
        of={[
          ['Merchant number', <Code text={of.merchantOrderNo} what="merchant number" />],
          ['Created', <Time at={of.createdAt} />],
          ['Approved', of.approvedAt && <Time at={of.approvedAt} />],
          ['Remarks', of.approvalRemarks],
          ['Dispatched', of.processedAt && <Time at={of.processedAt} />],
          ['Completed', of.completedAt && <Time at={of.completedAt} />],
          ['Ended', of.endedAt && <Time at={of.endedAt} />],
          ['Trace', of.traceId && <Code text={of.traceId} what="trace id" />],
        ]}
      />
    </Section>
  );
}

function WithdrawalView({ of, look }: { of: Withdrawal; look: () => void }): ReactNode {
  const { me } = useSession();
  const [deciding, setDeciding] = useState<WithdrawalVerdict | null>(null);
  const decides = of.status === 'PENDING' && may(me, 'APPROVE');
  const buttons = (
    <>
      <Button
        variant="default"
        onClick={() => {
          setDeciding('REJECT');
        }}
      >
        Reject
      </Button>
      <Button
        disabled={of.refusal !== null}
        onClick={() => {
          setDeciding('APPROVE');
        }}
      >
        Approve
      </Button>
    </>
  );
  return (
    <Page
      title={of.orderNo}
      back={{ to: '/withdrawals', words: 'Withdrawals' }}
      lead={
        <>
          <CopyButton text={of.orderNo} what="order number" />
          <Status value={of.status} />
        </>
      }
      actions={
        decides && (
          <Group gap="xs" visibleFrom="md">
            {buttons}
          </Group>
        )
      }
    >
      <p className="hero">
        <Money amount={of.amount} currency={of.currencyCode} />
      </p>
      <div className={decides ? 'split story-second decides' : 'split story-second'}>
        <Section title="Timeline">
          <Timeline order={{ ...of, bankTransfers: [] }} fresh={NOTHING} />
        </Section>
        <div className="beside">
          <Evidence of={of} />
          {decides && (
            <Group gap="xs" hiddenFrom="md">
              {buttons}
            </Group>
          )}
          <Payout of={of} />
          <Routes routes={of.routes} />
          <Callbacks of={of.callbacks} />
          <Particulars of={of} />
        </div>
      </div>
      {deciding && (
        <DecideDialog
          orders={[of]}
          verdict={deciding}
          onDone={look}
          onClose={() => {
            setDeciding(null);
          }}
        />
      )}
    </Page>
  );
}

const NOTHING: ReadonlySet<string> = new Set();

/** One withdrawal with its live timeline. */
export function WithdrawalPage(): ReactNode {
  const { orderNo = '' } = useParams();
  const [asked, ask] = useQuery({ query: WithdrawalDocument, variables: { orderNo } });
  const withdrawal = asked.data?.withdrawal ?? null;
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  // The subscription starts from this number.
  const [begun, setBegun] = useState<{ orderNo: string; afterSeq: string | null }>();
  if (withdrawal && begun?.orderNo !== orderNo) setBegun({ orderNo, afterSeq: lastSeqOf(withdrawal) });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [],
  );
  useSubscription(
    {
      query: WithdrawalChangedDocument,
      variables: { orderNo, afterSeq: begun?.afterSeq ?? null },
      pause: begun?.orderNo !== orderNo,
    },
    (_, event) => {
      clearTimeout(timer.current);
      timer.current = setTimeout(look, GATHER_MS);
      return event;
    },
  );
  return (
    <Answer asked={asked} retry={look}>
      {(data) =>
        data.withdrawal ? (
          <WithdrawalView key={data.withdrawal.id} of={data.withdrawal} look={look} />
        ) : (
          <Page title="Withdrawal" back={{ to: '/withdrawals', words: 'Withdrawals' }}>
            <Empty icon="search" title="No such withdrawal">
              {orderNo} does not exist, or you have no access to it.
            </Empty>
          </Page>
        )
      }
    </Answer>
  );
}
