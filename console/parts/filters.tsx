import { Button, Collapse, MultiSelect, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { inWords } from '../format/words';
import { Icon } from './icons';
import { useNarrow } from './table';
import { type UrlState, useUrlState } from './url';

/** Several of some words, kept in the URL with commas between. */
export const listOf = (url: UrlState, name: string): string[] =>
  url.get(name)?.split(',').filter(Boolean) ?? [];

/** Words of a filter as the API takes them, without what it does not know; null where none is chosen. */
export function someOf<Word extends string>(
  words: readonly string[],
  known: readonly Word[],
): Word[] | null {
  const chosen = known.filter((word) => words.includes(word));
  return chosen.length === 0 ? null : chosen;
}

/** Texts of a filter as the API takes them; null where there is none. */
export const textsOf = (texts: readonly string[]): string[] | null =>
  texts.length === 0 ? null : [...texts];

/** The filters above a list. On a narrow screen they open when asked for. */
export function Filters({
  names,
  children,
}: {
  /** What they are called in the URL. */
  names: readonly string[];
  children: ReactNode;
}): ReactNode {
  const url = useUrlState();
  const narrow = useNarrow();
  const [open, { toggle }] = useDisclosure(false);
  const set = names.filter((name) => url.get(name) !== null).length;
  const clear = set > 0 && (
    <Button
      variant="subtle"
      color="gray"
      onClick={() => {
        url.set(Object.fromEntries(names.map((name) => [name, null])));
      }}
    >
      Clear filters
    </Button>
  );
  if (!narrow)
    return (
      <div className="filters" role="group" aria-label="Filters">
        {children}
        {clear}
      </div>
    );
  return (
    <div className="filters-place">
      <Button
        variant="default"
        leftSection={<Icon name="filter" />}
        aria-expanded={open}
        onClick={toggle}
      >
        Filters{set > 0 ? ` (${String(set)})` : ''}
      </Button>
      <Collapse expanded={open}>
        <div className="filters opened" role="group" aria-label="Filters">
          {children}
          {clear}
        </div>
      </Collapse>
    </div>
  );
}

/** One or several of some words. */
export function WordsFilter({
  name,
  label,
  words,
}: {
  name: string;
  label: string;
  words: readonly string[];
}): ReactNode {
  const url = useUrlState();
  const chosen = listOf(url, name);
  return (
    <MultiSelect
      label={label}
      placeholder={chosen.length === 0 ? 'Any' : undefined}
      data={words.map((value) => ({ value, label: inWords(value) }))}
      value={chosen}
      onChange={(values) => {
        url.set({ [name]: values.join(',') });
      }}
    />
  );
}

/** One of some things with a name. */
export function ChoiceFilter({
  name,
  label,
  placeholder = 'Any',
  choices,
}: {
  name: string;
  label: string;
  /** What is meant where nothing is chosen. */
  placeholder?: string;
  choices: readonly { value: string; label: string }[];
}): ReactNode {
  const url = useUrlState();
  return (
    <Select
      label={label}
      placeholder={placeholder}
      clearable
      searchable={choices.length > 8}
      data={[...choices]}
      value={url.get(name)}
      onChange={(value) => {
        url.set({ [name]: value });
      }}
    />
  );
}

/** A text that counts once it is finished. */
export function TextFilter({
  name,
  label,
  type = 'text',
  narrow = false,
  placeholder,
  read = (text) => text,
  write = (value) => value,
}: {
  name: string;
  label: string;
  type?: 'text' | 'datetime-local';
  narrow?: boolean;
  placeholder?: string;
  /** From what is typed to what the URL holds. */
  read?: (text: string) => string;
  /** And back. */
  write?: (value: string) => string;
}): ReactNode {
  const url = useUrlState();
  const value = write(url.get(name) ?? '');
  const [typed, setTyped] = useState({ from: value, text: value });
  // The URL has changed under it: by a link, or by clearing.
  if (typed.from !== value) setTyped({ from: value, text: value });
  const finish = (): void => {
    const text = typed.text.trim();
    if (text !== value) url.set({ [name]: text === '' ? null : read(text) });
  };
  return (
    <TextInput
      className={narrow ? 'narrow' : undefined}
      label={label}
      type={type}
      placeholder={placeholder}
      value={typed.text}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped({ from: value, text });
      }}
      onBlur={finish}
      onKeyDown={({ key }) => {
        if (key === 'Enter') finish();
      }}
    />
  );
}

const pad = (n: number): string => String(n).padStart(2, '0');

/** A time in the operator's zone as its field wants it, from the UTC of the URL. */
function localOf(iso: string): string {
  const at = new Date(iso);
  if (iso === '' || Number.isNaN(at.getTime())) return '';
  const day = `${String(at.getFullYear())}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}`;
}

const utcOf = (local: string): string => {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
};

/** A moment, in the operator's zone. */
export function TimeFilter({ name, label }: { name: string; label: string }): ReactNode {
  return (
    <TextFilter name={name} label={label} type="datetime-local" read={utcOf} write={localOf} />
  );
}
