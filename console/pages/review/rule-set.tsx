import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { ReviewHistoryDocument, type ReviewRowFragment } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Diff } from '../../parts/diff';
import { Pane } from '../../parts/dialog';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';

/** The name of a set in change requests: `all:THB`, or a merchant's id instead of `all`. */
export const subjectOf = ({ merchantId, currencyCode }: ReviewRowFragment): string =>
  `${merchantId ?? 'all'}:${currencyCode}`;

function Rules({ of }: { of: ReviewRowFragment }): ReactNode {
  const amount = (text: string | null): ReactNode =>
    text === null ? null : <Money amount={text} currency={of.currencyCode} />;
  return (
    <Facts
      of={[
        ['Approve automatically up to', amount(of.autoApproveUpTo)],
        ['Allowlisted: automatically up to', amount(of.allowlistedUpTo)],
        ['Two approvals above', amount(of.twoPeopleAbove)],
        ['Merchant, amount per day', amount(of.merchantDayAmount)],
        ['Merchant, orders per day', of.merchantDayOrders],
        ['Beneficiary, amount per day', amount(of.beneficiaryDayAmount)],
        ['Beneficiary, orders per day', of.beneficiaryDayOrders],
        ['New beneficiaries', of.newBeneficiary ? 'Need approval' : 'Need no approval'],
        [
          'Quiet hours',
          of.quietHours &&
            `${of.quietHours.from} to ${of.quietHours.to}, ${of.quietHours.timeZone ?? 'the merchant’s time zone'}`,
        ],
        ['Decided within', `${String(of.decideWithinMinutes)} minutes`],
        ['In force since', <Time at={of.createdAt} />],
      ]}
    />
  );
}

function History({ subjectId }: { subjectId: string }): ReactNode {
  const [asked, ask] = useQuery({ query: ReviewHistoryDocument, variables: { subjectId } });
  return (
    <Answer
      asked={asked}
      retry={() => {
        ask({ requestPolicy: 'network-only' });
      }}
    >
      {({ changeRequests: { nodes } }) => (
        <ul className="outcomes" aria-label="History">
          {nodes.map(({ id, status, reason, before, after, proposedAt, ...by }) => (
            <li key={id}>
              <Link to={`/changes/${id}`}>
                <Time at={proposedAt} />
              </Link>{' '}
              <Status value={status} />
              <p className="dim">
                proposed by {by.proposedBy.login}
                {by.decidedBy && `, decided by ${by.decidedBy.login}`}
              </p>
              <p className="wrap">{reason}</p>
              <details>
                <summary>Changes</summary>
                <Diff before={before} after={after} />
              </details>
            </li>
          ))}
        </ul>
      )}
    </Answer>
  );
}

/** A set of rules with its history. */
export function RuleSetPane({
  rules,
  title,
  onEdit,
  onClose,
}: {
  rules: ReviewRowFragment | undefined;
  title: string;
  /** Absent if this operator may not change rules. */
  onEdit: (() => void) | undefined;
  onClose: () => void;
}): ReactNode {
  return (
    <Pane opened={rules !== undefined} title={title} onClose={onClose}>
      {rules && (
        <div className="stack">
          <Section
            title={`Version ${String(rules.version)}`}
            actions={onEdit && <Button onClick={onEdit}>Propose a new version</Button>}
          >
            <Rules of={rules} />
          </Section>
          <Section title="History">
            <History subjectId={subjectOf(rules)} />
          </Section>
        </div>
      )}
    </Pane>
  );
}
