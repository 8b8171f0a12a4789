import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { decimalsOf, plainMoney } from '../../format/money';
import {
  AccountChoicesDocument,
  PayerReturnDocument,
  type PayerReturnFieldsFragment,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Code, CopyButton } from '../../parts/copy';
import { useKeys } from '../../parts/keys';
import { Money } from '../../parts/money';
import { Facts, Page, Section } from '../../parts/page';
import { Reveal } from '../../parts/reveal';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import { StepDialog } from './dialogs';
import { type ReturnStep, STEP_WORDS, stepsOf } from './steps';

const BACK = { to: '/returns', words: 'Returns to payers' };

/** What it waits for, in one sentence. */
function waitsFor({ status, sender }: PayerReturnFieldsFragment, me: string): string | null {
  if (status === 'OPEN') return 'Approved. A treasurer sends it from a managed account.';
  if (status !== 'SENDING') return null;
  return sender?.login === me
    ? "You are sending it. Enter the bank's reference. If no money was sent, another operator must release it."
    : `${sender?.login ?? 'Another operator'} is sending it. Release it only after checking that no money was sent.`;
}

function Payment({ of }: { of: PayerReturnFieldsFragment }): ReactNode {
  const { amount, currencyCode, payeeName, payeeAccount, payeeBank } = of;
  return (
    <Section title="Payment details">
      <Facts
        brief
        of={[
          [
            'Amount',
            <span className="code-line">
              <strong>
                <Money amount={amount} currency={currencyCode} />
              </strong>
              <CopyButton text={plainMoney(amount, decimalsOf(currencyCode))} what="amount" />
            </span>,
          ],
          ['Name', <Code text={payeeName} what="name" />],
          ['Account', <Code text={payeeAccount} what="account" />],
          ['Bank', payeeBank],
        ]}
      />
      <Reveal of="PAYER_RETURN" id={of.id} />
    </Section>
  );
}

function Standing({ of, steps }: { of: PayerReturnFieldsFragment; steps: ReactNode }): ReactNode {
  const { me } = useSession();
  const [{ data }] = useQuery({ query: AccountChoicesDocument });
  const { accountId, bankTransferId, orderNo } = of;
  const account = data?.bankAccounts.nodes.find(({ id }) => id === accountId)?.name;
  const waits = waitsFor(of, me.login);
  return (
    <Section title="Return">
      {waits !== null && <p className="note">{waits}</p>}
      {steps}
      <Facts
        brief
        of={[
          ['Refund of', orderNo && <Link to={`/deposits/${orderNo}`}>{orderNo}</Link>],
          ['Money of', bankTransferId && <Link to={`/unmatched?open=${bankTransferId}`}>Open the bank credit</Link>],
          ['Why', <span className="wrap">{of.reason}</span>],
          ['Agreed', <Time at={of.createdAt} />],
          ['Sent by', of.sender?.login],
          ['Sending since', of.sendingAt && <Time at={of.sendingAt} />],
          ['Paid from', accountId && (account ?? accountId.slice(-6))],
          ['Bank reference', of.bankReference],
          ['Seen at the bank', of.bankDebitId && 'A debit reports it'],
          ['Ended', of.endedAt && <Time at={of.endedAt} />],
          ['Why it ended', of.endReason],
        ]}
      />
    </Section>
  );
}

function ReturnView({ of, look }: { of: PayerReturnFieldsFragment; look: () => void }): ReactNode {
  const { me } = useSession();
  const [step, setStep] = useState<ReturnStep | null>(null);
  const steps = may(me, 'TREASURER') ? stepsOf(of, me.login) : [];
  useKeys(
    Object.fromEntries(
      steps.map((one) => [
        STEP_WORDS[one].key,
        () => {
          setStep((before) => before ?? one);
        },
      ]),
    ),
  );
  return (
    <Page
      title={`${of.orderNo === null ? 'Return' : 'Refund'} to ${of.payeeName}`}
      back={BACK}
      lead={<Status value={of.status} />}
    >
      <div className="split">
        <Standing
          of={of}
          steps={
            steps.length > 0 && (
              <Group gap="xs" mb="sm">
                {steps.map((one, index) => (
                  <Button
                    key={one}
                    variant={index === 0 ? 'filled' : 'default'}
                    title={`${STEP_WORDS[one].act} (${STEP_WORDS[one].key})`}
                    onClick={() => {
                      setStep(one);
                    }}
                  >
                    {STEP_WORDS[one].act}
                  </Button>
                ))}
              </Group>
            )
          }
        />
        <Payment of={of} />
      </div>
      {step && (
        <StepDialog
          step={step}
          of={of}
          onDone={look}
          onClose={() => {
            setStep(null);
          }}
        />
      )}
    </Page>
  );
}

/** One return of money to its payer: sent by a person, completed with the bank's reference. */
export function ReturnPage(): ReactNode {
  const { id = '' } = useParams();
  const [asked, ask] = useQuery({ query: PayerReturnDocument, variables: { id } });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  return (
    <Answer asked={asked} retry={look}>
      {({ payerReturn }) =>
        payerReturn ? (
          <ReturnView key={payerReturn.id} of={payerReturn} look={look} />
        ) : (
          <Page title="Return" back={BACK}>
            <Empty icon="search" title="No such return">
              It does not exist, or you have no access to its merchant.
            </Empty>
          </Page>
        )
      }
    </Answer>
  );
}
