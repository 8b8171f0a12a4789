import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { useAction, useIdempotencyKey } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { isZero } from '../../format/money';
import { inWords } from '../../format/words';
import {
  BookChoicesDocument,
  OperatorPostingDocument,
  type OperatorPostingQuery,
  ReversePostingDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { Facts, Page, Section } from '../../parts/page';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';

type Posting = NonNullable<OperatorPostingQuery['operatorPosting']>;

const BACK = { to: '/postings', words: 'Postings' };

function Reverse({
  posting: { id, amount, currencyCode, merchantId },
  onDone,
  onClose,
}: {
  posting: Posting;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const reverse = useAction(ReversePostingDocument);
  const idempotencyKey = useIdempotencyKey();
  return (
    <ProposeDialog
      title="Reverse this posting"
      danger
      needsEvidence
      usual={{ kind: 'reverse-posting', usual: ['posted by mistake', 'its owner came'] }}
      busy={reverse.busy}
      failure={reverse.failure}
      onPropose={async ({ reason, evidence }) => {
        if (!evidence) return;
        const done = await reverse.run({ id, reason, evidence, idempotencyKey });
        if (!done) return;
        if (done.reversePosting.change) notifyProposed(done.reversePosting.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p className="note warn">
        <span>
          <Money amount={amount} currency={currencyCode} /> are reversed, and what the bank reported waits again.{' '}
          {merchantId !== null && 'The merchant owes what its balance does not cover.'}
        </span>
      </p>
    </ProposeDialog>
  );
}

/** The order, by the first letter of its number. */
const orderLink = (orderNo: string): ReactNode => (
  <Link to={`/${orderNo.startsWith('W') ? 'withdrawals' : 'deposits'}/${orderNo}`}>{orderNo}</Link>
);

function About({ posting }: { posting: Posting }): ReactNode {
  const [{ data: books }] = useQuery({ query: BookChoicesDocument });
  const { accountId, channelId, merchantId, bankTransferId, bankDebitId, pairId } = posting;
  const named = (rows: readonly { id: string; name: string }[] | undefined, id: string): string =>
    rows?.find((row) => row.id === id)?.name ?? id.slice(-6);
  return (
    <Section title="About">
      <Facts
        brief
        of={[
          ['Order', posting.orderNo && orderLink(posting.orderNo)],
          ['Merchant', merchantId && <Link to={`/merchants/${merchantId}`}>Open the merchant</Link>],
          [
            'Account',
            accountId && <Link to={`/accounts?open=${accountId}`}>{named(books?.bankAccounts.nodes, accountId)}</Link>,
          ],
          [
            'Channel',
            channelId && <Link to={`/channels/${channelId}`}>{named(books?.channels.nodes, channelId)}</Link>,
          ],
          ['Bank credit', bankTransferId && <Link to={`/unmatched?open=${bankTransferId}`}>Open it</Link>],
          ['Bank debit', bankDebitId && <Link to="/debits?show=all">Debits</Link>],
          ['What had left', pairId && <Link to={`/postings/${pairId}`}>Open it</Link>],
        ]}
      />
    </Section>
  );
}

function PostingView({ posting, look }: { posting: Posting; look: () => void }): ReactNode {
  const { me } = useSession();
  const [reversing, setReversing] = useState(false);
  const { kind, amount, currencyCode, fee, change, reversedAt, reversalOwed } = posting;
  const allowed = may(me, 'RECONCILE') || may(me, 'TREASURER');
  return (
    <Page
      title={inWords(kind)}
      back={BACK}
      lead={
        reversedAt === null ? (
          <Status value="POSTED" words="Holds" tone="good" />
        ) : (
          <Status value="REVERSED" words="Taken back" />
        )
      }
      actions={
        reversedAt === null &&
        allowed && (
          <Button
            variant="default"
            onClick={() => {
              setReversing(true);
            }}
          >
            Take back
          </Button>
        )
      }
    >
      <p className="hero">
        <Money amount={amount} currency={currencyCode} />
      </p>
      <div className="stack">
        <Section title="Posting" actions={change && <Link to={`/changes/${change.id}`}>Change request</Link>}>
          <Facts
            brief
            of={[
              ['Why', <span className="wrap">{posting.reason}</span>],
              ['Posted', <Time at={posting.at} />],
              ['Decided by', posting.postedByInfo.label],
              ['Fee', isZero(fee) ? null : <Money amount={fee} currency={currencyCode} />],
              ['Taken back', reversedAt && <Time at={reversedAt} />],
              [
                'The merchant owes of it',
                isZero(reversalOwed) ? null : <Money amount={reversalOwed} currency={currencyCode} />,
              ],
            ]}
          />
        </Section>
        <About posting={posting} />
      </div>
      {reversing && (
        <Reverse
          posting={posting}
          onDone={look}
          onClose={() => {
            setReversing(false);
          }}
        />
      )}
    </Page>
  );
}

/** One posting of operators, and its reversal. */
export function PostingPage(): ReactNode {
  const { id = '' } = useParams();
  const [asked, ask] = useQuery({ query: OperatorPostingDocument, variables: { id } });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  return (
    <Answer asked={asked} retry={look}>
      {({ operatorPosting }) =>
        operatorPosting ? (
          <PostingView posting={operatorPosting} look={look} />
        ) : (
          <Page title="Posting" back={BACK}>
            <Empty icon="search" title="No such posting">
              It does not exist, or you have no access to its merchant.
            </Empty>
          </Page>
        )
      }
    </Answer>
  );
}
