import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import {
  BankTransferDocument,
  NoteTransferDocument,
  type UnmatchedRowFragment,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Code } from '../../parts/copy';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { useKeys } from '../../parts/keys';
import { Said } from '../../parts/said';
import { Empty, FailureLine } from '../../parts/states';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import { EndDialog, type Ending, Endings, ENDINGS } from './endings';
import { Match } from './match';
import { SPEAKS, WHY } from './reasons';
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
          [
            'Remark',
            deposit.expectedRemark && <span className="mono">{deposit.expectedRemark}</span>,
          ],
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

function Work({ transfer, look }: { transfer: Transfer; look: () => void }): ReactNode {
  const { me } = useSession();
  const { id: transferId, owner, note, dueAt } = transfer;
  const put = useAction(NoteTransferDocument);
  const [text, setText] = useState<string | null>(null);
  const allowed = may(me, 'RECONCILE');
  const mine = owner?.login === me.login;
  const send = async (change: { mine?: boolean; note?: string }): Promise<void> => {
    if (!(await put.run({ transferId, ...change }))) return;
    setText(null);
    look();
  };
  return (
    <Section
      title="Work"
      actions={
        allowed && (
          <Button
            variant="default"
            size="compact-sm"
            loading={put.busy}
            onClick={() => void send({ mine: !mine })}
          >
            {mine ? 'Give back' : 'Take'}
          </Button>
        )
      }
    >
      <Facts
        of={[
          ['Owner', owner?.login ?? null],
          ['Due', dueAt && <Time at={dueAt} distance />],
          ['Note', note && <span className="wrap">{note}</span>],
        ]}
      />
      {allowed && (
        <form
          className="by-hand"
          onSubmit={(event) => {
            event.preventDefault();
            if (text !== null) void send({ note: text });
          }}
        >
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              label="Note"
              maxLength={500}
              value={text ?? note ?? ''}
              onChange={({ currentTarget: { value } }) => {
                setText(value);
              }}
              flex={1}
            />
            <Button type="submit" variant="default" disabled={text === null}>
              Keep
            </Button>
          </Group>
        </form>
      )}
      <FailureLine failure={put.failure} />
    </Section>
  );
}

function TransferView({
  transfer,
  onMatched,
  look,
}: {
  transfer: Transfer;
  onMatched: (row: UnmatchedRowFragment) => void;
  look: () => void;
}): ReactNode {
  const { amount, currencyCode, unmatchedReason, rest, pays, postings, returns } = transfer;
  const [ending, setEnding] = useState<Ending | null>(null);
  const waits = unmatchedReason !== null;
  useKeys(
    Object.fromEntries(
      (Object.keys(ENDINGS) as Ending[]).map((one) => [
        ENDINGS[one].key,
        () => {
          if (waits && ending === null) setEnding(one);
        },
      ]),
    ),
  );
  return (
    <div className="stack">
      <p className="hero">
        <Money amount={amount} currency={currencyCode} />
      </p>
      {transfer.sentence !== null && (
        <p className="note warn">
          <Said text={transfer.sentence} />
        </p>
      )}
      {pays.map((part) => (
        <p className="note" key={part.orderNo}>
          <span>
            <Money amount={part.amount} currency={currencyCode} /> matched to{' '}
            <Link to={`/deposits/${part.orderNo}`}>{part.orderNo}</Link>.
          </span>
        </p>
      ))}
      {postings.map((posting) => (
        <p className="note" key={posting.id}>
          <span>
            <Money amount={posting.amount} currency={currencyCode} /> {inWords(posting.kind)}
            {posting.orderNo !== null && ` for ${posting.orderNo}`}
            {posting.reversedAt !== null && ', taken back'}: {posting.reason}
          </span>
        </p>
      ))}
      {returns.map((back) => (
        <p className="note" key={back.id}>
          <span>
            <Money amount={back.amount} currency={currencyCode} /> go back to {back.payeeName}:{' '}
            {inWords(back.status).toLowerCase()}
          </span>
        </p>
      ))}
      <Section title="Bank credit">
        <Facts
          of={[
            ['Why unmatched', unmatchedReason && WHY[unmatchedReason]],
            [
              'Still waits',
              waits && rest !== amount ? <Money amount={rest} currency={currencyCode} /> : null,
            ],
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
      {waits && <Candidates transfer={transfer} onMatched={onMatched} />}
      {waits && <Endings onChoose={setEnding} />}
      {waits && <Work transfer={transfer} look={look} />}
      {ending !== null && (
        <EndDialog
          ending={ending}
          transfer={transfer}
          onDone={() => {
            onMatched(transfer);
            look();
          }}
          onClose={() => {
            setEnding(null);
          }}
        />
      )}
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
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  return (
    <Answer asked={asked} retry={look}>
      {({ bankTransfer }) =>
        bankTransfer ? (
          <TransferView
            key={bankTransfer.id}
            transfer={bankTransfer}
            onMatched={(row) => {
              onMatched(row);
              look();
            }}
            look={look}
          />
        ) : (
          <Empty icon="search" title="No such bank credit" />
        )
      }
    </Answer>
  );
}
