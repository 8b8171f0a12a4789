import type { ReactNode } from 'react';
import { useAction, useIdempotencyKey } from '../../client/action';
import { MatchTransferDocument, type UnmatchedRowFragment } from '../../generated/operations';
import { Money } from '../../parts/money';
import { ReasonDialog } from '../../parts/reason';

/** Matches a bank credit to an order. */
export function Match({
  transfer,
  orderNo,
  onMatched,
  onClose,
}: {
  transfer: Pick<UnmatchedRowFragment, 'id' | 'amount' | 'currencyCode'>;
  orderNo: string;
  onMatched: (row: UnmatchedRowFragment) => void;
  onClose: () => void;
}): ReactNode {
  const match = useAction(MatchTransferDocument, ({ matchTransfer: { change } }) =>
    change?.status === 'PROPOSED'
      ? 'Proposed: it does not fulfil the automatic rule, so another operator must approve it.'
      : `Matched to ${orderNo}.`,
  );
  const idempotencyKey = useIdempotencyKey();
  return (
    <ReasonDialog
      title={`Match to ${orderNo}`}
      act="Match"
      usual={{
        kind: 'match',
        usual: ['the payer sent the receipt', 'the amount and the payer fit'],
      }}
      busy={match.busy}
      failure={match.failure}
      onAct={async (reason) => {
        const done = await match.run({ transferId: transfer.id, orderNo, reason, idempotencyKey });
        if (!done) return;
        onMatched(done.matchTransfer);
        onClose();
      }}
      onClose={onClose}
    >
      <p>
        <Money amount={transfer.amount} currency={transfer.currencyCode} /> are credited to this order, less its fee. A
        match cannot be undone.
      </p>
    </ReasonDialog>
  );
}
