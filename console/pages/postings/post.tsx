import { Button, Menu, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { useIdempotencyKey } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { Book, From, To } from '../../parts/legs';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { type ActName, actOf, ACTS, type Ask } from './acts';
import { type Draft, useAct } from './use-act';

const EMPTY: Draft = { from: '', to: '', book: '', currency: '', amount: '' };

/** The key of each field's value. */
const PLACE: Readonly<Record<Ask, keyof Draft>> = {
  debit: 'from',
  from: 'from',
  to: 'to',
  book: 'book',
  channel: 'book',
  currency: 'currency',
  amount: 'amount',
};

/** The form of one posting, which proposes or posts it. */
export function PostDialog({
  name,
  begun = {},
  onDone,
  onClose,
}: {
  name: ActName;
  /** The known values. */
  begun?: Partial<Draft>;
  onDone: () => void;
  onClose: () => void;
}): ReactNode {
  const act = actOf(name);
  const [draft, setDraft] = useState<Draft>({ ...EMPTY, ...begun });
  const { busy, failure, run } = useAct(name, draft);
  const idempotencyKey = useIdempotencyKey();
  const set = (change: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...change }));
  };
  const text = (label: string, place: 'currency' | 'amount', description: string): ReactNode => (
    <TextInput
      label={label}
      description={description}
      value={draft[place]}
      onChange={({ currentTarget: { value } }) => {
        set({ [place]: value });
      }}
      {...(place === 'amount' && { inputMode: 'decimal' as const })}
    />
  );
  // An account has its own currency.
  const asked = act.asks.filter((one) => one !== 'currency' || !draft.book.startsWith('account:'));
  const has = (one: (typeof asked)[number]): boolean => asked.includes(one);
  const ready =
    asked.every((one) => act.may.includes(one) || draft[PLACE[one]].trim() !== '') &&
    (name !== 'move' || draft.from !== '' || draft.to !== '');
  return (
    <ProposeDialog
      title={act.title}
      act="Post"
      needsEvidence={act.two}
      usual={{ kind: `posting-${name}`, usual: act.usual }}
      busy={busy}
      failure={failure}
      ready={ready}
      onPropose={async ({ reason, evidence }) => {
        const done = await run({ reason, evidence, idempotencyKey });
        if (!done) return;
        if (done.change) notifyProposed(done.change);
        else notifications.show({ message: 'Posted.', color: 'tide' });
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{act.says}</p>
      {has('debit') && (
        <From
          label="Bank debit"
          only="debit"
          value={draft.from}
          onChange={(from) => {
            set({ from });
          }}
        />
      )}
      {has('from') && (
        <From
          label="It left"
          value={draft.from}
          onChange={(from) => {
            set({ from });
          }}
        />
      )}
      {has('to') && (
        <To
          label="It arrived"
          value={draft.to}
          onChange={(to) => {
            set({ to });
          }}
        />
      )}
      {(has('book') || has('channel')) && (
        <Book
          label={has('book') ? 'Account or channel' : 'Channel'}
          {...(has('channel') && { only: 'channel' as const })}
          value={draft.book}
          onChange={(book) => {
            set({ book });
          }}
        />
      )}
      {has('currency') && text('Currency', 'currency', name === 'move' ? 'Unless a bank row says it' : 'ISO 4217')}
      {has('amount') && text('Amount', 'amount', amountWords(name))}
    </ProposeDialog>
  );
}

function amountWords(name: ActName): string {
  if (name === 'charge' || name === 'profit') return 'Empty: the unused part';
  if (name === 'move') return 'Unless a bank row says it';
  return name === 'open' || name === 'correct' ? 'With a minus: less' : 'Greater than zero';
}

/** Chooses the kind of posting. */
export function PostMenu({
  of = Object.keys(ACTS) as ActName[],
  onChoose,
}: {
  /** The offered kinds; by default all. */
  of?: readonly ActName[];
  onChoose: (name: ActName) => void;
}): ReactNode {
  const { me } = useSession();
  const names = of.filter((name) => actOf(name).power.some((power) => may(me, power)));
  if (names.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button>Post</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {names.map((name) => (
          <Menu.Item
            key={name}
            onClick={() => {
              onChoose(name);
            }}
          >
            {actOf(name).words}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
