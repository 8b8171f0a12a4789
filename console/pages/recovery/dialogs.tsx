import { Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { LIMITS } from '../../../domain/limits';
import { useAction } from '../../client/action';
import {
  EndRecoveryDocument,
  MerchantChoicesDocument,
  RecordLostNumberDocument,
} from '../../generated/operations';
import { notifyProposed, ProposeDialog } from '../../parts/propose';

interface DialogProps {
  /** Called after a proposal or a change. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Proposes the end of a recovery. */
export function EndDialog({ onDone, onClose }: DialogProps): ReactNode {
  const end = useAction(EndRecoveryDocument);
  return (
    <ProposeDialog
      title="End the recovery"
      busy={end.busy}
      failure={end.failure}
      onPropose={async (why) => {
        const done = await end.run(why);
        if (!done?.endRecovery) return;
        notifyProposed(done.endRecovery.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        Then payouts that no channel knows are sent, and overdue deposits expire. First let agents
        report again, and explain payouts that were paid but cannot be followed here.
      </p>
    </ProposeDialog>
  );
}

/** Enters a number that was answered with 201 and is lost. */
export function NumberDialog({ onDone, onClose }: DialogProps): ReactNode {
  const enter = useAction(RecordLostNumberDocument);
  const [{ data: choices }] = useQuery({ query: MerchantChoicesDocument });
  const [merchantId, setMerchant] = useState<string | null>(null);
  const [merchantOrderNo, setNumber] = useState('');
  return (
    <ProposeDialog
      title="Enter a lost number"
      act="Enter"
      evidence={false}
      busy={enter.busy}
      failure={enter.failure}
      ready={merchantId !== null && merchantOrderNo !== ''}
      onPropose={async ({ reason }) => {
        if (merchantId === null) return;
        if (!(await enter.run({ merchantId, merchantOrderNo, reason }))) return;
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <Select
        label="Merchant"
        data={(choices?.merchants.nodes ?? []).map(({ id, merchantCode }) => ({
          value: id,
          label: merchantCode,
        }))}
        value={merchantId}
        onChange={setMerchant}
        required
      />
      <TextInput
        label="Number"
        description="The merchant's number of an order that was answered with 201"
        maxLength={LIMITS.merchantOrderNo}
        value={merchantOrderNo}
        onChange={({ currentTarget: { value } }) => {
          setNumber(value);
        }}
        required
      />
    </ProposeDialog>
  );
}
