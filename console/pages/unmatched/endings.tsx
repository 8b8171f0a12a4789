import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useIdempotencyKey } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { From } from '../../parts/legs';
import { Section } from '../../parts/page';
import { Payee } from '../../parts/payee';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { Amount, type Draft, Lines, Merchant, OrderNo, Others, SameAs, type Set } from './ending-fields';
import { ENDINGS, type Ending, USUAL } from './ending-kinds';
import type { Transfer } from './shown-transfer';
import { useEnding } from './use-ending';

/** The form of one way to use a bank credit. */
export function EndDialog({
  ending,
  transfer,
  onDone,
  onClose,
}: {
  ending: Ending;
  transfer: Transfer;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const final = transfer.candidates.find(({ deposit }) => deposit.status !== 'PENDING')?.deposit;
  const open = transfer.candidates.filter(({ deposit }) => deposit.status === 'PENDING');
  const [draft, change] = useState<Draft>({
    orderNo: (ending === 'late' ? final : ending === 'combine' ? open[0]?.deposit : null)?.orderNo ?? '',
    merchantId: '',
    amount: '',
    sameAs: '',
    others: [],
    lines: [...open.map(({ deposit }) => deposit), { orderNo: '', amount: '' }]
      .slice(0, 2)
      .map((deposit) => ({ orderNo: deposit.orderNo, amount: deposit.amount })),
    payeeName: transfer.payerName ?? '',
    payeeAccount: transfer.payerAccount ?? '',
    payeeBank: '',
    returnsRest: false,
    from: '',
  });
  const set: Set = (changed) => {
    change((before) => ({ ...before, ...changed }));
  };
  const { busy, failure, ready, run } = useEnding(ending, transfer, draft);
  const idempotencyKey = useIdempotencyKey();
  const fields = { draft, set };
  return (
    <ProposeDialog
      title={ENDINGS[ending].title}
      act={ENDINGS[ending].words}
      needsEvidence
      wide={ending === 'split' || ending === 'combine'}
      usual={{ kind: ending, usual: USUAL[ending] }}
      busy={busy}
      failure={failure}
      ready={ready}
      onPropose={async ({ reason, evidence }) => {
        if (!evidence) return;
        const done = await run({ reason, evidence, idempotencyKey });
        if (!done) return;
        if (done.change) notifyProposed(done.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      {ending === 'late' && (
        <>
          <OrderNo {...fields} label="For the ended order" />
          <Merchant {...fields} />
          <Amount {...fields} transfer={transfer} />
        </>
      )}
      {ending === 'combine' && (
        <>
          <OrderNo {...fields} label="Order" />
          <Others {...fields} transfer={transfer} />
        </>
      )}
      {ending === 'split' && <Lines {...fields} transfer={transfer} />}
      {ending === 'back' && (
        <>
          <Payee {...fields} />
          <Amount {...fields} transfer={transfer} />
        </>
      )}
      {ending === 'topUp' && (
        <>
          <Merchant {...fields} />
          <Amount {...fields} transfer={transfer} />
        </>
      )}
      {ending === 'own' && (
        <From
          label="It came from"
          currencyCode={transfer.currencyCode}
          value={draft.from}
          onChange={(from) => {
            set({ from });
          }}
        />
      )}
      {ending === 'claim' && (
        <>
          <From
            label="Channel"
            only="channel"
            currencyCode={transfer.currencyCode}
            value={draft.from}
            onChange={(from) => {
              set({ from });
            }}
          />
          <Amount {...fields} transfer={transfer} />
        </>
      )}
      {ending === 'twice' && <SameAs {...fields} transfer={transfer} />}
      {ending === 'payout' && <OrderNo {...fields} label="Withdrawal" />}
      {ending === 'off' && <Amount {...fields} transfer={transfer} />}
    </ProposeDialog>
  );
}

/** The ways to use a bank credit, besides a match. */
export function Endings({ onChoose }: { onChoose: (ending: Ending) => void }): ReactNode {
  const { me } = useSession();
  if (!may(me, 'RECONCILE') && !may(me, 'TREASURER')) return null;
  return (
    <Section title="End it otherwise">
      <Group gap="xs">
        {(Object.keys(ENDINGS) as Ending[]).map((ending) => (
          <Button
            key={ending}
            variant="default"
            size="compact-sm"
            title={`${ENDINGS[ending].title} (${ENDINGS[ending].key})`}
            onClick={() => {
              onChoose(ending);
            }}
          >
            {ENDINGS[ending].words}
          </Button>
        ))}
      </Group>
    </Section>
  );
}
