import { type ReactNode, useState } from 'react';
import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { useAction, useIdempotencyKey } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { isZero } from '../../format/money';
import { CreditLateMoneyDocument, ReturnLateMoneyDocument, WriteOffMoneyDocument } from '../../generated/operations';
import { Money } from '../../parts/money';
import { Facts, Section } from '../../parts/page';
import { ProposeDialog, notifyProposed } from '../../parts/propose';
import { Time } from '../../parts/time';
import type { Deposit } from './story';

/** The ways to use late money. */
const ENDINGS = {
  credit: { words: 'Credit it late', about: 'The merchant gets it, less its fee.' },
  back: {
    words: 'The channel gave it back',
    about: 'The channel reports that the payer has it back.',
  },
  off: { words: 'Write it off', about: 'Nobody claims it. A later claim is still paid.' },
} as const;
type Ending = keyof typeof ENDINGS;

function EndDialog({
  deposit: { orderNo },
  ending,
  onDone,
  onClose,
}: {
  deposit: Deposit;
  ending: Ending;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const actions = {
    credit: useAction(CreditLateMoneyDocument),
    back: useAction(ReturnLateMoneyDocument),
    off: useAction(WriteOffMoneyDocument),
  };
  const idempotencyKey = useIdempotencyKey();
  const { busy, failure } = actions[ending];
  return (
    <ProposeDialog
      title={`${ENDINGS[ending].words}: ${orderNo}`}
      needsEvidence
      busy={busy}
      failure={failure}
      onPropose={async ({ reason, evidence }) => {
        if (!evidence) return;
        const asked = { orderNo, reason, evidence, idempotencyKey };
        const done =
          (ending === 'credit' && (await actions.credit.run(asked))?.creditLateMoney) ||
          (ending === 'back' && (await actions.back.run(asked))?.returnLateMoney) ||
          (ending === 'off' && (await actions.off.run(asked))?.writeOffMoney);
        if (!done) return;
        if (done.change) notifyProposed(done.change);
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p className="note">{ENDINGS[ending].about} The order stays as it is.</p>
    </ProposeDialog>
  );
}

/** The money that channels received after the order had ended, and the ways to use it. */
export function LateReceipts({ deposit, look }: { deposit: Deposit; look: () => void }): ReactNode {
  const { me } = useSession();
  const [ending, setEnding] = useState<Ending | null>(null);
  const { lateReceipts, currencyCode } = deposit;
  if (lateReceipts.length === 0) return null;
  const money = (amount: string): ReactNode => <Money amount={amount} currency={currencyCode} />;
  const waits = lateReceipts.some(({ rest }) => !isZero(rest));
  const mayEnd = waits && (may(me, 'RECONCILE') || may(me, 'TREASURER'));
  return (
    <Section title="Late money at a channel">
      {lateReceipts.map(({ id, channelId, channelName, amount, cost, rest, at }) => (
        <Facts
          key={id}
          of={[
            ['Channel', <Link to={`/channels/${channelId}`}>{channelName}</Link>],
            ['Received', money(amount)],
            ['Its charge', isZero(cost) ? null : money(cost)],
            ['Still waits', money(rest)],
            ['At', <Time at={at} />],
          ]}
        />
      ))}
      {mayEnd && (
        <Group gap="xs" mt="xs">
          {(Object.keys(ENDINGS) as Ending[]).map((one) => (
            <Button
              key={one}
              variant="default"
              size="compact-sm"
              onClick={() => {
                setEnding(one);
              }}
            >
              {ENDINGS[one].words}
            </Button>
          ))}
        </Group>
      )}
      {ending !== null && (
        <EndDialog
          deposit={deposit}
          ending={ending}
          onDone={look}
          onClose={() => {
            setEnding(null);
          }}
        />
      )}
    </Section>
  );
}
