import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useAction, useIdempotencyKey } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  MatchTransferDocument,
  BankTransferDocument,
  type UnmatchedRowFragment,
  type BankTransferQuery,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Code } from '../../parts/copy';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import { SPEAKS, WHY } from './reasons';

type Transfer = NonNullable<BankTransferQuery['bankTransfer']>;
type Candidate = Transfer['candidates'][number];

function Match({
  transfer,
  orderNo,
  onMatched,
  onClose,
}: {
  transfer: Transfer;
  orderNo: string;
  onMatched: (row: UnmatchedRowFragment) => void;
  onClose: () => void;
}): ReactNode {
  const match = useAction(MatchTransferDocument, ({ matchTransfer: { change } }) =>
    change?.status === 'PROPOSED'
      ? 'Proposed: the rules alone would not match it, so another person approves.'
      : `Matched to ${orderNo}.`,
  );
  const idempotencyKey = useIdempotencyKey();
  return (
    <ReasonDialog
      title={`Match to ${orderNo}`}
      act="Match"
      busy={match.busy}
      failure={match.failure}
      onAct={async (reason) => {
        const done = await match.run({ transferId: transfer.id, orderNo, reason, idempotencyKey });
        if (!done) return;
        onMatched(done.matchTransfer);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        <Money amount={transfer.amount} currency={transfer.currencyCode} /> are credited to this
        order, less its fee. A match cannot be undone.
      </p>
    </ReasonDialog>
  );
}

function CandidateCard({
  candidate: { deposit, reasons, score },
  transfer,
  onMatch,
}: {
  candidate: Candidate;
  transfer: Transfer;
  /** Null if this operator may not match. */
  onMatch: ((orderNo: string) => void) | null;
}): ReactNode {
  const same = deposit.amount === transfer.amount && deposit.currencyCode === transfer.currencyCode;
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
          [
            'To pay',
            <>
              <Money amount={deposit.amount} currency={deposit.currencyCode} />{' '}
              {!same && <span className="differs">differs</span>}
            </>,
          ],
          ['Merchant', deposit.merchant.merchantCode],
          [
            'Remark',
            deposit.expectedRemark && <span className="mono">{deposit.expectedRemark}</span>,
          ],
          ['Created', <Time at={deposit.createdAt} />],
          ['Reasons', reasons.map((reason) => SPEAKS[reason]).join(', ')],
        ]}
      />
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

function Candidates({
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
            <CandidateCard
              key={candidate.deposit.id}
              candidate={candidate}
              transfer={transfer}
              onMatch={allowed ? setChosen : null}
            />
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

function TransferView({
  transfer,
  onMatched,
}: {
  transfer: Transfer;
  onMatched: (row: UnmatchedRowFragment) => void;
}): ReactNode {
  const { amount, currencyCode, unmatchedReason, orderNo } = transfer;
  return (
    <div className="stack">
      <p className="hero">
        <Money amount={amount} currency={currencyCode} />
      </p>
      {unmatchedReason === null && orderNo !== null && (
        <p className="note">
          Matched to <Link to={`/deposits/${orderNo}`}>{orderNo}</Link>.
        </p>
      )}
      <Section title="Bank credit">
        <Facts
          of={[
            ['Why unmatched', unmatchedReason && WHY[unmatchedReason]],
            ['Memo', <span className="mono wrap">{transfer.memo || '–'}</span>],
            [
              'Payer',
              [transfer.payerName, transfer.payerAccount].filter(Boolean).join(' · ') || null,
            ],
            ['Account', transfer.account.name],
            [
              'Bank reference',
              transfer.bankReference && (
                <Code text={transfer.bankReference} what="bank reference" />
              ),
            ],
            ['Booked', <Time at={transfer.bankTime} />],
            ['Reported', <Time at={transfer.receivedAt} />],
            [
              'Balance after',
              transfer.balanceAfter && (
                <Money amount={transfer.balanceAfter} currency={currencyCode} />
              ),
            ],
          ]}
        />
      </Section>
      {unmatchedReason !== null && <Candidates transfer={transfer} onMatched={onMatched} />}
    </div>
  );
}

/** One bank credit with its candidates. */
export function TransferPane({
  id,
  onMatched,
}: {
  id: string;
  onMatched: (row: UnmatchedRowFragment) => void;
}): ReactNode {
  const [asked, ask] = useQuery({ query: BankTransferDocument, variables: { id } });
  return (
    <Answer
      asked={asked}
      retry={() => {
        ask({ requestPolicy: 'network-only' });
      }}
    >
      {({ bankTransfer }) =>
        bankTransfer ? (
          <TransferView key={bankTransfer.id} transfer={bankTransfer} onMatched={onMatched} />
        ) : (
          <Empty icon="search" title="No such bank credit" />
        )
      }
    </Answer>
  );
}
