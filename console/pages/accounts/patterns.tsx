import { Button, Group, NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { useAction } from '../../client/action';
import { may } from '../../client/permission';
import { useSession } from '../../client/session';
import {
  type PatternRowFragment,
  PublishedTextPatternsDocument,
  PutTextPatternDocument,
  TextPatternsDocument,
  TryTextPatternDocument,
} from '../../generated/operations';
import { Answer } from '../../parts/answer';
import { Section } from '../../parts/page';
import { notifyProposed, ProposeDialog } from '../../parts/propose';
import { Rows } from '../../parts/table';
import { Time } from '../../parts/time';

const NEW = {
  name: '',
  bankCode: '',
  sender: '',
  direction: 'CREDIT',
  pattern: '',
  timeFormat: '',
  decimalSign: '.',
  yearsAhead: 0,
  active: true,
};
type Draft = typeof NEW;

const draftOf = (pattern: Omit<PatternRowFragment, 'id' | 'version' | 'createdAt' | 'createdBy'>): Draft => ({
  ...NEW,
  ...pattern,
  sender: pattern.sender ?? '',
  timeFormat: pattern.timeFormat ?? '',
});

/** The result of the draft for the pasted samples. */
function Tried({ draft, samples }: { draft: Draft; samples: string }): ReactNode {
  const texts = samples.split(/\n\s*\n/).filter((text) => text.trim() !== '');
  const input = { ...draft, sender: draft.sender || null, timeFormat: draft.timeFormat || null };
  const [{ data, error }] = useQuery({
    query: TryTextPatternDocument,
    variables: { input, samples: texts },
    pause: texts.length === 0 || draft.pattern === '' || draft.name === '',
  });
  if (error) return <p role="alert">{error.graphQLErrors[0]?.message ?? error.message}</p>;
  return (
    <ol aria-label="What it reads">
      {(data?.tryTextPattern ?? []).map((one, at) => (
        <li key={at}>
          {one.fits
            ? (one.problem ??
              [one.amount, one.balance, one.reference, one.party, one.partyAccount, one.memo, one.at]
                .map((value) => value ?? '–')
                .join(' · '))
            : 'does not fit'}
        </li>
      ))}
    </ol>
  );
}

function EditPattern({ begun, onClose }: { begun: Draft; onClose: () => void }): ReactNode {
  const put = useAction(PutTextPatternDocument);
  const [draft, setDraft] = useState(begun);
  const [samples, setSamples] = useState('');
  const text = (name: 'name' | 'bankCode' | 'sender' | 'timeFormat') => ({
    value: draft[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setDraft({ ...draft, [name]: value });
    },
  });
  return (
    <ProposeDialog
      title={begun.name === '' ? 'New pattern' : begun.name}
      wide
      busy={put.busy}
      failure={put.failure}
      ready={draft.name.trim() !== '' && draft.bankCode.trim() !== '' && draft.pattern !== ''}
      onPropose={async (why) => {
        const input = {
          ...draft,
          sender: draft.sender || null,
          timeFormat: draft.timeFormat || null,
        };
        const done = await put.run({ input, ...why });
        if (!done) return;
        notifyProposed(done.putTextPattern.change);
        onClose();
      }}
      onClose={onClose}
    >
      <Group grow>
        <TextInput label="Name" required {...text('name')} />
        <TextInput label="Bank code" description="Of the accounts" required {...text('bankCode')} />
        <TextInput label="Sender" description="Anybody unless given" {...text('sender')} />
      </Group>
      <Textarea
        label="Pattern"
        description="RE2, with the groups amount, balance, reference, payer, account, memo, time"
        className="mono"
        autosize
        value={draft.pattern}
        onChange={({ currentTarget: { value } }) => {
          setDraft({ ...draft, pattern: value });
        }}
        required
      />
      <Group grow>
        <Select
          label="Money"
          data={[
            { value: 'CREDIT', label: 'came' },
            { value: 'DEBIT', label: 'left' },
          ]}
          value={draft.direction}
          allowDeselect={false}
          onChange={(direction) => {
            if (direction !== null) setDraft({ ...draft, direction });
          }}
        />
        <TextInput label="Form of the time" placeholder="DD/MM/YYYY HH:mm" {...text('timeFormat')} />
        <NumberInput
          label="Years ahead"
          value={draft.yearsAhead}
          onChange={(yearsAhead) => {
            if (typeof yearsAhead === 'number') setDraft({ ...draft, yearsAhead });
          }}
        />
        <Switch
          label="In force"
          checked={draft.active}
          onChange={({ currentTarget: { checked } }) => {
            setDraft({ ...draft, active: checked });
          }}
        />
      </Group>
      <Textarea
        label="Samples"
        description="Messages as received, separated by empty lines. Nothing is recorded."
        autosize
        minRows={2}
        value={samples}
        onChange={({ currentTarget: { value } }) => {
          setSamples(value);
        }}
      />
      <Tried draft={draft} samples={samples} />
    </ProposeDialog>
  );
}

/** The patterns that read messages of banks. */
export function Patterns(): ReactNode {
  const { me } = useSession();
  const [asked, ask] = useQuery({ query: TextPatternsDocument, variables: {} });
  const [{ data: published }] = useQuery({ query: PublishedTextPatternsDocument });
  const [draft, setDraft] = useState<Draft | null>(null);
  const look = (): void => {
    ask({ requestPolicy: 'network-only' });
  };
  const configures = may(me, 'CONFIGURE');
  return (
    <Section title="Patterns">
      <Answer asked={asked} retry={look}>
        {({ textPatterns }) => (
          <Rows
            label="Patterns"
            columns={[
              { key: 'name', title: 'Name', cell: ({ name }) => name },
              { key: 'version', title: 'Version', numeric: true, cell: ({ version }) => version },
              { key: 'bank', title: 'Bank', cell: ({ bankCode }) => bankCode },
              { key: 'sender', title: 'Sender', cell: ({ sender }) => sender ?? 'anybody' },
              { key: 'since', title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
            rows={textPatterns}
            keyOf={({ id }) => id}
            actions={(pattern) =>
              configures && (
                <Button
                  variant="subtle"
                  aria-label={`Change ${pattern.name}`}
                  onClick={() => {
                    setDraft(draftOf(pattern));
                  }}
                >
                  Change
                </Button>
              )
            }
          />
        )}
      </Answer>
      {configures && (
        <Group gap="xs">
          <Button
            onClick={() => {
              setDraft(NEW);
            }}
          >
            Add a pattern
          </Button>
          <Select
            aria-label="Begin with a published pattern"
            placeholder="Begin with a published one"
            data={(published?.publishedTextPatterns ?? []).map(({ name }) => name)}
            value={null}
            onChange={(name) => {
              const found = published?.publishedTextPatterns.find((one) => one.name === name);
              if (found) setDraft(draftOf({ ...found, active: true }));
            }}
          />
        </Group>
      )}
      {draft && (
        <EditPattern
          begun={draft}
          onClose={() => {
            setDraft(null);
            look();
          }}
        />
      )}
    </Section>
  );
}
