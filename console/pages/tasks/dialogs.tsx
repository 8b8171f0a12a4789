import { FileInput, Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { LIMITS } from '../../../domain/limits';
import { FILES, useAction, useIdempotencyKey } from '../../client/action';
import { failureOf } from '../../client/failure';
import { decimalsOf, formatMoney } from '../../format/money';
import {
  AttachTransferProofDocument,
  BeginTransferDocument,
  CancelTransferDocument,
  ClaimTransferDocument,
  CompleteTransferDocument,
  PayingAccountsDocument,
  ReleaseTransferDocument,
  type TaskRowFragment,
} from '../../generated/operations';
import { Dialog } from '../../parts/dialog';
import { base64Of } from '../../parts/file';
import { Form } from '../../parts/form';
import { ReasonDialog } from '../../parts/reason';

/** The steps of a manual payout. */
export type TaskStep = 'claim' | 'begin' | 'complete' | 'release' | 'cancel';

interface StepProps {
  readonly task: TaskRowFragment;
  /** Called with the task after the step. */
  readonly onDone: (task: TaskRowFragment) => void;
  readonly onClose: () => void;
}

const amountOf = ({ amount, currencyCode }: TaskRowFragment): string =>
  `${formatMoney(amount, decimalsOf(currencyCode))} ${currencyCode}`;

function Claim({ task, onDone, onClose }: StepProps): ReactNode {
  const claim = useAction(ClaimTransferDocument, 'Transfer claimed.');
  const { currencyCode, orderNo } = task;
  const [{ data, error, fetching }] = useQuery({
    query: PayingAccountsDocument,
    variables: { currencyCode },
  });
  const accounts = data?.bankAccounts.nodes ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const accountId = chosen ?? (accounts.length === 1 ? (accounts[0]?.id ?? null) : null);
  return (
    <Dialog title={`Claim ${orderNo}`} onClose={onClose}>
      <Form
        act="Claim"
        busy={claim.busy}
        failure={claim.failure ?? (error ? failureOf(error) : null)}
        ready={accountId !== null}
        onAct={async () => {
          if (accountId === null) return;
          const done = await claim.run({ orderNo, accountId });
          if (!done) return;
          onDone(done.claimTransfer);
          onClose();
        }}
        onBack={onClose}
      >
        <p>Other operators see that you pay this withdrawal. This sends no money: you send it at the bank.</p>
        <Select
          label="Paid from"
          description={
            data && accounts.length === 0 && !fetching
              ? `No active account in ${currencyCode}.`
              : `A managed account in ${currencyCode}`
          }
          data={accounts.map(({ id, name, bankName, accountNo }) => ({
            value: id,
            label: `${name} · ${bankName} ${accountNo}`,
          }))}
          value={accountId}
          onChange={setChosen}
          allowDeselect={false}
          searchable={accounts.length > 8}
          required
          data-autofocus
        />
      </Form>
    </Dialog>
  );
}

function Begin({ task, onDone, onClose }: StepProps): ReactNode {
  const begin = useAction(
    BeginTransferDocument,
    'Marked as sending. Send the money now, then enter the bank reference.',
  );
  const { orderNo } = task;
  return (
    <Dialog title={`Send ${orderNo} now`} onClose={onClose}>
      <Form
        act="Send now"
        busy={begin.busy}
        failure={begin.failure}
        ready
        onAct={async () => {
          const done = await begin.run({ orderNo });
          if (!done) return;
          onDone(done.beginTransfer);
          onClose();
        }}
        onBack={onClose}
      >
        <p>
          {amountOf(task)} to {task.beneficiaryName}.
        </p>
        <p className="note warn">
          From now on only another operator can return it to the queue, after checking that no money was sent. This
          prevents paying twice.
        </p>
      </Form>
    </Dialog>
  );
}

function Complete({ task, onDone, onClose }: StepProps): ReactNode {
  const complete = useAction(CompleteTransferDocument, ({ completeTransfer: { change } }) =>
    change?.status === 'PROPOSED'
      ? 'No bank debit shows it yet: another treasurer must confirm it.'
      : 'Withdrawal completed.',
  );
  const attach = useAction(AttachTransferProofDocument, undefined, FILES);
  const idempotencyKey = useIdempotencyKey();
  const [reference, setReference] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [proof, setProof] = useState('');
  const tooLarge = file !== null && file.size > LIMITS.transferProofBytes;
  const { orderNo } = task;
  return (
    <Dialog title={`Complete ${orderNo}`} onClose={onClose}>
      <Form
        act="Complete"
        busy={attach.busy || complete.busy}
        failure={attach.failure ?? complete.failure}
        ready={reference.trim() !== '' && !tooLarge}
        onAct={async () => {
          // Attaches the file first; pressing again does not attach it twice.
          if (file && !(await attach.run({ orderNo, proof: await base64Of(file) }))) return;
          const said = { bankReference: reference.trim(), proof: proof.trim() || null };
          const done = await complete.run({ orderNo, ...said, idempotencyKey });
          if (!done) return;
          onDone(done.completeTransfer);
          onClose();
        }}
        onBack={onClose}
      >
        <p>
          The bank has debited {amountOf(task)}
          {task.account && ` from ${task.account.name}`}. This completes the withdrawal.
        </p>
        <TextInput
          label="Bank reference"
          description="The bank's reference of this payment. It can be used once per account."
          value={reference}
          onChange={({ currentTarget: { value } }) => {
            setReference(value);
          }}
          maxLength={128}
          required
          data-autofocus
        />
        <FileInput
          label="Proof"
          description="Optional: the bank's receipt, a picture or a PDF of at most 2 MB."
          placeholder="Choose a file"
          accept="image/png,image/jpeg,image/webp,application/pdf"
          error={tooLarge && 'The file is larger than 2 MB.'}
          clearable
          clearButtonProps={{ 'aria-label': 'Remove the file' }}
          value={file}
          onChange={setFile}
        />
        <TextInput
          label="Proof kept elsewhere"
          description="Optional: where it is kept."
          value={proof}
          onChange={({ currentTarget: { value } }) => {
            setProof(value);
          }}
          maxLength={500}
        />
      </Form>
    </Dialog>
  );
}

function Release({ task, onDone, onClose }: StepProps): ReactNode {
  const release = useAction(ReleaseTransferDocument, 'Returned to the queue.');
  const sending = task.transferTask?.status === 'SENDING';
  return (
    <ReasonDialog
      title={`Return ${task.orderNo} to the queue`}
      act="Return to the queue"
      danger={sending}
      busy={release.busy}
      failure={release.failure}
      onAct={async (reason) => {
        const done = await release.run({ orderNo: task.orderNo, reason });
        if (!done) return;
        onDone(done.releaseTransfer);
        onClose();
      }}
      onClose={onClose}
    >
      {sending ? (
        <p className="note warn">
          {task.transferTask.holder?.login ?? 'Another operator'} marked this payout as sending. Check the statement of{' '}
          {task.account?.name ?? 'the account'} first. Return it only if no money was sent, because the next operator
          pays it again.
        </p>
      ) : (
        <p>Any operator can claim it then.</p>
      )}
    </ReasonDialog>
  );
}

function GiveUp({ task, onDone, onClose }: StepProps): ReactNode {
  const cancel = useAction(CancelTransferDocument, 'Withdrawal cancelled.');
  return (
    <ReasonDialog
      title={`Cancel ${task.orderNo}`}
      act="Cancel the withdrawal"
      danger
      busy={cancel.busy}
      failure={cancel.failure}
      onAct={async (reason) => {
        const done = await cancel.run({ orderNo: task.orderNo, reason });
        if (!done) return;
        onDone(done.cancelTransfer);
        onClose();
      }}
      onClose={onClose}
    >
      <p>Cancels the withdrawal and returns its amount to the available balance of {task.merchant.name} again.</p>
    </ReasonDialog>
  );
}

const DIALOGS: Readonly<Record<TaskStep, (props: StepProps) => ReactNode>> = {
  claim: Claim,
  begin: Begin,
  complete: Complete,
  release: Release,
  cancel: GiveUp,
};

/** Asks for the step's input and runs it. */
export function StepDialog({ step, ...props }: StepProps & { readonly step: TaskStep }): ReactNode {
  const Step = DIALOGS[step];
  return <Step {...props} />;
}
