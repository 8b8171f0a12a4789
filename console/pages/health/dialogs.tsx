import { Select, SimpleGrid, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import {
  EndOutageDocument,
  EnterOutageDocument,
  MoveWaitingDocument,
  type OutageFieldsFragment,
} from '../../generated/operations';
import { ReasonDialog } from '../../parts/reason';
import type { BoardChannel } from './standing';

/** The banks and channels of an outage, as choices. */
export interface Subject {
  readonly value: string;
  readonly label: string;
}

/** The UTC time of a datetime-local field; empty: none. */
const utcOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

/** Enters an outage of a bank or a channel. */
export function EnterOutage({
  subjects,
  chosen,
  onClose,
}: {
  /** `bank:CODE` or `channel:id`. */
  subjects: readonly Subject[];
  chosen: string | null;
  onClose: () => void;
}): ReactNode {
  const enter = useAction(EnterOutageDocument, 'Outage entered.');
  const [subject, setSubject] = useState(chosen);
  const [begins, setBegins] = useState('');
  const [ends, setEnds] = useState('');
  return (
    <ReasonDialog
      title="Enter an outage"
      act="Enter"
      danger
      busy={enter.busy}
      failure={enter.failure}
      ready={subject !== null}
      usual={{ kind: 'outage', usual: ['They announced maintenance', 'Payers report errors'] }}
      onAct={(reason) => {
        const [kind = '', ...rest] = (subject ?? '').split(':');
        const id = rest.join(':');
        const of = kind === 'bank' ? { bankCode: id } : { channelId: id };
        const input = { ...of, beginsAt: utcOf(begins), endsAt: utcOf(ends) };
        void enter.run({ input, reason }).then((done) => {
          if (done) onClose();
        });
      }}
      onClose={onClose}
    >
      <p>A bank’s accounts, or the channel, get no new orders meanwhile. Orders under way continue.</p>
      <Select
        label="Bank or channel"
        data={subjects.map(({ value, label }) => ({ value, label }))}
        searchable
        value={subject}
        onChange={setSubject}
        required
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <TextInput
          label="From"
          description="Empty: now"
          type="datetime-local"
          value={begins}
          onChange={({ currentTarget: { value } }) => {
            setBegins(value);
          }}
        />
        <TextInput
          label="To"
          description="Empty: until an operator ends it"
          type="datetime-local"
          value={ends}
          onChange={({ currentTarget: { value } }) => {
            setEnds(value);
          }}
        />
      </SimpleGrid>
    </ReasonDialog>
  );
}

/** The bank or channel of an outage. */
export const outageOf = ({ bankCode, channel }: OutageFieldsFragment): string =>
  channel?.name ?? `Bank ${bankCode ?? ''}`;

/** Ends an outage. */
export function EndOutage({ outage, onClose }: { outage: OutageFieldsFragment; onClose: () => void }): ReactNode {
  const end = useAction(EndOutageDocument, 'Outage ended.');
  return (
    <ReasonDialog
      title={`End the outage: ${outageOf(outage)}`}
      act="End it"
      busy={end.busy}
      failure={end.failure}
      usual={{ kind: 'outage-end', usual: ['It works again', 'It was entered by mistake'] }}
      onAct={(reason) => {
        void end.run({ id: outage.id, reason }).then((done) => {
          if (done) onClose();
        });
      }}
      onClose={onClose}
    >
      <p>Orders go there again from now on.</p>
    </ReasonDialog>
  );
}

/** Moves waiting orders of a channel to the next one. */
export function MoveWaiting({ channel, onClose }: { channel: BoardChannel; onClose: () => void }): ReactNode {
  const move = useAction(MoveWaitingDocument, 'Orders moved.');
  return (
    <ReasonDialog
      title={`Move orders from ${channel.name}`}
      act="Move"
      danger
      busy={move.busy}
      failure={move.failure}
      onAct={(reason) => {
        void move.run({ channelId: channel.id, reason }).then((done) => {
          if (done) onClose();
        });
      }}
      onClose={onClose}
    >
      <p>
        Orders that were never sent to the channel go to the next one; without one, a payout becomes a manual payout.
        Orders that may have been sent stay.
      </p>
    </ReasonDialog>
  );
}
