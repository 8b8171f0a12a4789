import type { ReactNode } from 'react';
import { useAction } from '../../client/action';
import { type EventAddressesRowFragment, TakeEventSecretDocument } from '../../generated/operations';
import { ReasonDialog } from '../../parts/reason';

/** Fetches the secret of the platform's webhook, which its proposer must not see. */
export function TakeSecret({
  row,
  onTaken,
  onClose,
}: {
  row: EventAddressesRowFragment;
  onTaken: (secret: string) => void;
  onClose: () => void;
}): ReactNode {
  const take = useAction(TakeEventSecretDocument);
  return (
    <ReasonDialog
      title="Fetch the webhook's secret"
      act="Show the secret"
      busy={take.busy}
      failure={take.failure}
      onAct={async (reason) => {
        const done = await take.run({ id: row.id, reason });
        if (done) onTaken(done.takeEventSecret.secret);
      }}
      onClose={onClose}
    >
      <p>
        The secret signs the requests to <span className="mono wrap">{row.webhookUrl}</span>. It is shown once, to one
        person, and never to who proposed the address. Put it into the program that receives them.
      </p>
    </ReasonDialog>
  );
}
