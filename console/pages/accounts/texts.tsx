import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { AgentTextsDocument, SetTextWithoutMoneyDocument, type TextRowFragment } from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Section } from '../../parts/page';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import { Rows } from '../../parts/table';
import { Time } from '../../parts/time';
import { Devices } from './devices';
import { Patterns } from './patterns';

function Unread(): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({
    query: AgentTextsDocument,
    variables: { states: ['UNREAD' as const] },
  });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const end = useAction(SetTextWithoutMoneyDocument, 'Marked.');
  const [acting, setActing] = useState<TextRowFragment | null>(null);
  return (
    <Section title="Unread messages">
      <Answer asked={asked} retry={look}>
        {({ agentTexts }) =>
          agentTexts.length === 0 ? (
            <Empty icon="check" title="No unread messages">
              Messages that no pattern reads wait here, and are read again by a newer one.
            </Empty>
          ) : (
            <Rows
              label="Unread messages"
              columns={[
                { key: 'came', title: 'Came', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
                { key: 'account', title: 'Account', cell: ({ account }) => account.name },
                { key: 'sender', title: 'Sender', cell: ({ sender }) => sender },
                { key: 'text', title: 'Text', cell: ({ text }) => text },
                { key: 'problem', title: 'Why', cell: ({ problem }) => problem ?? 'not paired' },
              ]}
              rows={agentTexts}
              keyOf={({ id }) => id}
              actions={(text) =>
                may(me, 'RECONCILE') && (
                  <Button
                    variant="subtle"
                    onClick={() => {
                      setActing(text);
                    }}
                  >
                    Reports no money
                  </Button>
                )
              }
            />
          )
        }
      </Answer>
      {acting && (
        <ReasonDialog
          title="It reports no money"
          act="Save"
          busy={end.busy}
          failure={end.failure}
          onAct={async (reason) => {
            if (!(await end.run({ id: acting.id, reason }))) return;
            setActing(null);
            look();
          }}
          onClose={() => {
            setActing(null);
          }}
        >
          <p>{acting.text}</p>
        </ReasonDialog>
      )}
    </Section>
  );
}

/** Messages of banks: those that wait, the devices that forward them, and the patterns that read them. */
export function Texts(): ReactNode {
  return (
    <Stack gap="lg">
      <Unread />
      <Devices />
      <Patterns />
    </Stack>
  );
}
