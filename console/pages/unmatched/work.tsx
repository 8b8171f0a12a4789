import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import { NoteTransferDocument } from '../../generated/operations';
import { Facts, Section } from '../../parts/page';
import { FailureLine } from '../../parts/states';
import { Time } from '../../parts/time';
import type { Transfer } from './shown-transfer';

/** Who works on a bank credit, its due time, and the notes. */
export function Work({ transfer, look }: { transfer: Transfer; look: () => void }): ReactNode {
  const { me } = useSession();
  const { id: transferId, owner, note, dueAt } = transfer;
  const put = useAction(NoteTransferDocument);
  const [text, setText] = useState<string | null>(null);
  const allowed = may(me, 'RECONCILE');
  const mine = owner?.login === me.login;
  const send = async (change: { mine?: boolean; note?: string }): Promise<void> => {
    if (!(await put.run({ transferId, ...change }))) return;
    setText(null);
    look();
  };
  return (
    <Section
      title="Work"
      actions={
        allowed && (
          <Button variant="default" size="compact-sm" loading={put.busy} onClick={() => void send({ mine: !mine })}>
            {mine ? 'Release' : 'Take'}
          </Button>
        )
      }
    >
      <Facts
        of={[
          ['Owner', owner?.login ?? null],
          ['Due', dueAt && <Time at={dueAt} distance />],
          ['Note', note && <span className="wrap">{note}</span>],
        ]}
      />
      {allowed && (
        <form
          className="by-hand"
          onSubmit={(event) => {
            event.preventDefault();
            if (text !== null) void send({ note: text });
          }}
        >
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              label="Note"
              maxLength={500}
              value={text ?? note ?? ''}
              onChange={({ currentTarget: { value } }) => {
                setText(value);
              }}
              flex={1}
            />
            <Button type="submit" variant="default" disabled={text === null}>
              Keep
            </Button>
          </Group>
        </form>
      )}
      <FailureLine failure={put.failure} />
    </Section>
  );
}
