import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { Said } from '../../parts/said';
import { Match } from '../unmatched/match';
import type { Deposit } from './story';

type Credit = Deposit['evidence']['credits'][number];

/** The most credits that are shown with their actions; the sentence counts the others. */
const SHOWN = 3;

function Steps({
  credit: { transfer },
  deposit,
  onMatch,
}: {
  credit: Credit;
  deposit: Deposit;
  onMatch: (credit: Credit['transfer']) => void;
}): ReactNode {
  const { me } = useSession();
  return (
    <span className="evidence-steps">
      {deposit.status === 'PENDING' && may(me, 'RECONCILE') && (
        <Button
          size="compact-sm"
          onClick={() => {
            onMatch(transfer);
          }}
        >
          Match
        </Button>
      )}
      {me.merchantIds === null && <Link to={`/unmatched?open=${transfer.id}`}>Open the bank credit</Link>}
    </span>
  );
}

/** Why the deposit is not credited, in one sentence, and the steps that resolve it. */
export function Evidence({ deposit, look }: { deposit: Deposit; look: () => void }): ReactNode {
  const [matched, setMatched] = useState<Credit['transfer'] | null>(null);
  const { answer, sentence, credits } = deposit.evidence;
  if (answer === 'CREDITED' && credits.length === 0) return null;
  const [first, ...others] = credits;
  return (
    <section className={first ? 'note warn evidence' : 'note evidence'} aria-label="Why">
      <p>
        <Said text={sentence} /> {first && <Steps {...{ credit: first, deposit }} onMatch={setMatched} />}
      </p>
      {others.slice(0, SHOWN - 1).map((credit) => (
        <p key={credit.transfer.id}>
          <Said text={credit.sentence} /> <Steps {...{ credit, deposit }} onMatch={setMatched} />
        </p>
      ))}
      {matched && (
        <Match
          transfer={matched}
          orderNo={deposit.orderNo}
          onMatched={look}
          onClose={() => {
            setMatched(null);
          }}
        />
      )}
    </section>
  );
}
