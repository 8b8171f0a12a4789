import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { EXPLAINED_KINDS } from '../../../domain/recovery';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  type RecoveryFieldsFragment,
  type RecoveryFindingKind,
  type RecoveryFindingRowFragment,
  RecoveryFindingsDocument,
  RecoveryStateDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { ChoiceFilter, Filters, listOf, someOf } from '../../parts/filters';
import { List, useList } from '../../parts/list';
import { Facts, Page, Section } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status, type Tone } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { EndDialog, ExplainDialog, NumberDialog } from './dialogs';

const KINDS: Readonly<Record<RecoveryFindingKind, readonly [words: string, tone: Tone]>> = {
  UNANSWERED: ['A channel did not answer', 'bad'],
  UNEXPLAINED: ['Paid there, cannot follow here', 'bad'],
  OPEN_RETURN: ['Return that may be sent', 'wait'],
  UNKNOWN_HERE: ['Paid there, unknown here', 'bad'],
  NO_LIST: ['The channel has no list', 'wait'],
  LOST_NUMBER: ['Number answered and lost', 'wait'],
  AT_CHANNEL: ['At a channel', 'good'],
  NOT_PAID: ['Unknown at the channels', 'good'],
};
const NAMES = Object.keys(KINDS) as RecoveryFindingKind[];

const COLUMNS: readonly Column<RecoveryFindingRowFragment>[] = [
  {
    key: 'kind',
    title: 'Finding',
    cell: ({ kind }) => <Status value={kind} words={KINDS[kind][0]} tone={KINDS[kind][1]} />,
  },
  {
    key: 'subject',
    title: 'About',
    cell: ({ subject }) => <span className="mono wrap">{subject}</span>,
  },
  {
    key: 'detail',
    title: 'In words',
    cell: ({ detail, explainedBy }) => (
      <span className="wrap">
        {detail}
        {explainedBy !== null && (
          <>
            {' '}
            <Link to={`/changes/${explainedBy}`}>Explained</Link>
          </>
        )}
      </span>
    ),
  },
  { key: 'foundAt', title: 'Found', wideOnly: true, cell: ({ foundAt }) => <Time at={foundAt} /> },
];

/** What two people can explain. */
const toExplain = (rows: readonly RecoveryFindingRowFragment[]) =>
  rows.filter(({ kind, explainedBy }) => explainedBy === null && EXPLAINED_KINDS.has(kind));

function State({ of }: { of: RecoveryFieldsFragment }): ReactNode {
  const { epoch, lostSince, begunAt, askedAt, endedAt, problem, openDeposits, counts } = of;
  const counted = NAMES.flatMap((kind) => {
    const count = counts.find((one) => one.kind === kind)?.count ?? 0;
    return count > 0 ? [`${KINDS[kind][0]}: ${count}`] : [];
  });
  return (
    <Section title={endedAt === null ? 'RECOVERY goes on' : 'The recovery has ended'}>
      {endedAt === null && (
        <p className="note warn">
          The database was restored to an earlier state. No payout is sent and nothing expires until two people end the
          recovery. {problem !== null && `It cannot end yet: ${problem}.`}
        </p>
      )}
      <Facts
        of={[
          ['Lost since', <Time at={lostSince} />],
          ['Noticed', <Time at={begunAt} />],
          ['Channels asked', askedAt && <Time at={askedAt} />],
          ['Ended', endedAt && <Time at={endedAt} />],
          ['Epoch', epoch],
          ['Found', counted.join('; ') || null],
          ['Deposits that wait for a report', openDeposits],
        ]}
      />
      {endedAt === null && (
        <p>
          Let every bank agent report all credits and debits since <Time at={lostSince} /> again: known reports change
          nothing.
        </p>
      )}
      <p className="dim">
        What people pay by hand is in no channel's records: before a withdrawal or a return from before is paid by hand,
        compare it with the statement of the bank since <Time at={lostSince} />, and explain its finding.
      </p>
    </Section>
  );
}

/** What was lost and found after the database was restored, and the end of it. */
export function RecoveryPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [asked, ask] = useQuery({ query: RecoveryStateDocument });
  const kinds = someOf(listOf(url, 'kind'), NAMES);
  const variables = { ...pageOf(url), filter: { kind: kinds } };
  const rows = useList(RecoveryFindingsDocument, variables, ({ recoveryFindings }) => recoveryFindings);
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
    rows.held.adopt();
    rows.look();
  };
  usePolled(look);
  const [dialog, setDialog] = useState<'end' | 'number' | null>(null);
  const [explained, setExplained] = useState<readonly RecoveryFindingRowFragment[] | null>(null);
  const listed = toExplain(rows.page?.nodes ?? []);
  const recovery = asked.data?.recovery;
  const goesOn = recovery?.endedAt === null;
  const close = (): void => {
    setDialog(null);
  };
  return (
    <Page
      title="Recovery"
      actions={
        <>
          {may(me, 'TREASURER') && kinds && listed.length > 1 && (
            <Button
              variant="default"
              onClick={() => {
                setExplained(listed);
              }}
            >
              Explain the {listed.length} that are shown
            </Button>
          )}
          {goesOn && (
            <>
              {may(me, 'SUPPORT') && (
                <Button
                  variant="default"
                  onClick={() => {
                    setDialog('number');
                  }}
                >
                  Enter a lost number
                </Button>
              )}
              {may(me, 'TREASURER') && (
                <Button
                  disabled={recovery.problem !== null}
                  onClick={() => {
                    setDialog('end');
                  }}
                >
                  End the recovery
                </Button>
              )}
            </>
          )}
        </>
      }
    >
      <Answer asked={asked} retry={look}>
        {(data) =>
          data.recovery ? (
            <State of={data.recovery} />
          ) : (
            <p className="dim">The database was never restored to an earlier state.</p>
          )
        }
      </Answer>
      <Filters names={['kind']}>
        <ChoiceFilter name="kind" label="Finding" choices={NAMES.map((value) => ({ value, label: KINDS[value][0] }))} />
      </Filters>
      <List
        list={rows}
        label="Findings"
        columns={COLUMNS}
        actions={(row) =>
          may(me, 'TREASURER') &&
          toExplain([row]).length > 0 && (
            <Button
              variant="subtle"
              aria-label={`Explain ${row.subject}`}
              onClick={() => {
                setExplained([row]);
              }}
            >
              Explain
            </Button>
          )
        }
        empty={
          <Empty icon="rules" title="No findings">
            {kinds ? 'Nothing matches these filters.' : 'No findings.'}
          </Empty>
        }
      />
      {dialog === 'end' && <EndDialog onDone={look} onClose={close} />}
      {explained && (
        <ExplainDialog
          findings={explained}
          onDone={look}
          onClose={() => {
            setExplained(null);
          }}
        />
      )}
      {dialog === 'number' && <NumberDialog onDone={look} onClose={close} />}
    </Page>
  );
}
