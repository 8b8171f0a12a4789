import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import type { UnmatchedRowFragment } from '../../generated/operations';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import { Match } from './match';
import { SPEAKS } from './reasons';
import type { Transfer } from './shown-transfer';

type Candidate = Transfer['candidates'][number];

function CandidateCard({
  candidate: { deposit, reasons, score, differences },
  onMatch,
}: {
  candidate: Candidate;
  /** Null if this operator may not match. */
  onMatch: ((orderNo: string) => void) | null;
}): ReactNode {
  return (
    <li className="candidate">
      <div className="candidate-head">
        <Link to={`/deposits/${deposit.orderNo}`} className="mono">
          {deposit.orderNo}
        </Link>
        <Status value={deposit.status} />
        <span className="dim" title="The sum of the reasons below. Only for comparing candidates.">
          {score} points
        </span>
      </div>
      <Facts
        of={[
          ['To pay', <Money amount={deposit.amount} currency={deposit.currencyCode} />],
          ['Merchant', deposit.merchant.merchantCode],
          ['Merchant number', <span className="mono wrap">{deposit.merchantOrderNo}</span>],
          ['Payer announced', deposit.payerName],
          [
            'Payer claims',
            deposit.paymentClaim && (
              <>
                <span className="mono wrap">{deposit.paymentClaim.reference}</span>, unproven
              </>
            ),
          ],
          ['Remark', deposit.expectedRemark && <span className="mono">{deposit.expectedRemark}</span>],
          ['Created', <Time at={deposit.createdAt} />],
        ]}
        brief
      />
      <p className="chips">
        {reasons.map((reason) => (
          <span key={reason} className="chip speaks">
            {SPEAKS[reason]}
          </span>
        ))}
        {differences.map((words) => (
          <span key={words} className="chip differs">
            {words}
          </span>
        ))}
      </p>
      {onMatch && deposit.status === 'PENDING' && (
        <Button
          variant="default"
          aria-label={`Match to ${deposit.orderNo}`}
          onClick={() => {
            onMatch(deposit.orderNo);
          }}
        >
          Match
        </Button>
      )}
    </li>
  );
}

/** The orders that a bank credit may be for, ranked, and a match to one. */
export function Candidates({
  transfer,
  onMatched,
}: {
  transfer: Transfer;
  onMatched: (row: UnmatchedRowFragment) => void;
}): ReactNode {
  const { me } = useSession();
  const [chosen, setChosen] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const allowed = may(me, 'RECONCILE');
  return (
    <Section title="Candidates">
      {transfer.candidates.length === 0 ? (
        <Empty icon="search" title="No candidates">
          No order has a similar remark, amount or payer.
        </Empty>
      ) : (
        <ul className="candidates">
          {transfer.candidates.map((candidate) => (
            <CandidateCard key={candidate.deposit.id} candidate={candidate} onMatch={allowed ? setChosen : null} />
          ))}
        </ul>
      )}
      {allowed && (
        <form
          className="by-hand"
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() !== '') setChosen(typed.trim());
          }}
        >
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              label="Another order"
              placeholder="D2026…"
              value={typed}
              onChange={({ currentTarget: { value } }) => {
                setTyped(value);
              }}
              flex={1}
            />
            <Button type="submit" variant="default" disabled={typed.trim() === ''}>
              Match…
            </Button>
          </Group>
        </form>
      )}
      {chosen !== null && (
        <Match
          transfer={transfer}
          orderNo={chosen}
          onMatched={onMatched}
          onClose={() => {
            setChosen(null);
          }}
        />
      )}
    </Section>
  );
}
