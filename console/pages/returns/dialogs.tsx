import { Select, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { failureOf } from '../../client/failure';
import { decimalsOf, formatMoney } from '../../format/money';
import {
  BeginReturnDocument,
  CancelReturnDocument,
  CompleteReturnDocument,
  PayingAccountsDocument,
  type PayerReturnFieldsFragment,
  ReleaseReturnDocument,
} from '../../generated/operations';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/form';
import { notifyProposed } from '../../parts/propose';
import { ReasonDialog, sendByKey } from '../../parts/reason';
import type { ReturnStep } from './steps';

interface StepProps {
  readonly of: PayerReturnFieldsFragment;
  /** Called with the return after the step. */
  readonly onDone: (of: PayerReturnFieldsFragment) => void;
  readonly onClose: () => void;
}

const amountOf = ({ amount, currencyCode }: PayerReturnFieldsFragment): string =>
  `${formatMoney(amount, decimalsOf(currencyCode))} ${currencyCode}`;

function Begin({ of, onDone, onClose }: StepProps): ReactNode {
  const begin = useAction(BeginReturnDocument, 'Marked as sending. Send the money now, then enter the bank reference.');
  const { currencyCode } = of;
  const [{ data, error }] = useQuery({
    query: PayingAccountsDocument,
    variables: { currencyCode },
  });
  const accounts = data?.bankAccounts.nodes ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const accountId = chosen ?? (accounts.length === 1 ? (accounts[0]?.id ?? null) : null);
  return (
    <Dialog title={`Send ${amountOf(of)} back now`} onClose={onClose}>
      <Form
        act="Send now"
        busy={begin.busy}
        failure={begin.failure ?? (error ? failureOf(error) : null)}
        ready={accountId !== null}
        onAct={async () => {
          if (accountId === null) return;
          const done = await begin.run({ id: of.id, accountId });
          if (!done) return;
          onDone(done.beginReturn);
          onClose();
        }}
        onBack={onClose}
      >
        <p>
          {amountOf(of)} to {of.payeeName}, {of.payeeAccount}.
        </p>
        <Select
          label="Paid from"
          description={`A managed account in ${currencyCode}`}
          data={accounts.map(({ id, name, bankName, accountNo }) => ({
            value: id,
            label: `${name} · ${bankName} ${accountNo}`,
          }))}
          value={accountId}
          onChange={setChosen}
          allowDeselect={false}
          searchable={accounts.length > 8}
          required
        />
        <p className="note warn">
          From now on only another operator releases it, after checking that no money was sent. This prevents paying
          twice.
        </p>
      </Form>
    </Dialog>
  );
}

function Complete({ of, onDone, onClose }: StepProps): ReactNode {
  const complete = useAction(CompleteReturnDocument);
  const [reference, setReference] = useState('');
  const [text, setText] = useState('');
  return (
    <Dialog title={`Complete the return to ${of.payeeName}`} onClose={onClose}>
      <Form
        act="Complete"
        busy={complete.busy}
        failure={complete.failure}
        ready={reference.trim() !== ''}
        onAct={async () => {
          const evidence = text.trim() === '' ? null : { text: text.trim() };
          const bankReference = reference.trim();
          const done = await complete.run({ id: of.id, bankReference, evidence });
          if (!done) return;
          const { change, payerReturn } = done.completeReturn;
          if (change) notifyProposed(change);
          onDone(payerReturn);
          onClose();
        }}
        onBack={onClose}
      >
        <p>
          The bank has debited {amountOf(of)}. A reported debit with this reference completes it at once; without one,
          another treasurer must confirm it.
        </p>
        <TextInput
          label="Bank reference"
          value={reference}
          onChange={({ currentTarget: { value } }) => {
            setReference(value);
          }}
          maxLength={128}
          required
          data-autofocus
        />
        <Textarea
          label="Evidence"
          description="Required if no debit shows it: how you know that it was paid."
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setText(value);
          }}
          autosize
          minRows={1}
          maxLength={4_000}
          onKeyDown={sendByKey}
        />
      </Form>
    </Dialog>
  );
}

function Release({ of, onDone, onClose }: StepProps): ReactNode {
  const release = useAction(ReleaseReturnDocument, 'Released: it waits to be sent.');
  return (
    <ReasonDialog
      title="Release the return"
      act="Release"
      danger
      usual={{ kind: 'release-return', usual: ['the statement shows no such debit'] }}
      busy={release.busy}
      failure={release.failure}
      onAct={async (reason) => {
        const done = await release.run({ id: of.id, reason });
        if (!done) return;
        onDone(done.releaseReturn);
        onClose();
      }}
      onClose={onClose}
    >
      <p className="note warn">
        {of.sender?.login ?? 'Another operator'} marked it as sending. Check the statement of the account first: the
        next operator sends it again.
      </p>
    </ReasonDialog>
  );
}

function Cancel({ of, onDone, onClose }: StepProps): ReactNode {
  const cancel = useAction(CancelReturnDocument, 'Return cancelled.');
  return (
    <ReasonDialog
      title="Cancel the return"
      act="Cancel the return"
      danger
      usual={{ kind: 'cancel-return', usual: ['the payer does not want it', 'wrong account'] }}
      busy={cancel.busy}
      failure={cancel.failure}
      onAct={async (reason) => {
        const done = await cancel.run({ id: of.id, reason });
        if (!done) return;
        onDone(done.cancelReturn);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        {of.orderNo === null
          ? 'Its money waits again, under Unmatched money.'
          : `The merchant of ${of.orderNo} has its money back.`}
      </p>
    </ReasonDialog>
  );
}

const DIALOGS: Readonly<Record<ReturnStep, (props: StepProps) => ReactNode>> = {
  begin: Begin,
  complete: Complete,
  release: Release,
  cancel: Cancel,
};

/** Asks for the step's input and runs it. */
export function StepDialog({ step, ...props }: StepProps & { readonly step: ReturnStep }): ReactNode {
  const Step = DIALOGS[step];
  return <Step {...props} />;
}
