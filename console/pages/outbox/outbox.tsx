import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import { count, inWords } from '../../format/words';
import {
  DropOutboxRowDocument,
  type OutboxRowFieldsFragment,
  ParkedOutboxRowsDocument,
  ReleaseOutboxRowsDocument,
} from '../../generated/operations';
import { List, useList } from '../../parts/list';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { ReasonDialog } from '../../parts/reason';
import { Empty } from '../../parts/states';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';

const COLUMNS: readonly Column<OutboxRowFieldsFragment>[] = [
  {
    key: 'workflow',
    title: 'Workflow',
    cell: ({ workflow }) => <span className="mono wrap">{workflow.id}</span>,
  },
  { key: 'noun', title: 'About', cell: ({ noun }) => inWords(noun) },
  {
    key: 'error',
    title: 'Temporal said',
    cell: ({ lastError }) => <span className="wrap">{lastError ?? '–'}</span>,
  },
  { key: 'refusals', title: 'Refusals', cell: ({ refusals }) => String(refusals) },
  {
    key: 'parkedAt',
    title: 'Parked',
    cell: ({ parkedAt }) => (parkedAt ? <Time at={parkedAt} /> : '–'),
  },
];

/** Proposes to drop a row. */
function DropRow({ row, onClose }: { row: OutboxRowFieldsFragment; onClose: () => void }): ReactNode {
  const drop = useAction(DropOutboxRowDocument);
  return (
    <ProposeDialog
      title="Drop a parked row"
      act="Propose to drop"
      danger
      busy={drop.busy}
      failure={drop.failure}
      onPropose={async (why) => {
        const done = await drop.run({ id: row.id, ...why });
        if (!done) return;
        notifyProposed(done.dropOutboxRow.change);
        onClose();
      }}
      onClose={onClose}
    >
      The workflow {row.workflow.id} is not woken by this row again. Drop it only if a release cannot help.
    </ProposeDialog>
  );
}

/** Releases all rows that are shown. */
function ReleaseRows({ ids, onClose }: { ids: readonly string[]; onClose: () => void }): ReactNode {
  const release = useAction(ReleaseOutboxRowsDocument);
  return (
    <ReasonDialog
      title="Release parked rows"
      act="Release"
      busy={release.busy}
      failure={release.failure}
      onAct={async (reason) => {
        const done = await release.run({ ids: [...ids], reason });
        if (!done) return;
        const refused = done.releaseOutboxRows.filter(({ code }) => code !== null);
        const [first] = refused;
        notifications.show({
          message: `${count(ids.length - refused.length, 'row')} released.${first ? ` ${count(refused.length, 'row')} not: ${first.message ?? ''}` : ''}`,
          color: first ? 'yellow.9' : 'tide',
        });
        onClose();
      }}
      onClose={onClose}
    >
      {ids.length === 1
        ? 'The row is sent to Temporal again.'
        : `${count(ids.length, 'row')} are sent to Temporal again.`}
    </ReasonDialog>
  );
}

/** Rows that Temporal refused ten times: a person fixes the cause and releases them. */
export function OutboxPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const list = useList(ParkedOutboxRowsDocument, pageOf(url), ({ parkedOutboxRows }) => parkedOutboxRows);
  usePolled(list.look);
  const look = (): void => {
    list.held.adopt();
    list.look();
  };
  const [releasing, setReleasing] = useState<readonly string[] | null>(null);
  const [dropping, setDropping] = useState<OutboxRowFieldsFragment | null>(null);
  const supports = may(me, 'SUPPORT');
  const shown = (list.page?.nodes ?? []).slice(0, 100).map(({ id }) => id);
  return (
    <Page
      title="Parked work"
      actions={
        supports &&
        shown.length > 1 && (
          <Button
            variant="default"
            onClick={() => {
              setReleasing(shown);
            }}
          >
            Release all shown
          </Button>
        )
      }
    >
      <List
        list={list}
        label="Parked rows"
        columns={COLUMNS}
        empty={
          <Empty icon="check" title="Nothing is parked">
            Temporal has accepted every row.
          </Empty>
        }
        actions={(row) =>
          supports && (
            <Group gap="xs" wrap="nowrap">
              <Button
                variant="subtle"
                aria-label={`Release ${row.workflow.id}`}
                onClick={() => {
                  setReleasing([row.id]);
                }}
              >
                Release
              </Button>
              <Button
                variant="subtle"
                aria-label={`Drop ${row.workflow.id}`}
                onClick={() => {
                  setDropping(row);
                }}
              >
                Drop
              </Button>
            </Group>
          )
        }
      />
      {releasing && (
        <ReleaseRows
          ids={releasing}
          onClose={() => {
            setReleasing(null);
            look();
          }}
        />
      )}
      {dropping && (
        <DropRow
          row={dropping}
          onClose={() => {
            setDropping(null);
            look();
          }}
        />
      )}
    </Page>
  );
}
