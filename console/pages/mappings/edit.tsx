import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { PutChannelMappingDocument, SaveChannelMappingDocument } from '../../generated/operations';
import { Dialog } from '../../parts/dialog';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { FailureLine } from '../../parts/states';

type Json = Record<string, unknown>;

/** The object of a JSON text; null if it is not one. */
function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null;
  } catch {
    return null;
  }
}

/** Saves a version of a mapping. Each error is shown with its path. */
export function SaveMapping({
  channelId,
  from,
  onClose,
}: {
  channelId: string;
  /** The mapping to change; null: the first one. */
  from: Json | null;
  onClose: () => void;
}): ReactNode {
  const save = useAction(SaveChannelMappingDocument, 'The version is saved. Try it next.');
  const [text, setText] = useState(() => (from ? JSON.stringify(from, null, 2) : ''));
  const [note, setNote] = useState('');
  const mapping = parse(text);
  return (
    <Dialog title="New version of the mapping" size="lg" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!mapping) return;
          void save.run({ channelId, mapping, note: note.trim() }).then((done) => {
            if (done) onClose();
          });
        }}
      >
        <Stack gap="sm">
          <Textarea
            label="Mapping"
            description="JSON, as docs/channels.md describes it. docs/mappings has examples to begin with."
            value={text}
            onChange={({ currentTarget: { value } }) => {
              setText(value);
            }}
            error={text !== '' && !mapping ? 'This is not a JSON object.' : undefined}
            styles={{ input: { fontFamily: 'monospace' } }}
            rows={18}
            spellCheck={false}
            required
            data-autofocus
          />
          <TextInput
            label="What is new"
            value={note}
            onChange={({ currentTarget: { value } }) => {
              setNote(value);
            }}
            maxLength={256}
            required
          />
          <FailureLine failure={save.failure} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.busy} disabled={!mapping || note.trim() === ''}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Proposes to put a version in force. */
export function PutMapping({
  channelId,
  version,
  onClose,
}: {
  channelId: string;
  version: number;
  onClose: () => void;
}): ReactNode {
  const put = useAction(PutChannelMappingDocument);
  return (
    <ProposeDialog
      title={`Put version ${String(version)} in force`}
      busy={put.busy}
      failure={put.failure}
      onPropose={async (why) => {
        const done = await put.run({ channelId, version, ...why });
        if (!done) return;
        notifyProposed(done.putChannelMapping.change);
        onClose();
      }}
      onClose={onClose}
    >
      The channel uses it once another operator has approved. Payouts and deposits under way continue with it.
    </ProposeDialog>
  );
}
