import type { ReactNode } from 'react';
import { useAction, useIdempotencyKey } from '../../client/action';
import { ApproveChangeDocument, RejectChangeDocument, WithdrawChangeDocument } from '../../generated/operations';
import { Diff } from '../../parts/diff';
import { Money } from '../../parts/money';
import { ReasonDialog } from '../../parts/reason';

/** The decisions on a change request, with mutation and texts. */
export const DECISIONS = {
  approve: {
    document: ApproveChangeDocument,
    act: 'Approve and apply',
    title: 'Approve',
    effect: 'The change is applied at once. It is refused if its subject has changed since the proposal.',
    done: 'Change applied.',
    usual: ['the evidence shows it', 'checked with who proposed it'],
  },
  reject: {
    document: RejectChangeDocument,
    act: 'Reject',
    title: 'Reject',
    effect: 'The change is not applied.',
    done: 'Change rejected.',
    usual: ['the evidence does not show it', 'another amount or account was agreed'],
  },
  withdraw: {
    document: WithdrawChangeDocument,
    act: 'Withdraw',
    title: 'Withdraw',
    effect: 'The change is not applied.',
    done: 'Change withdrawn.',
    usual: ['proposed by mistake', 'not needed any more'],
  },
} as const;

/** One of DECISIONS. */
export type Deciding = keyof typeof DECISIONS;

/** A change, shown again to the approver above the button. */
interface Decided {
  readonly id: string;
  readonly summary: string;
  readonly before?: Fields | null;
  readonly after?: Fields | null;
  readonly money?: { readonly amount: string; readonly currencyCode: string } | null;
}
type Fields = Readonly<Record<string, unknown>>;

/** Asks for the reason and decides. */
export function Decide({
  change,
  how,
  children,
  onClose,
}: {
  change: Decided;
  how: Deciding;
  /** More that the approver must see. */
  children?: ReactNode;
  onClose: () => void;
}): ReactNode {
  const { document, act, title, effect, done, usual } = DECISIONS[how];
  const decide = useAction(document, done);
  const idempotencyKey = useIdempotencyKey();
  return (
    <ReasonDialog
      title={`${title}: ${change.summary}`}
      act={act}
      danger={how !== 'approve'}
      busy={decide.busy}
      failure={decide.failure}
      usual={{ kind: `${how}-change`, usual }}
      onAct={async (reason) => {
        if (await decide.run({ id: change.id, reason, idempotencyKey })) onClose();
      }}
      onClose={onClose}
    >
      {children}
      <p>{effect}</p>
      {how === 'approve' && change.money && (
        <Money amount={change.money.amount} currency={change.money.currencyCode} signed />
      )}
      {how === 'approve' && change.after && <Diff before={change.before ?? null} after={change.after} />}
    </ReasonDialog>
  );
}
