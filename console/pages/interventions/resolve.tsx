import { Radio, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction, useIdempotencyKey } from '../../client/action';
import { ResolvePayoutDocument, type InterventionRowFragment } from '../../generated/operations';
import { PayoutFacts } from '../../parts/payout';
import { ProposeDialog, notifyProposed } from '../../parts/propose';

const FINDINGS = [
  ['PAID', 'Paid', 'The beneficiary received the money. The withdrawal is completed.'],
  ['NOT_PAID', 'Not paid, and never will be', 'The withdrawal fails and its amount is returned to the merchant.'],
] as const;

/** Proposes a payout's outcome, with evidence. */
export function ResolveDialog({
  order,
  onDone,
  onClose,
}: {
  order: InterventionRowFragment;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const { orderNo } = order;
  const resolve = useAction(ResolvePayoutDocument);
  const idempotencyKey = useIdempotencyKey();
  const [outcome, setOutcome] = useState<(typeof FINDINGS)[number][0] | null>(null);
  const [reference, setReference] = useState('');
  const [charged, setCharged] = useState('');
  const paid = outcome === 'PAID';
  const bankReference = paid ? reference.trim() : null;
  const cost = (paid && charged.trim()) || null;
  return (
    <ProposeDialog
      title={`Outcome of ${orderNo}`}
      needsEvidence
      busy={resolve.busy}
      failure={resolve.failure}
      ready={outcome !== null && bankReference !== ''}
      onPropose={async ({ reason, evidence }) => {
        if (!evidence || outcome === null) return;
        const finding = { orderNo, outcome, bankReference, cost, reason, evidence };
        const done = await resolve.run({ ...finding, idempotencyKey });
        if (!done) return;
        notifyProposed(done.resolvePayout.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <PayoutFacts of={order} why={order.manualReason} />
      <p className="note warn">
        This moves money and cannot be undone. Ask the channel and check the bank statement first.
      </p>
      <Radio.Group
        label="What happened"
        value={outcome}
        onChange={(value) => {
          setOutcome(FINDINGS.find(([name]) => name === value)?.[0] ?? null);
        }}
        required
      >
        <Stack gap="xs" mt={6}>
          {FINDINGS.map(([name, label, description]) => (
            <Radio key={name} value={name} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      {paid && (
        <TextInput
          label="Bank reference"
          description="The bank's reference of the payment."
          value={reference}
          onChange={({ currentTarget: { value } }) => {
            setReference(value);
          }}
          maxLength={128}
          required
        />
      )}
      {paid && (
        <TextInput
          label="What the channel charged"
          description="As the channel reported it; empty: the estimate."
          value={charged}
          onChange={({ currentTarget: { value } }) => {
            setCharged(value);
          }}
          inputMode="decimal"
        />
      )}
    </ProposeDialog>
  );
}
