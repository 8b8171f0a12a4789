import { Select, Switch, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { environment } from '../../client/page-settings';
import {
  type ChannelKind,
  CreateChannelDocument,
  type MockOutcome,
  SetChannelEnabledDocument,
  SetMockOutcomeDocument,
  UpdateChannelDocument,
} from '../../generated/operations';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { ReasonDialog } from '../../parts/reason';
import { type Channel, draftOf, NEW, problemOf, settingsOf } from './draft';
import { choices, Fields } from './fields';

const OUTCOMES: readonly MockOutcome[] = ['PENDING', 'COMPLETED', 'FAILED'];

/** Proposes a channel. */
export function NewChannel({ onClose }: { onClose: () => void }): ReactNode {
  const create = useAction(CreateChannelDocument);
  const [kind, setKind] = useState<ChannelKind>(environment() === 'sandbox' ? 'MOCK' : 'HTTP');
  const [channelCode, setCode] = useState('');
  const [mapped, setMapped] = useState(false);
  const [draft, setDraft] = useState(NEW);
  return (
    <ProposeDialog
      title="New channel"
      wide
      busy={create.busy}
      failure={create.failure}
      ready={channelCode !== '' && draft.name.trim() !== '' && problemOf(draft) === null}
      onPropose={async (why) => {
        const declared = kind === 'HTTP' && mapped;
        const input = {
          channelCode,
          kind,
          settings: settingsOf(draft, kind),
          ...(declared && { mapped: true }),
        };
        const done = await create.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.createChannel.change);
        onClose();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Code"
        description="a-z, 0-9 and -. Part of its webhook address; cannot be changed later"
        value={channelCode}
        onChange={({ currentTarget: { value } }) => {
          setCode(value.trim().toLowerCase());
        }}
        data-autofocus
        required
      />
      {environment() === 'sandbox' && (
        <Select
          label="Kind"
          data={[
            { value: 'MOCK', label: 'Mock' },
            { value: 'HTTP', label: 'HTTP' },
          ]}
          allowDeselect={false}
          value={kind}
          onChange={(value) => {
            setKind(value === 'HTTP' ? 'HTTP' : 'MOCK');
          }}
        />
      )}
      {kind === 'HTTP' && (
        <Switch
          label="Uses a declared mapping"
          description="Cannot be changed later. It stays disabled until a mapping is in force. Off: it uses our own protocol"
          checked={mapped}
          onChange={({ currentTarget: { checked } }) => {
            setMapped(checked);
          }}
        />
      )}
      <Fields kind={kind} draft={draft} onChange={setDraft} />
    </ProposeDialog>
  );
}

/** Proposes a change of a channel's settings. */
export function EditChannel({ channel, onClose }: { channel: Channel; onClose: () => void }): ReactNode {
  const update = useAction(UpdateChannelDocument);
  const [draft, setDraft] = useState(() => draftOf(channel));
  return (
    <ProposeDialog
      title={`Settings of ${channel.name}`}
      wide
      busy={update.busy}
      failure={update.failure}
      ready={draft.name.trim() !== '' && problemOf(draft) === null}
      onPropose={async (why) => {
        const settings = settingsOf(draft, channel.kind);
        const done = await update.run({ id: channel.id, settings, ...why });
        if (!done) return;
        notifyProposed(done.updateChannel.change);
        onClose();
      }}
      onClose={onClose}
    >
      <Fields kind={channel.kind} draft={draft} onChange={setDraft} />
    </ProposeDialog>
  );
}

/** Proposes to enable a channel, or disables it at once. */
export function EnableChannel({ channel, onClose }: { channel: Channel; onClose: () => void }): ReactNode {
  const set = useAction(SetChannelEnabledDocument);
  const { id, name, enabled } = channel;
  return (
    <ProposeDialog
      title={`${enabled ? 'Disable' : 'Enable'} ${name}`}
      act={enabled ? 'Disable' : 'Propose'}
      danger={enabled}
      busy={set.busy}
      failure={set.failure}
      onPropose={async (why) => {
        const done = await set.run({ id, enabled: !enabled, ...why });
        if (!done) return;
        notifyProposed(done.setChannelEnabled.change);
        onClose();
      }}
      onClose={onClose}
    >
      {enabled
        ? 'It gets no new payouts and deposits from now on. Orders under way continue.'
        : 'It gets payouts and deposits once another operator has approved.'}
    </ProposeDialog>
  );
}

/** Sets the outcome of the open orders of a mock channel. */
export function MockDialog({ channel, onClose }: { channel: Channel; onClose: () => void }): ReactNode {
  const set = useAction(SetMockOutcomeDocument, 'The outcome is set.');
  const [outcome, setOutcome] = useState<MockOutcome>(channel.mockOutcome ?? 'COMPLETED');
  return (
    <ReasonDialog
      title={`Outcome of ${channel.name}`}
      act="Set"
      busy={set.busy}
      failure={set.failure}
      onAct={async (reason) => {
        if (await set.run({ id: channel.id, outcome, reason })) onClose();
      }}
      onClose={onClose}
    >
      <Select
        label="Outcome"
        description="Of its open payouts and deposits, at once"
        data={choices(OUTCOMES)}
        allowDeselect={false}
        value={outcome}
        onChange={(value) => {
          setOutcome((value as MockOutcome | null) ?? outcome);
        }}
      />
    </ReasonDialog>
  );
}
