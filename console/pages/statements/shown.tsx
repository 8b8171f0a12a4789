import { Button, Group, Select, Stack, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { type Failure, failureOf } from '../../client/failure';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  BankStatementDocument,
  DropStatementDocument,
  ImportStatementDocument,
  type StatementLineState,
  type StatementTotalsFragment,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { Empty, FailureLine } from '../../parts/states';
import { Rows } from '../../parts/table';
import { nameOfRule } from './rules';

const STATES: Readonly<Record<StatementLineState, string>> = {
  BAD: 'Cannot be read',
  NEW: 'New: the import records it',
  KNOWN: 'Known from an earlier statement',
  PAIRED: 'Reported before',
  RECORDED: 'Recorded',
};

function Totals({ of: { totals, account } }: { of: StatementTotalsFragment }): ReactNode {
  return (
    <Rows
      label="Totals"
      columns={[
        { key: 'state', title: 'Lines', cell: ({ state }) => STATES[state] },
        { key: 'direction', title: 'Direction', cell: ({ direction }) => direction ?? '–' },
        { key: 'lines', title: 'Count', numeric: true, cell: ({ lines }) => lines },
        {
          key: 'amount',
          title: 'Amount',
          numeric: true,
          cell: ({ amount }) => <Money amount={amount} currency={account.currencyCode} />,
        },
      ]}
      rows={totals}
      keyOf={({ state, direction }) => `${state}${direction ?? ''}`}
    />
  );
}

/** The lines of a statement that rules explain. */
function Explained({ of: { explained, account } }: { of: StatementTotalsFragment }): ReactNode {
  if (explained.length === 0) return null;
  return (
    <Rows
      label="Explained by rules"
      columns={[
        { key: 'rule', title: 'Explained by', cell: ({ rule }) => nameOfRule(rule) },
        { key: 'lines', title: 'Count', numeric: true, cell: ({ lines }) => lines },
        {
          key: 'amount',
          title: 'Amount',
          numeric: true,
          cell: ({ amount }) => <Money amount={amount} currency={account.currencyCode} />,
        },
      ]}
      rows={explained}
      keyOf={({ rule }) => rule.id}
    />
  );
}

/** The shown lines: those that need attention, or those that rules explain. */
const SHOWN = [
  { value: 'open', label: 'New lines, and those that cannot be read' },
  { value: 'explained', label: 'Lines that rules explain' },
  { value: 'all', label: 'All lines' },
] as const;

/** One statement: the result of its import or dry run, its lines, and the next steps. */
export function Shown({ id, onChange }: { id: string; onChange: () => void }): ReactNode {
  const { me } = useSession();
  const client = useClient();
  const [show, setShow] = useState<string>('open');
  const [asked, ask] = useQuery({
    query: BankStatementDocument,
    variables: {
      id,
      states: show === 'open' ? (['BAD', 'NEW'] as StatementLineState[]) : null,
      explained: show === 'explained' ? true : null,
    },
  });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
    onChange();
  };
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const act = async (step: 'import' | 'drop'): Promise<void> => {
    setBusy(true);
    setFailure(null);
    for (;;) {
      const { data, error } =
        step === 'drop'
          ? await client.mutation(DropStatementDocument, { id, reason }).toPromise()
          : await client.mutation(ImportStatementDocument, { id, reason }).toPromise();
      if (error) setFailure(failureOf(error));
      const going =
        data && 'importStatement' in data && data.importStatement.status === 'IMPORTING';
      if (error || !going) break;
    }
    setBusy(false);
    look();
  };
  return (
    <Answer asked={asked} retry={look}>
      {({ bankStatement }) => {
        if (!bankStatement) return <Empty icon="search" title="No such statement" />;
        const { status, problem, lines } = bankStatement;
        const importable = problem === null && (status === 'READ' || status === 'IMPORTING');
        return (
          <Stack gap="md">
            {problem !== null && <p role="alert">It cannot be imported: {problem}.</p>}
            <Totals of={bankStatement} />
            <Explained of={bankStatement} />
            <Select
              label="Lines"
              data={[...SHOWN]}
              value={show}
              allowDeselect={false}
              onChange={(value) => {
                if (value !== null) setShow(value);
              }}
            />
            {lines.length > 0 && (
              <Rows
                label="Lines"
                columns={[
                  { key: 'line', title: 'Line', numeric: true, cell: ({ line }) => line },
                  { key: 'day', title: 'Day', cell: ({ day }) => day ?? '–' },
                  {
                    key: 'amount',
                    title: 'Amount',
                    numeric: true,
                    cell: ({ amount, direction }) =>
                      amount === null ? (
                        '–'
                      ) : (
                        <Money
                          amount={direction === 'DEBIT' ? `-${amount}` : amount}
                          currency={bankStatement.account.currencyCode}
                        />
                      ),
                  },
                  {
                    key: 'rule',
                    title: 'Rule',
                    cell: ({ rule }) => (rule ? nameOfRule(rule) : '–'),
                  },
                  {
                    key: 'what',
                    title: 'What',
                    cell: ({ problem: wrong, memo, raw }) => (
                      <span className="clip" title={raw ?? memo ?? undefined}>
                        {wrong ?? memo}
                      </span>
                    ),
                  },
                ]}
                rows={lines}
                keyOf={({ line }) => String(line)}
              />
            )}
            {may(me, 'RECONCILE') && status !== 'IMPORTED' && status !== 'DROPPED' && (
              <>
                <Textarea
                  label="Reason"
                  description="Recorded in the audit log."
                  value={reason}
                  onChange={({ currentTarget: { value } }) => {
                    setReason(value);
                  }}
                />
                <FailureLine failure={failure} />
                <Group gap="xs">
                  {importable && (
                    <Button
                      loading={busy}
                      disabled={reason.trim() === ''}
                      onClick={() => void act('import')}
                    >
                      {status === 'READ' ? 'Import' : 'Go on'}
                    </Button>
                  )}
                  {status !== 'IMPORTING' && (
                    <Button
                      variant="default"
                      loading={busy}
                      disabled={reason.trim() === ''}
                      onClick={() => void act('drop')}
                    >
                      Drop
                    </Button>
                  )}
                </Group>
              </>
            )}
          </Stack>
        );
      }}
    </Answer>
  );
}
