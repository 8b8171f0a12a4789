import { Button, Group, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import {
  type MappingRowFragment,
  PutStatementMappingDocument,
  StatementMappingsDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Dialog } from '../../parts/dialog';
import { Form } from '../../parts/form';
import { Rows } from '../../parts/table';

const ROLES = [
  ['date', 'Date'],
  ['time', 'Time'],
  ['amount', 'Amount, with its sign'],
  ['credit', 'Credit'],
  ['debit', 'Debit'],
  ['direction', 'Credit or debit, in words'],
  ['reference', 'Bank reference'],
  ['memo', 'Text of the transfer'],
  ['partyName', 'Name of payer or payee'],
  ['partyAccount', 'Account of payer or payee'],
  ['balance', 'Balance'],
  ['status', 'Status: only booked rows are movements'],
  ['currency', 'Currency: only rows in the account’s'],
  ['ignored', 'Ignored columns'],
] as const;

const NEW = {
  id: null,
  name: '',
  delimiter: ',',
  encoding: 'utf-8',
  skipLines: 0,
  dateFormat: 'DD/MM/YYYY',
  decimalSign: '.',
  yearsAhead: 0,
  debitWords: [],
  bookedWords: [],
  columns: [],
};
type Draft = Pick<
  MappingRowFragment,
  | 'name'
  | 'delimiter'
  | 'encoding'
  | 'skipLines'
  | 'dateFormat'
  | 'decimalSign'
  | 'yearsAhead'
  | 'debitWords'
  | 'bookedWords'
  | 'columns'
> & { id: string | null };

const list = (text: string): string[] =>
  text
    .split(';')
    .map((one) => one.trim())
    .filter((one) => one !== '');

function Edit({ draft: begun, onDone }: { draft: Draft; onDone: () => void }): ReactNode {
  const put = useAction(PutStatementMappingDocument, 'Mapping saved.');
  const [draft, setDraft] = useState(begun);
  const [headings, setHeadings] = useState<Record<string, string>>(() =>
    Object.fromEntries(begun.columns.map(({ holds, headings: named }) => [holds, named.join('; ')])),
  );
  const [bookedWords, setBookedWords] = useState(begun.bookedWords.join('; '));
  const [debitWords, setDebitWords] = useState(begun.debitWords.join('; '));
  const [reason, setReason] = useState('');
  const text = (name: 'name' | 'delimiter' | 'dateFormat') => ({
    value: draft[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setDraft({ ...draft, [name]: value });
    },
  });
  return (
    <Form
      act="Save"
      busy={put.busy}
      failure={put.failure}
      ready={draft.name.trim() !== '' && reason.trim() !== ''}
      onBack={onDone}
      onAct={() => {
        const { id, name, delimiter, encoding, skipLines, dateFormat, decimalSign, yearsAhead } = draft;
        const columns = ROLES.map(([holds]) => ({ holds, headings: list(headings[holds] ?? '') }));
        const input = {
          id,
          name,
          delimiter,
          encoding,
          skipLines,
          dateFormat,
          decimalSign,
          yearsAhead,

          debitWords: list(debitWords),
          bookedWords: list(bookedWords),
          columns: columns.filter((one) => one.headings.length > 0),
        };
        void put.run({ input, reason }).then((done) => {
          if (done) onDone();
        });
      }}
    >
      <TextInput label="Name" required data-autofocus {...text('name')} />
      <Group grow>
        <TextInput label="Between fields" description="\t is a tabulator" {...text('delimiter')} />
        <Select
          label="Encoding"
          data={['utf-8', 'utf-16le', 'windows-1252', 'windows-1258', 'windows-874']}
          value={draft.encoding}
          allowDeselect={false}
          onChange={(encoding) => {
            if (encoding !== null) setDraft({ ...draft, encoding });
          }}
        />
        <NumberInput
          label="Lines before the headings"
          min={0}
          max={100}
          value={draft.skipLines}
          onChange={(skipLines) => {
            if (typeof skipLines === 'number') setDraft({ ...draft, skipLines });
          }}
        />
      </Group>
      <Group grow>
        <TextInput label="Form of dates" {...text('dateFormat')} />
        <Select
          label="Before decimals"
          data={[
            { value: '.', label: 'Point' },
            { value: ',', label: 'Comma' },
          ]}
          value={draft.decimalSign}
          allowDeselect={false}
          onChange={(decimalSign) => {
            if (decimalSign !== null) setDraft({ ...draft, decimalSign });
          }}
        />
        <NumberInput
          label="Years ahead"
          description="543 in Thailand"
          value={draft.yearsAhead}
          onChange={(yearsAhead) => {
            if (typeof yearsAhead === 'number') setDraft({ ...draft, yearsAhead });
          }}
        />
      </Group>
      <p>The headings of its columns; several, put together, with ; between.</p>
      {ROLES.map(([holds, label]) => (
        <TextInput
          key={holds}
          label={label}
          value={headings[holds] ?? ''}
          onChange={({ currentTarget: { value } }) => {
            setHeadings({ ...headings, [holds]: value });
          }}
        />
      ))}
      <TextInput
        label="Words for a debit"
        description="For a column with words for the direction, such as DR"
        value={debitWords}
        onChange={({ currentTarget: { value } }) => {
          setDebitWords(value);
        }}
      />
      <TextInput
        label="Words for a booked row"
        description="For a column with the status; the usual ones, such as Completed, unless given"
        value={bookedWords}
        onChange={({ currentTarget: { value } }) => {
          setBookedWords(value);
        }}
      />
      <Textarea
        label="Reason"
        description="Recorded in the audit log."
        value={reason}
        onChange={({ currentTarget: { value } }) => {
          setReason(value);
        }}
      />
    </Form>
  );
}

/** The mappings for banks' CSV files. */
export function Mappings({ onClose }: { onClose: () => void }): ReactNode {
  const [asked, ask] = useQuery({ query: StatementMappingsDocument });
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  const [draft, setDraft] = useState<Draft | null>(null);
  return (
    <Dialog title="Mappings of CSV files" size="lg" onClose={onClose}>
      {draft ? (
        <Edit
          draft={draft}
          onDone={() => {
            setDraft(null);
            look();
          }}
        />
      ) : (
        <Stack gap="sm">
          <Answer asked={asked} retry={look}>
            {({ statementMappings }) => (
              <Rows
                label="Mappings"
                columns={[
                  { key: 'name', title: 'Name', cell: ({ name }) => name },
                  { key: 'date', title: 'Dates', cell: ({ dateFormat }) => dateFormat },
                ]}
                rows={statementMappings}
                keyOf={({ id }) => id}
                actions={(one) => (
                  <Button
                    variant="subtle"
                    aria-label={`Change ${one.name}`}
                    onClick={() => {
                      setDraft(one);
                    }}
                  >
                    Change
                  </Button>
                )}
              />
            )}
          </Answer>
          <Button
            onClick={() => {
              setDraft(NEW);
            }}
          >
            Add a mapping
          </Button>
        </Stack>
      )}
    </Dialog>
  );
}
