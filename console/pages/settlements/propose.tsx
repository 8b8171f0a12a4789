import { Button, FileInput, Group, Select, Stack, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { inWords } from '../../format/words';
import {
  ProposeSettlementDocument,
  ProposeSettlementsDocument,
  type ProposeSettlementsMutation,
  SettlementAccountsDocument,
} from '../../generated/operations';
import { Dialog } from '../../parts/dialog';
import { ReasonDialog } from '../../parts/reason';
import { Status, type Tone } from '../../parts/status';

interface DialogProps {
  /** Called after a proposal. */
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Proposes one settlement. Sending the same reference again has no effect. */
export function ProposeOne({ onDone, onClose }: DialogProps): ReactNode {
  const propose = useAction(ProposeSettlementDocument, 'Proposed. Another operator must approve it.');
  const [{ data }] = useQuery({
    query: SettlementAccountsDocument,
    variables: { first: 200, filter: { disabled: false } },
  });
  const accounts = data?.settlementAccounts.nodes ?? [];
  const [settlementAccountId, setAccount] = useState<string | null>(null);
  const [amount, setAmount] = useState('');
  const [reference, setReference] = useState('');
  const currency = accounts.find(({ id }) => id === settlementAccountId)?.currencyCode;
  return (
    <ReasonDialog
      title="Propose a settlement"
      act="Propose"
      busy={propose.busy}
      failure={propose.failure}
      ready={settlementAccountId !== null && /^\d+(\.\d+)?$/.test(amount) && reference !== ''}
      onAct={async (reason) => {
        if (settlementAccountId === null) return;
        const input = { settlementAccountId, amount, reference };
        if (!(await propose.run({ input, reason }))) return;
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <p>The amount is frozen at once. Another person approves it, as a withdrawal.</p>
      <Select
        label="Account"
        description="The merchant's settlement account"
        data={accounts.map(({ id, merchant, currencyCode, bankCode, accountNo }) => ({
          value: id,
          label: `${merchant.merchantCode} · ${currencyCode} · ${bankCode} ${accountNo}`,
        }))}
        searchable={accounts.length > 8}
        value={settlementAccountId}
        onChange={setAccount}
        allowDeselect={false}
        required
      />
      <TextInput
        label={`Amount${currency === undefined ? '' : ` (${currency})`}`}
        inputMode="decimal"
        value={amount}
        onChange={({ currentTarget: { value } }) => {
          setAmount(value.trim());
        }}
        required
      />
      <TextInput
        label="Reference"
        description="Your own number. It can be used once per merchant."
        maxLength={64}
        value={reference}
        onChange={({ currentTarget: { value } }) => {
          setReference(value.trim());
        }}
        required
      />
    </ReasonDialog>
  );
}

type Outcome = ProposeSettlementsMutation['proposeSettlements']['results'][number];

const TONES: Readonly<Record<Outcome['outcome'], Tone>> = {
  PROPOSED: 'good',
  REPEATED: 'off',
  REFUSED: 'bad',
};

function Outcomes({ of, onClose }: { of: readonly Outcome[]; onClose: () => void }): ReactNode {
  return (
    <Dialog title="Outcome of the file" onClose={onClose}>
      <Stack gap="sm">
        <ul className="outcomes" aria-label="Outcomes">
          {of.map(({ line, reference, outcome, message, withdrawal }) => (
            <li key={line}>
              Line {line}: {reference} <Status value={outcome} words={inWords(outcome)} tone={TONES[outcome]} />{' '}
              {withdrawal && <Link to={`/withdrawals/${withdrawal.orderNo}`}>{withdrawal.orderNo}</Link>}
              {message !== null && <p className="wrap">{message}</p>}
            </li>
          ))}
        </ul>
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            Close
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Proposes the settlements of a file and shows the outcome of each row. */
export function ProposeFile({ onDone, onClose }: DialogProps): ReactNode {
  const propose = useAction(ProposeSettlementsDocument);
  const [file, setFile] = useState<File | null>(null);
  const [outcomes, setOutcomes] = useState<readonly Outcome[] | null>(null);
  if (outcomes) return <Outcomes of={outcomes} onClose={onClose} />;
  return (
    <ReasonDialog
      title="Propose settlements from a file"
      act="Propose"
      busy={propose.busy}
      failure={propose.failure}
      ready={file !== null}
      onAct={async (reason) => {
        if (!file) return;
        const done = await propose.run({ file: await file.text(), reason });
        if (!done) return;
        setOutcomes(done.proposeSettlements.results);
        onDone();
      }}
      onClose={onClose}
    >
      <p>At most 100 rows, each with its own outcome. Sending the same file again has no effect.</p>
      <FileInput
        label="File"
        description="CSV with the headings reference, merchant, currency, amount, account"
        placeholder="Choose a file"
        accept=".csv,text/csv"
        value={file}
        onChange={setFile}
        required
      />
    </ReasonDialog>
  );
}
