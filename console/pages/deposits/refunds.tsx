import { Button, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useAction, useIdempotencyKey } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { decimalsOf, plainMoney } from '../../format/money';
import { RefundDepositDocument } from '../../generated/operations';
import { Money } from '../../parts/money';
import { Section } from '../../parts/page';
import { Payee, type PayeeDraft, payeeOf } from '../../parts/payee';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { Status } from '../../parts/status';
import { Time } from '../../parts/time';
import type { Deposit } from './story';

/** The refunds of a deposit. */
export function Refunds({ deposit: { refunds } }: { deposit: Deposit }): ReactNode {
  if (refunds.length === 0) return null;
  return (
    <Section title="Refunds">
      <ul className="outcomes" aria-label="Refunds">
        {refunds.map(({ id, amount, currencyCode, payeeName, status, createdAt }) => (
          <li key={id}>
            <Link to={`/returns/${id}`}>
              <Money amount={amount} currency={currencyCode} />
            </Link>{' '}
            to {payeeName} <Status value={status} /> <Time at={createdAt} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function RefundDialog({
  deposit,
  onDone,
  onClose,
}: {
  deposit: Deposit;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const { orderNo, merchant, actualAmount, currencyCode, bankTransfers } = deposit;
  const refund = useAction(RefundDepositDocument);
  const idempotencyKey = useIdempotencyKey();
  const [from] = bankTransfers;
  const [amount, setAmount] = useState('');
  const [draft, setDraft] = useState<PayeeDraft>({
    payeeName: from?.payerName ?? deposit.payerName ?? '',
    payeeAccount: from?.payerAccount ?? '',
    payeeBank: '',
  });
  const payee = payeeOf(draft);
  return (
    <ProposeDialog
      title={`Refund ${orderNo}`}
      needsEvidence
      usual={{ kind: 'refund', usual: ['the merchant asked for it', 'the payer paid too much'] }}
      busy={refund.busy}
      failure={refund.failure}
      ready={payee !== null}
      onPropose={async ({ reason, evidence }) => {
        if (!evidence || !payee) return;
        const part = { amount: amount.trim() || null };
        const done = await refund.run({
          orderNo,
          payee,
          ...part,
          reason,
          evidence,
          idempotencyKey,
        });
        if (!done) return;
        notifyProposed(done.refundDeposit.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p className="note">
        Frozen in the balance of {merchant.name}, then sent to the payer by an operator. The fee stays earned, and the
        order stays completed. Several refunds are possible, up to what was received.
      </p>
      <Payee
        draft={draft}
        set={(change) => {
          setDraft((before) => ({ ...before, ...change }));
        }}
      />
      <TextInput
        label="Amount"
        description="Empty: all that was received."
        placeholder={plainMoney(actualAmount, decimalsOf(currencyCode))}
        inputMode="decimal"
        value={amount}
        onChange={({ currentTarget: { value } }) => {
          setAmount(value);
        }}
      />
    </ProposeDialog>
  );
}

/** Proposes a refund; renders nothing if the deposit cannot be refunded. */
export function RefundButton({ deposit, look }: { deposit: Deposit; look: () => void }): ReactNode {
  const { me } = useSession();
  const [refunding, setRefunding] = useState(false);
  if (deposit.status !== 'COMPLETED' || !may(me, 'TREASURER')) return null;
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          setRefunding(true);
        }}
      >
        Refund
      </Button>
      {refunding && (
        <RefundDialog
          deposit={deposit}
          onDone={look}
          onClose={() => {
            setRefunding(false);
          }}
        />
      )}
    </>
  );
}
