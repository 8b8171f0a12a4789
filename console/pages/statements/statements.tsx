import { Button, FileInput, Group, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useClient, useQuery } from 'urql';
import { FILES } from '../../client/action';
import { type Failure, failureOf } from '../../client/failure';
import { may } from '../../client/permission';
import { usePolled } from '../../client/polled';
import { useSession } from '../../client/session';
import {
  AccountChoicesDocument,
  AddStatementPartDocument,
  BankStatementsDocument,
  BeginStatementDocument,
  ReadStatementDocument,
  type StatementFormat,
  StatementMappingsDocument,
  type StatementRowFragment,
} from '../../generated/operations';
import { Dialog, Pane } from '../../parts/dialog';
import { base64Of } from '../../parts/file';
import { ChoiceFilter, Filters, listOf, textsOf } from '../../parts/filters';
import { Form } from '../../parts/form';
import { List, sortOfUrl, useList } from '../../parts/list';
import { Money } from '../../parts/money';
import { Page } from '../../parts/page';
import { pageOf } from '../../parts/paging';
import { Empty } from '../../parts/states';
import { Status } from '../../parts/status';
import type { Column } from '../../parts/table';
import { Time } from '../../parts/time';
import { useUrlState } from '../../parts/url';
import { Mappings } from './mappings';
import { Rules } from './rules';
import { Shown } from './shown';

const FORMATS: readonly { value: StatementFormat; label: string }[] = [
  { value: 'CSV', label: 'CSV' },
  { value: 'CAMT053', label: 'camt.053' },
  { value: 'MT940', label: 'MT940' },
];

const WORDS = {
  UPLOADING: ['Not read', 'wait'],
  READ: ['Dry run', 'wait'],
  IMPORTING: ['Importing', 'wait'],
  IMPORTED: ['Imported', 'good'],
  DROPPED: ['Dropped', 'off'],
} as const;

