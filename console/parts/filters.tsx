import { Button, Collapse, MultiSelect, Select, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { inWords } from '../format/words';
import { Icon } from './icons';
import { useNarrow } from './table';
import { type UrlState, useUrlState } from './url';

/** Several words, separated by commas in the URL. */
export const listOf = (url: UrlState, name: string): string[] => url.get(name)?.split(',').filter(Boolean) ?? [];

/** A filter's words as the API takes them, without unknown ones; null if none is chosen. */
export function someOf<Word extends string>(words: readonly string[], known: readonly Word[]): Word[] | null {
  const chosen = known.filter((word) => words.includes(word));
  return chosen.length === 0 ? null : chosen;
}

/** A filter's texts as the API takes them; null if there is none. */
export const textsOf = (texts: readonly string[]): string[] | null => (texts.length === 0 ? null : [...texts]);

/** The filters above a list; collapsed on a narrow screen. */
export function Filters({
  names,
  children,
}: {
  /** Their names in the URL. */
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
      <Button variant="default" leftSection={<Icon name="filter" />} aria-expanded={open} onClick={toggle}>
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

/** A select for one or several words. */
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

/** A select for one named thing. */
export function ChoiceFilter({
  name,
  label,
  placeholder = 'Any',
  choices,
}: {
  name: string;
  label: string;
  /** Placeholder when nothing is chosen. */
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

/** A text field that applies when editing ends. */
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
  /** From the typed text to the URL's. */
  read?: (text: string) => string;
  /** From the URL's text to the typed one. */
  write?: (value: string) => string;
}): ReactNode {
  const url = useUrlState();
  const value = write(url.get(name) ?? '');
  const [typed, setTyped] = useState({ from: value, text: value });
  // The URL changed: by a link, or by clearing the filters.
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
      onKeyDown={({ key, nativeEvent }) => {
        if (key === 'Enter' && !nativeEvent.isComposing) finish();
      }}
    />
  );
}

const pad = (n: number): string => String(n).padStart(2, '0');

/** The URL's UTC time in the operator's zone, for a datetime-local field. */
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

/** A time filter, in the operator's zone. */
export function TimeFilter({ name, label }: { name: string; label: string }): ReactNode {
  return <TextFilter name={name} label={label} type="datetime-local" read={utcOf} write={localOf} />;
}
