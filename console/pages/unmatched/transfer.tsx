import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { inWords } from '../../format/words';
import { BankTransferDocument, type UnmatchedRowFragment } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Code } from '../../parts/copy';
import { useKeys } from '../../parts/keys';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { Reveal } from '../../parts/reveal';
import { Said } from '../../parts/said';
import { Empty } from '../../parts/states';
import { Time } from '../../parts/time';
import { Candidates } from './candidates';
import { ENDINGS, type Ending } from './ending-kinds';
import { EndDialog, Endings } from './endings';
import { WHY } from './reasons';
import type { Transfer } from './shown-transfer';
import { Work } from './work';

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
            <Money amount={posting.amount} currency={currencyCode} />{' '}
            <Link to={`/postings/${posting.id}`}>{inWords(posting.kind)}</Link>
            {posting.orderNo !== null && ` for ${posting.orderNo}`}
            {posting.reversedAt !== null && ', taken back'}: {posting.reason}
          </span>
        </p>
      ))}
      {returns.map((back) => (
        <p className="note" key={back.id}>
          <span>
            <Money amount={back.amount} currency={currencyCode} />{' '}
            <Link to={`/returns/${back.id}`}>go back to {back.payeeName}</Link>: {inWords(back.status).toLowerCase()}
          </span>
        </p>
      ))}
      <Section title="Bank credit">
        <Facts
          of={[
            ['Why unmatched', unmatchedReason && WHY[unmatchedReason]],
            ['Payer found', transfer.payerFinding && <span className="wrap">{transfer.payerFinding}</span>],
            ['Still waits', waits && rest !== amount ? <Money amount={rest} currency={currencyCode} /> : null],
            ['Memo', <span className="mono wrap">{transfer.memo || '–'}</span>],
            ['Payer', [transfer.payerName, transfer.payerAccount].filter(Boolean).join(' · ') || null],
            ['Account', transfer.account.name],
            ['Bank reference', transfer.bankReference && <Code text={transfer.bankReference} what="bank reference" />],
            ['Booked', <Time at={transfer.bankTime} />],
            ['Reported', <Time at={transfer.receivedAt} />],
            [
              'Balance after',
              transfer.balanceAfter && <Money amount={transfer.balanceAfter} currency={currencyCode} />,
            ],
          ]}
        />
        <Reveal of="BANK_TRANSFER" id={transfer.id} />
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
