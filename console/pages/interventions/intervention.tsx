import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { usePolled } from '../../client/polled';
import {
  type InterventionOfQuery,
  InterventionOfDocument,
  type InterventionRowFragment,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Code } from '../../parts/copy';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import { Findings } from './findings';

type Attempt = NonNullable<InterventionOfQuery['withdrawal']>['payoutAttempts'][number];

function Order({ of }: { of: InterventionRowFragment }): ReactNode {
  return (
    <Section title="Why a person is needed">
      <p className="note warn">
        {of.needsManualIntervention
          ? (of.manualReason ?? 'No reason was recorded.')
          : 'The outcome is known: nothing more to do.'}
      </p>
      <Facts
        brief
        of={[
          ['Amount', <Money amount={of.amount} currency={of.currencyCode} />],
          ['Order', <Status value={of.status} />],
          ['Why it ended', of.endReason],
          ['To', of.beneficiaryName],
          ['Account', <Code text={of.beneficiaryAccount} what="account" />],
          ['Bank', of.beneficiaryBankName],
          ['Merchant', <Link to={`/merchants/${of.merchant.id}`}>{of.merchant.name}</Link>],
        ]}
      />
    </Section>
  );
}

function Try({ of }: { of: Attempt }): ReactNode {
  return (
    <li>
      <p>
        {of.number}. {of.channelName ?? 'By hand'} <Status value={of.status} />
      </p>
      <Facts
        brief
        of={[
          ['Reference', <Code text={of.reference} what="reference" />],
          ["Channel's number", of.channelOrderNo && <Code text={of.channelOrderNo} what="channel's number" />],
          ['Bank reference', of.bankReference],
          ['Sent', of.sentAt && <Time at={of.sentAt} distance={of.finishedAt === null} />],
          ['Last answer', of.answeredAt && <Time at={of.answeredAt} />],
          ['Failure reported', of.failureReportedAt && <Time at={of.failureReportedAt} />],
          ['Last error', of.lastError && <span className="wrap">{of.lastError}</span>],
          ['Ended', of.finishedAt && <Time at={of.finishedAt} />],
        ]}
      />
    </li>
  );
}

/** One payout beside the list: the reason, its attempts and the findings. */
export function Intervention({
  of,
  revision,
  mayPropose,
  onPropose,
}: {
  of: InterventionRowFragment;
  /** Reloads when this number changes. */
  revision: number;
  mayPropose: boolean;
  onPropose: () => void;
}): ReactNode {
  const { id, orderNo } = of;
  const [asked, ask] = useQuery({ query: InterventionOfDocument, variables: { id, orderNo } });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const latest = useRef(look);
  useEffect(() => {
    latest.current = look;
  });
  useEffect(() => {
    if (revision > 0) latest.current();
  }, [revision]);
  return (
    <aside className="beside" aria-label={`Intervention for ${orderNo}`}>
      <p>
        <Link to={`/withdrawals/${orderNo}`}>Open {orderNo}</Link>
      </p>
      <Order of={of} />
      <Answer asked={asked} retry={look}>
        {({ withdrawal, changeRequests: { nodes } }) => (
          <>
            <Section title="Payout attempts">
              <ul className="outcomes" aria-label="Payout attempts">
                {withdrawal?.payoutAttempts.map((one) => (
                  <Try key={one.id} of={one} />
                ))}
              </ul>
            </Section>
            {/* After the evidence, of which the attempts are a part. */}
            <Findings
              order={of}
              of={nodes}
              onDone={look}
              actions={
                mayPropose &&
                !nodes.some(({ status }) => status === 'PROPOSED') && (
                  <Button onClick={onPropose}>Record the outcome</Button>
                )
              }
            />
          </>
        )}
      </Answer>
    </aside>
  );
}