const COLUMNS: readonly Column<StatementRowFragment>[] = [
  {
    key: 'createdAt',
    title: 'Uploaded',
    sortable: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  { key: 'account', title: 'Account', cell: ({ account }) => account.name },
  { key: 'file', title: 'File', cell: ({ fileName }) => <span className="clip">{fileName}</span> },
  {
    key: 'status',
    title: 'Status',
    cell: ({ status, problem }) =>
      problem === null ? (
        <Status value={status} words={WORDS[status][0]} tone={WORDS[status][1]} />
      ) : (
        <span className="clip" title={problem}>
          {problem}
        </span>
      ),
  },
  {
    key: 'closing',
    title: 'Closing balance',
    numeric: true,
    cell: ({ closingBalance, account }) =>
      closingBalance === null ? '–' : <Money amount={closingBalance} currency={account.currencyCode} />,
  },
  { key: 'day', title: 'Of', wideOnly: true, cell: ({ closingDay }) => closingDay ?? '–' },
];

/** Bytes of one uploaded part of a file. */
const PART = 1_500_000;

/** Uploads a file and reads it. @returns the statement's id; null: it was refused */
function useUpload() {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const upload = async (
    file: File,
    input: { accountId: string; format: StatementFormat; mappingId: string | null },
  ): Promise<string | null> => {
    const refuse = (error: Parameters<typeof failureOf>[0]): null => {
      setFailure(failureOf(error));
      return null;
    };
    const begun = await client
      .mutation(BeginStatementDocument, { input: { ...input, fileName: file.name } })
      .toPromise();
    if (begun.error) return refuse(begun.error);
    const id = begun.data?.beginStatement.id;
    if (id === undefined) return null;
    for (let part = 0; part * PART < file.size; part++) {
      const content = await base64Of(new File([file.slice(part * PART, (part + 1) * PART)], 'part'));
      const sent = await client.mutation(AddStatementPartDocument, { id, part, content }, { url: FILES }).toPromise();
      if (sent.error) return refuse(sent.error);
    }
    for (;;) {
      const { data, error } = await client.mutation(ReadStatementDocument, { id }).toPromise();
      if (error) return refuse(error);
      if (data?.readStatement.status !== 'UPLOADING') return id;
    }
  };
  return {
    busy,
    failure,
    run: async (...asked: Parameters<typeof upload>): Promise<string | null> => {
      setFailure(null);
      setBusy(true);
      try {
        return await upload(...asked);
      } finally {
        setBusy(false);
      }
    },
  };
}

function Upload({ onDone, onClose }: { onDone: (id: string) => void; onClose: () => void }): ReactNode {
  const [{ data }] = useQuery({ query: AccountChoicesDocument });
  const [{ data: saved }] = useQuery({ query: StatementMappingsDocument });
  const upload = useUpload();
  const [accountId, setAccount] = useState<string | null>(null);
  const [format, setFormat] = useState<StatementFormat>('CSV');
  const [mappingId, setMapping] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const ready = accountId !== null && file !== null && (format !== 'CSV' || mappingId !== null);
  return (
    <Dialog title="Upload a statement" onClose={onClose}>
      <Form
        act="Upload and read"
        busy={upload.busy}
        failure={upload.failure}
        ready={ready}
        onAct={() => {
          if (accountId === null || file === null) return;
          const input = { accountId, format, mappingId: format === 'CSV' ? mappingId : null };
          void upload.run(file, input).then((id) => {
            if (id !== null) onDone(id);
          });
        }}
      >
        <p>It is read first: nothing is recorded until you import it.</p>
        <Select
          label="Account"
          data={(data?.bankAccounts.nodes ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
          value={accountId}
          onChange={setAccount}
          searchable
          required
          data-autofocus
        />
        <Select
          label="Format"
          data={[...FORMATS]}
          value={format}
          onChange={(value) => {
            if (value !== null) setFormat(value);
          }}
          allowDeselect={false}
        />
        {format === 'CSV' && (
          <Select
            label="Mapping"
            description="The format of the bank's files."
            data={(saved?.statementMappings ?? []).map(({ id, name }) => ({
              value: id,
              label: name,
            }))}
            value={mappingId}
            onChange={setMapping}
            required
          />
        )}
        <FileInput label="File" value={file} onChange={setFile} required />
      </Form>
    </Dialog>
  );
}

/** The statements of banks: upload, dry run, import. */
export function StatementsPage(): ReactNode {
  const { me } = useSession();
  const url = useUrlState();
  const [{ data }] = useQuery({ query: AccountChoicesDocument });
  const sort = sortOfUrl(url.get('sort') ?? '-createdAt');
  const list = useList(
    BankStatementsDocument,
    {
      ...pageOf(url),
      filter: { accountId: textsOf(listOf(url, 'account')) },
      sort: sort.descending ? ('CREATED_AT_DESC' as const) : ('CREATED_AT_ASC' as const),
    },
    ({ bankStatements }) => bankStatements,
  );
  usePolled(list.look);
  const [uploading, setUploading] = useState(false);
  const [mapping, setMapping] = useState(false);
  const [ruling, setRuling] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  const reconciles = may(me, 'RECONCILE');
  return (
    <Page
      title="Statements"
      actions={
        reconciles && (
          <Group gap="xs">
            <Button
              variant="default"
              onClick={() => {
                setMapping(true);
              }}
            >
              Mappings
            </Button>
            <Button
              variant="default"
              onClick={() => {
                setRuling(true);
              }}
            >
              Rules
            </Button>
            <Button
              onClick={() => {
                setUploading(true);
              }}
            >
              Upload a statement
            </Button>
          </Group>
        )
      }
    >
      <Filters names={['account']}>
        <ChoiceFilter
          name="account"
          label="Account"
          choices={(data?.bankAccounts.nodes ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
        />
      </Filters>
      <List
        list={list}
        label="Statements"
        columns={COLUMNS}
        sort={sort}
        empty={
          <Empty icon="account" title="No statements">
            A bank’s file lists the movements of an account: it confirms reports, and records missing ones.
          </Empty>
        }
        actions={({ id, fileName }) => (
          <Button
            variant="subtle"
            aria-label={`Open ${fileName}`}
            onClick={() => {
              setShown(id);
            }}
          >
            Open
          </Button>
        )}
      />
      {uploading && (
        <Upload
          onDone={(id) => {
            setUploading(false);
            setShown(id);
            list.look();
          }}
          onClose={() => {
            setUploading(false);
          }}
        />
      )}
      {ruling && (
        <Rules
          onClose={() => {
            setRuling(false);
          }}
        />
      )}
      {mapping && (
        <Mappings
          onClose={() => {
            setMapping(false);
          }}
        />
      )}
      <Pane
        opened={shown !== null}
        title="Statement"
        onClose={() => {
          setShown(null);
        }}
      >
        {shown !== null && <Shown id={shown} onChange={list.look} />}
      </Pane>
    </Page>
  );
}
