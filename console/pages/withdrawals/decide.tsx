import { Button, Group, Stack, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction, useIdempotencyKey } from '../../client/action';
import { count, inWords } from '../../format/words';
import {
  ApproveWithdrawalDocument,
  DecideWithdrawalsDocument,
  type DecideWithdrawalsMutation,
  RejectWithdrawalDocument,
  type WithdrawalVerdict,
} from '../../generated/operations';
import { useSession } from '../../client/session';
import { ReasonChips, rememberReason } from '../../parts/chips';
import { Dialog } from '../../parts/dialog';
import { ToDecide, type Waiting } from '../../parts/payout';
import { sendByKey } from '../../parts/reason';
import { FailureLine } from '../../parts/states';

/** Remarks on a rejection. */
const USUAL = {
  kind: 'reject-withdrawal',
  usual: ["the beneficiary's bank does not know the account", 'please tell us what it is for'],
};

/** The outcome of a decision. */
interface Outcome {
  readonly orderNo: string;
  readonly words: string;
}

type Bulk = DecideWithdrawalsMutation['decideWithdrawals'][number];

const outcomeOf = ({ orderNo, decided, message }: Bulk): Outcome => ({
  orderNo,
  words: decided?.note ?? message ?? 'refused',
});

/**
 * Shows one or several withdrawals, decides on them and shows the outcome of each. A rejection needs remarks. It stays
 * with those that it opened with, though the list behind it moves on: what was shown is decided.
 */
export function DecideDialog({
  orders,
  verdict,
  onDone,
  onClose,
}: {
  orders: readonly Waiting[];
  verdict: WithdrawalVerdict;
  /** Called after a decision was recorded, and again when its outcome closes: orders may follow meanwhile. */
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const { me } = useSession();
  const [shown] = useState(orders);
  const orderNos = shown.map(({ orderNo }) => orderNo);
  const [remarks, setRemarks] = useState('');
  const [outcomes, setOutcomes] = useState<readonly Outcome[] | null>(null);
  const idempotencyKey = useIdempotencyKey();
  const approve = useAction(ApproveWithdrawalDocument);
  const reject = useAction(RejectWithdrawalDocument);
  const several = useAction(DecideWithdrawalsDocument);
  const rejects = verdict === 'REJECT';
  const act = inWords(verdict);

  const decide = async (): Promise<void> => {
    const [orderNo = ''] = orderNos;
    const said = { remarks: remarks.trim(), idempotencyKey };
    if (orderNos.length > 1) {
      const done = await several.run({ orderNos, verdict, ...said });
      if (done) setOutcomes(done.decideWithdrawals.map(outcomeOf));
    } else if (rejects) {
      const done = await reject.run({ orderNo, ...said });
      if (done) setOutcomes([{ orderNo, words: done.rejectWithdrawal.note }]);
    } else {
      const done = await approve.run({ orderNo, ...said });
      if (done) setOutcomes([{ orderNo, words: done.approveWithdrawal.note }]);
    }
    onDone();
  };

  const closeOutcomes = (): void => {
    onDone();
    onClose();
  };

  const what = orderNos.length === 1 ? orderNos[0] : count(orderNos.length, 'withdrawal');
  if (outcomes)
    return (
      <Dialog title={`${act}: outcome`} onClose={closeOutcomes}>
        <Stack gap="sm">
          <ul className="outcomes" aria-label="Outcomes">
            {outcomes.map(({ orderNo, words }) => (
              <li key={orderNo}>
                <span className="mono">{orderNo}</span>: {words}
              </li>
            ))}
          </ul>
          <Group justify="flex-end">
            <Button onClick={closeOutcomes} data-autofocus>
              Close
            </Button>
          </Group>
        </Stack>
      </Dialog>
    );
  return (
    <Dialog title={`${act} ${what ?? ''}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (rejects) rememberReason(me, USUAL.kind, remarks.trim());
          void decide();
        }}
      >
        <Stack gap="sm">
          <ToDecide of={shown} limits={rejects ? undefined : me.approveLimits} />
          <p>
            {rejects
              ? 'The frozen amount becomes available to the merchant again.'
              : 'The withdrawal is paid once all required approvals are given.'}
          </p>
          <Textarea
            label="Remarks"
            description="Shown to the merchant."
            value={remarks}
            onChange={({ currentTarget: { value } }) => {
              setRemarks(value);
            }}
            data-autofocus
            autosize
            minRows={2}
            onKeyDown={sendByKey}
            required={rejects}
          />
          {rejects && <ReasonChips {...USUAL} onChoose={setRemarks} />}
          <FailureLine failure={approve.failure ?? reject.failure ?? several.failure} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Back
            </Button>
            <Button
              type="submit"
              loading={approve.busy || reject.busy || several.busy}
              disabled={rejects && remarks.trim() === ''}
              color={rejects ? 'red.8' : undefined}
            >
              {act}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
