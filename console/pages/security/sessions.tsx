import type { ReactNode } from 'react';
import type { SessionRowFragment } from '../../generated/operations';
import { Status } from '../../parts/status';
import { type Column, Rows } from '../../parts/table';
import { Time } from '../../parts/time';

const COLUMNS: readonly Column<SessionRowFragment>[] = [
  { key: 'kind', title: 'Login', cell: ({ cookie }) => (cookie ? 'Browser' : 'Program') },
  {
    key: 'current',
    title: 'Status',
    cell: ({ current }) =>
      current ? <Status value="LIVE" words="This one" /> : <Status value="LIVE" tone="move" words="Open" />,
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

/** Open sessions. @param action the action for one */
export function Sessions({
  sessions,
  action,
}: {
  sessions: readonly SessionRowFragment[];
  action: (session: SessionRowFragment) => ReactNode;
}): ReactNode {
  return <Rows label="Sessions" columns={COLUMNS} rows={sessions} keyOf={({ id }) => id} actions={action} />;
}
