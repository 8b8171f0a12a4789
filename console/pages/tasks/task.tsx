import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { decimalsOf, plainMoney } from '../../format/money';
import type { TaskRowFragment } from '../../generated/operations';
import { Code, CopyButton } from '../../parts/copy';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { Reveal } from '../../parts/reveal';
import { ProofLink } from '../../parts/proof';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import type { TaskStep } from './dialogs';
import { STEP_WORDS } from './steps';

/** Text to be typed at the bank, with a copy button. */
function Typed({ text, what }: { text: string; what: string }): ReactNode {
  return (
    <span className="code-line">
      <span className="wrap">{text}</span>
      <CopyButton text={text} what={what} />
    </span>
  );
}

/** The beneficiary's details, to be copied exactly. */
function Beneficiary({ of }: { of: TaskRowFragment }): ReactNode {
  const { amount, currencyCode, transferTask } = of;
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
          ['Name', <Typed text={of.beneficiaryName} what="name" />],
          ['Account', <Code text={of.beneficiaryAccount} what="account" />],
          ['Bank', <Typed text={of.beneficiaryBankName} what="bank" />],
          ['Bank code', of.beneficiaryBankCode],
          [
            'Branch',
            of.beneficiaryBankBranch === null ? null : <Typed text={of.beneficiaryBankBranch} what="branch" />,
          ],
          ['Memo', transferTask && <Code text={transferTask.reference} what="memo" />],
        ]}
      />
      <Reveal of="WITHDRAWAL" id={of.id} />
    </Section>
  );
}

/** What the manual payout waits for, in a sentence. */
function waitsFor({ status, transferTask }: TaskRowFragment, me: string): string | null {
  if (status !== 'APPROVED') return null;
  const mine = transferTask?.holder?.id === me;
  switch (transferTask?.status) {
    case 'OPEN':
      return 'Waiting for an operator to claim it.';
    case 'CLAIMED':
      return mine
        ? 'You have claimed it. Choose “Send now” before you send the money.'
        : `${transferTask.holder?.login ?? 'Another operator'} has claimed it.`;
    case 'SENDING':
      return mine
        ? "You are sending it. Enter the bank's reference. If no money was sent, another operator must return it to the queue."
        : `${transferTask.holder?.login ?? 'Another operator'} is sending it. Another operator may return it to the queue only after checking that no money was sent.`;
    default:
      return null;
  }
}

function Proofs({ of: { orderNo, transferTask } }: { of: TaskRowFragment }): ReactNode {
  return (
    <>
      {transferTask?.proofs.map(({ id, type, at, attachedBy }) => (
        <p key={id}>
          <ProofLink {...{ id, type, orderNo }} />{' '}
          <span className="dim">
            of {attachedBy?.login ?? 'another operator'}, <Time at={at} />
          </span>
        </p>
      ))}
      {transferTask?.proof && <span className="wrap">{transferTask.proof}</span>}
    </>
  );
}

function Standing({
  of,
  me,
  steps,
  onStep,
}: {
  of: TaskRowFragment;
  me: string;
  steps: readonly TaskStep[];
  onStep: (step: TaskStep) => void;
}): ReactNode {
  const { account, transferTask, status } = of;
  const waits = waitsFor(of, me);
  return (
    <Section title="Task">
      {waits !== null && <p className="note">{waits}</p>}
      {steps.length > 0 && (
        <Group gap="xs" mb="sm">
          {steps.map((step, index) => (
            <Button
              key={step}
              variant={index === 0 ? 'filled' : 'default'}
              onClick={() => {
                onStep(step);
              }}
            >
              {STEP_WORDS[step].act}
            </Button>
          ))}
        </Group>
      )}
      <Facts
        brief
        of={[
          ['Status', transferTask && <Status value={transferTask.status} />],
          [
            'Held by',
            transferTask?.holder &&
              (transferTask.holder.id === me ? `${transferTask.holder.login} (you)` : transferTask.holder.login),
          ],
          ['Claimed', transferTask?.claimedAt && <Time at={transferTask.claimedAt} distance />],
          [
            'Sending since',
            transferTask?.sendingAt && <Time at={transferTask.sendingAt} distance={status === 'APPROVED'} />,
          ],
          ['Paid from', account && `${account.name} · ${account.bankName} ${account.accountNo}`],
          ['Bank reference', of.bankReference],
          ['Proof', (transferTask?.proof ?? transferTask?.proofs[0]) && <Proofs of={of} />],
          [
            'Seen at the bank',
            transferTask?.debit && (
              <>
                <Time at={transferTask.debit.bankTime} /> {transferTask.debit.bankReference}
              </>
            ),
          ],
          ['Why it ended', of.endReason],
          ['Waiting since', transferTask && <Time at={transferTask.createdAt} />],
          ['Merchant', <Link to={`/merchants/${of.merchant.id}`}>{of.merchant.name}</Link>],
        ]}
      />
    </Section>
  );
}

/** One manual payout beside the list: payment details, holder and steps. */
export function Task(props: {
  of: TaskRowFragment;
  /** The operator's id. */
  me: string;
  steps: readonly TaskStep[];
  onStep: (step: TaskStep) => void;
}): ReactNode {
  const { orderNo } = props.of;
  return (
    <aside className="beside" aria-label={`Manual payout for ${orderNo}`}>
      <p>
        <Link to={`/withdrawals/${orderNo}`}>Open {orderNo}</Link>
      </p>
      <Standing {...props} />
      <Beneficiary of={props.of} />
    </aside>
  );
}
