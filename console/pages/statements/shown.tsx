import { Button, Group, Select, Stack, Textarea } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { useAction } from '../../client/action';
import { type Failure, failureOf } from '../../client/failure';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  BankStatementDocument,
  ConfirmStatementDocument,
  DropStatementDocument,
  ExplainStatementDocument,
  ImportStatementDocument,
  type StatementLineState,
  type StatementTotalsFragment,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Money } from '../../parts/money';
import { notifyProposed } from '../../parts/propose';
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

/** What contradicts a statement, and who said that its file is the bank's. */
function Proof({
  of: { account, confirmedBy, contradiction, difference, gap, problem, status },
}: {
  of: StatementTotalsFragment;
}): ReactNode {
  const amount = difference !== null && <Money amount={difference} currency={account.currencyCode} />;
  return (
    <>
      {problem !== null && contradiction === null && <p role="alert">It cannot be imported: {problem}.</p>}
      {contradiction !== null && (
        <p role="alert">
          It does not add up, by {amount}: {contradiction}. Nothing is recorded until two people have said why.
        </p>
      )}
      {contradiction === null && amount !== false && <p>It does not add up, by {amount}. Two people have said why.</p>}
      {gap !== null && <p>It does not continue the last statement: {gap}.</p>}
      {confirmedBy !== null && <p>{confirmedBy.label} confirmed that the file is the bank’s.</p>}
      {confirmedBy === null && status === 'IMPORTED' && (
        <p>Nobody has confirmed that the file is the bank’s: it confirms nothing that an operator entered.</p>
      )}
    </>
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
  const explain = useAction(ExplainStatementDocument);
  const confirm = useAction(ConfirmStatementDocument, 'Confirmed');
  const act = async (step: 'import' | 'drop'): Promise<void> => {
    setBusy(true);
    setFailure(null);
    for (;;) {
      const { data, error } =
        step === 'drop'
          ? await client.mutation(DropStatementDocument, { id, reason }).toPromise()
          : await client.mutation(ImportStatementDocument, { id, reason }).toPromise();
      if (error) setFailure(failureOf(error));
      const going = data && 'importStatement' in data && data.importStatement.status === 'IMPORTING';
      if (error || !going) break;
    }
    setBusy(false);
    look();
  };
  return (
    <Answer asked={asked} retry={look}>
      {({ bankStatement }) => {
        if (!bankStatement) return <Empty icon="search" title="No such statement" />;
        const { confirmedBy, contradiction, lines, problem, status } = bankStatement;
        const isRead = status !== 'UPLOADING' && status !== 'DROPPED';
        const imports = may(me, 'RECONCILE') && status !== 'IMPORTED' && status !== 'DROPPED';
        const explains = contradiction !== null && (may(me, 'RECONCILE') || may(me, 'TREASURER'));
        const confirms = confirmedBy === null && isRead && (may(me, 'APPROVE') || may(me, 'TREASURER'));
        const importable = problem === null && (status === 'READ' || status === 'IMPORTING');
        return (
          <Stack gap="md">
            <Proof of={bankStatement} />
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
            {(imports || explains || confirms) && (
              <>
                <Textarea
                  label="Reason"
                  description="Recorded in the audit log."
                  value={reason}
                  onChange={({ currentTarget: { value } }) => {
                    setReason(value);
                  }}
                />
                <FailureLine failure={failure ?? explain.failure ?? confirm.failure} />
                <Group gap="xs">
                  {imports && importable && (
                    <Button loading={busy} disabled={reason.trim() === ''} onClick={() => void act('import')}>
                      {status === 'READ' ? 'Import' : 'Go on'}
                    </Button>
                  )}
                  {explains && (
                    <Button
                      loading={explain.busy}
                      disabled={reason.trim() === ''}
                      onClick={() => {
                        void explain.run({ id, reason }).then((done) => {
                          if (done) notifyProposed(done.explainStatement.change);
                          look();
                        });
                      }}
                    >
                      Say why
                    </Button>
                  )}
                  {confirms && (
                    <Button
                      variant="default"
                      loading={confirm.busy}
                      disabled={reason.trim() === ''}
                      onClick={() => {
                        void confirm.run({ id, reason }).then(look);
                      }}
                    >
                      Confirm the file
                    </Button>
                  )}
                  {imports && status !== 'IMPORTING' && (
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
