import { type ReactNode, useState } from 'react';
import { Button, TextInput } from '@mantine/core';
import { Link } from 'react-router';
import { useAction, useIdempotencyKey } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { decimalsOf, plainMoney } from '../../format/money';
import { RecallDepositDocument } from '../../generated/operations';
import { From } from '../../parts/legs';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { Time } from '../../parts/time';
import type { Deposit } from './story';

/** A recall: its amount, and where the money came from. */
export function Recall({ deposit: { recall, currencyCode } }: { deposit: Deposit }): ReactNode {
  if (!recall) return null;
  const money = (amount: string): ReactNode => <Money amount={amount} currency={currencyCode} />;
  return (
    <Section title="Recalled" actions={<Link to={`/changes/${recall.changeId}`}>Change request</Link>}>
      <Facts
        of={[
          ['Amount recalled', money(recall.amount)],
          ['From held credits', money(recall.fromHeld)],
          ['From the available balance', money(recall.fromAvailable)],
          ['Owed by the merchant', money(recall.owed)],
          ['Why', <span className="wrap">{recall.reason}</span>],
          ['At', <Time at={recall.at} />],
        ]}
      />
    </Section>
  );
}

function RecallDialog({ deposit, onClose }: { deposit: Deposit; onClose: () => void }): ReactNode {
  const { orderNo, merchant } = deposit;
  const recall = useAction(RecallDepositDocument);
  const idempotencyKey = useIdempotencyKey();
  const [amount, setAmount] = useState('');
  const [debit, setDebit] = useState('');
  return (
    <ProposeDialog
      title={`Recall ${orderNo}`}
      danger
      needsEvidence
      usual={{ kind: 'recall', usual: ["the payer's bank took it back"] }}
      busy={recall.busy}
      failure={recall.failure}
      onPropose={async ({ reason, evidence }) => {
        if (!evidence) return;
        const part = { amount: amount.trim() || null, debitId: debit.split(':')[1] ?? null };
        const done = await recall.run({ orderNo, ...part, reason, evidence, idempotencyKey });
        if (!done) return;
        notifyProposed(done.recallDeposit.change);
        onClose();
      }}
      onClose={onClose}
    >
      <p className="note warn">
        The received amount is taken back from {merchant.name}, because the payer has the money back. If its balance is
        too small, it owes the rest and cannot withdraw in {deposit.currencyCode} until it is paid. The order stays
        completed.
      </p>
      <TextInput
        label="Amount"
        description="Empty: everything that was received and not refunded."
        placeholder={plainMoney(deposit.actualAmount, decimalsOf(deposit.currencyCode))}
        inputMode="decimal"
        value={amount}
        onChange={({ currentTarget: { value } }) => {
          setAmount(value);
        }}
      />
      <From
        label="Bank debit that took it"
        only="debit"
        currencyCode={deposit.currencyCode}
        value={debit}
        onChange={setDebit}
      />
    </ProposeDialog>
  );
}

/** Proposes a recall; renders nothing if the deposit cannot be recalled. */
export function RecallButton({ deposit }: { deposit: Deposit }): ReactNode {
  const { me } = useSession();
  const [recalling, setRecalling] = useState(false);
  if (deposit.status !== 'COMPLETED' || deposit.recall || !may(me, 'TREASURER')) return null;
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setRecalling(true);
        }}
      >
        Recall
      </Button>
      {recalling && (
        <RecallDialog
          deposit={deposit}
          onClose={() => {
            setRecalling(false);
          }}
        />
      )}
    </>
  );
}
