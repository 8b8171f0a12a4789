import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../client/action';
import { may } from '../client/permission';
import { useSession } from '../client/session';
import { ErasePersonDocument } from '../generated/operations';
import { notifyProposed, ProposeDialog } from './propose';

const ENDED: ReadonlySet<string> = new Set([...['COMPLETED', 'EXPIRED', 'CANCELLED', 'FAILED', 'REJECTED']]);

/** Proposes to erase the person of an order; renders nothing while the order has not ended. */
export function Erase({
  order: { id, orderNo, status },
}: {
  order: { readonly id: string; readonly orderNo: string; readonly status: string };
}): ReactNode {
  const { me } = useSession();
  const [open, setOpen] = useState(false);
  const erase = useAction(ErasePersonDocument);
  if (!ENDED.has(status) || !may(me, 'SUPPORT')) return null;
  const close = (): void => {
    setOpen(false);
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => {
          setOpen(true);
        }}
      >
        Erase the person
      </Button>
      {open && (
        <ProposeDialog
          title={`Erase the person of ${orderNo}`}
          danger
          needsEvidence
          usual={{ kind: 'erase', usual: ['the person asked for it', 'the merchant asked for it'] }}
          busy={erase.busy}
          failure={erase.failure}
          onPropose={async ({ reason, evidence }) => {
            if (!evidence) return;
            const done = await erase.run({ orderId: id, reason, evidence });
            if (!done) return;
            notifyProposed(done.erasePerson.change);
            close();
          }}
          onClose={close}
        >
          <p className="note warn">
            Names, accounts, numbers, addresses and texts go from all orders of this merchant with the same account,
            mobile number, mail address or user id. Amounts and postings stay. It cannot be undone.
          </p>
        </ProposeDialog>
      )}
    </>
  );
}
