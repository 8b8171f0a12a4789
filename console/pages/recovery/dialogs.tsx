import { Select, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { LIMITS } from '../../../domain/limits';
import { useAction } from '../../client/action';
import {
  EndRecoveryDocument,
  ExplainFindingsDocument,
  MerchantChoicesDocument,
  PaidAtChoicesDocument,
  type RecoveryFindingRowFragment,
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
        Then payouts that no channel knows are sent, and overdue deposits expire. First let agents report again, and
        explain payouts that were paid but cannot be followed here.
      </p>
    </ProposeDialog>
  );
}

/** Proposes what people found out about what the recovery holds. */
export function ExplainDialog({
  findings,
  onDone,
  onClose,
}: DialogProps & { readonly findings: readonly RecoveryFindingRowFragment[] }): ReactNode {
  const explain = useAction(ExplainFindingsDocument);
  const [{ data: choices }] = useQuery({ query: PaidAtChoicesDocument });
  const [channelId, setChannel] = useState<string | null>(null);
  const [reference, setReference] = useState('');
  const [one, ...others] = findings;
  const isOneWithdrawal = others.length === 0 && one?.subject.startsWith('withdrawal:') === true;
  return (
    <ProposeDialog
      title={others.length === 0 ? `Explain ${one?.subject ?? ''}` : `Explain ${findings.length} findings`}
      needsEvidence
      busy={explain.busy}
      failure={explain.failure}
      ready={channelId === null || reference !== ''}
      onPropose={async ({ reason, evidence }) => {
        if (!evidence) return;
        const paidAt = channelId === null ? null : { channelId, reference };
        const ids = findings.map(({ id }) => id);
        const done = await explain.run({ ids, reason, evidence, paidAt });
        if (!done?.explainFindings) return;
        notifyProposed(done.explainFindings.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        You state that nobody paid it in the lost time, as the statements of the banks and the channels show. Then it
        goes on: it may be sent, or paid by hand.
      </p>
      {isOneWithdrawal && (
        <>
          <Select
            label="A channel has it"
            description="Leave it empty if nobody paid. The order follows this channel instead."
            data={(choices?.channels.nodes ?? []).map(({ id, name }) => ({
              value: id,
              label: name,
            }))}
            value={channelId}
            onChange={setChannel}
            clearable
          />
          {channelId !== null && (
            <TextInput
              label="Our reference there"
              maxLength={63}
              value={reference}
              onChange={({ currentTarget: { value } }) => {
                setReference(value);
              }}
              required
            />
          )}
        </>
      )}
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
