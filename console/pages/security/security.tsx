import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { inWords } from '../../format/words';
import {
  EndOtherSessionsDocument,
  EndSessionDocument,
  MySessionsDocument,
  type MySessionsQuery,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Facts, Page, Section } from '../../parts/page';
import { TroubleLine } from '../../parts/states';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';

type OpenSession = MySessionsQuery['me']['sessions'][number];

const COLUMNS: readonly Column<OpenSession>[] = [
  { key: 'kind', title: 'Login', cell: ({ cookie }) => (cookie ? 'Browser' : 'Program') },
  {
    key: 'current',
    title: 'Status',
    cell: ({ current }) =>
      current ? (
        <Status value="LIVE" words="This one" />
      ) : (
        <Status value="LIVE" tone="move" words="Open" />
      ),
  },
  { key: 'address', title: 'From', cell: ({ address }) => address ?? '–' },
  {
    key: 'agent',
    title: 'Browser',
    wideOnly: true,
    cell: ({ userAgent }) => (
      <span className="clip wide" title={userAgent ?? undefined}>
        {userAgent ?? '–'}
      </span>
    ),
  },
  { key: 'createdAt', title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { key: 'lastSeenAt', title: 'Last seen', cell: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
  {
    key: 'expiresAt',
    title: 'Ends at the latest',
    cell: ({ expiresAt }) => <Time at={expiresAt} />,
  },
];

/** One's own logins and what one may. */
export function SecurityPage(): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({ query: MySessionsDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  usePolled(look);
  const end = useAction(EndSessionDocument, 'The session is ended.');
  const endOthers = useAction(EndOtherSessionsDocument, 'All other sessions are ended.');
  return (
    <Page title="My security">
      <div className="stack">
        <Section title="Who I am">
          <Facts
            of={[
              ['Login', me.login],
              ['Roles', me.roles.map(inWords).join(', ')],
              ['May', me.permissions.map(inWords).join(', ')],
              [
                'Merchants',
                me.merchantIds === null ? 'all' : `${String(me.merchantIds.length)} of them`,
              ],
            ]}
          />
        </Section>
        <Section
          title="Sessions"
          flush
          actions={
            <Button
              variant="default"
              loading={endOthers.busy}
              onClick={async () => {
                await endOthers.run({});
                look();
              }}
            >
              End all others
            </Button>
          }
        >
          <TroubleLine trouble={end.trouble ?? endOthers.trouble} />
          <Answer asked={asked} retry={look}>
            {({ me: { sessions } }) => (
              <Rows
                label="Sessions"
                columns={COLUMNS}
                rows={sessions}
                keyOf={({ id }) => id}
                actions={({ id, current, address }) =>
                  !current && (
                    <Button
                      variant="subtle"
                      aria-label={`End the session from ${address ?? 'elsewhere'}`}
                      onClick={async () => {
                        await end.run({ id });
                        look();
                      }}
                    >
                      End
                    </Button>
                  )
                }
              />
            )}
          </Answer>
        </Section>
      </div>
    </Page>
  );
}
