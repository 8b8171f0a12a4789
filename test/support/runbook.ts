import { readFileSync } from 'node:fs';
import path from 'node:path';

const TEXT = readFileSync(path.join(__dirname, '..', '..', 'docs', 'runbook.md'), 'utf8');

/** The runbook's description of a kind of stuck workflow: how to find it, and what it shows. */
export interface Advice {
  readonly query: string;
  /** Null if only a running worker could show them. */
  readonly details: RegExp | null;
  /** Null: none is pending. */
  readonly activity: string | null;
}

const inBackticks = (cell: string): string | null => /`(.+)`/.exec(cell)?.[1] ?? null;
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('…')
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

/** The runbook's table of stuck workflows, by their kind. */
export function stuckWorkflows(): ReadonlyMap<string, Advice> {
  const [, section = ''] = TEXT.split('### Find a stuck workflow\n');
  const lines = section.split('\nA **failed**')[0]?.split('\n') ?? [];
  const rows = lines.filter((line) => line.startsWith('|')).slice(2);
  const advice = new Map<string, Advice>();
  let last = '';
  for (const row of rows) {
    const [, stuck = '', query = '', details = '', activity = ''] = row.split('|').map((cell) => cell.trim());
    last = inBackticks(query) ?? last;
    const shown = inBackticks(details);
    advice.set(stuck, {
      query: last,
      details: shown === null ? null : patternOf(shown),
      activity: inBackticks(activity),
    });
  }
  return advice;
}

/** @throws if the runbook has no such chapter */
function chapter(title: string): string {
  const [, rest] = TEXT.split(`\n## ${title}\n`);
  if (rest === undefined) throw new Error(`the runbook has no chapter ${title}`);
  return rest.split('\n## ')[0] ?? '';
}

function found(what: string, title: string, pattern: RegExp): string {
  const [, text] = pattern.exec(chapter(title)) ?? [];
  if (text === undefined) throw new Error(`the runbook's chapter ${title} has no ${what}`);
  return text;
}

/** Replaces each … in a text with the next value, as a person would. */
function filled(text: string, values: readonly string[]): string {
  const parts = text.split('…');
  if (parts.length !== values.length + 1) throw new Error(`${text} asks for something else`);
  return parts.map((part, n) => part + (values[n] ?? '')).join('');
}

/** The variables of a chapter's `op NAME '…'`. @param values for each … in it */
export const opOf = (title: string, name: string, values: readonly string[]): Record<string, unknown> =>
  JSON.parse(filled(found(`op ${name}`, title, new RegExp(`\\bop ${name} '([^']*)'`)), values)) as Record<
    string,
    unknown
  >;

/** A chapter's statement that calls a function, about this order or session rather than about its example. */
export const statementOf = (title: string, calls: string, of: string): string =>
  found(calls, title, new RegExp(`(select [^;\`]*\\b${calls}\\([^;\`]*=\\s)'[^']*'`)).concat(`'${of}'`);

/** A chapter's first block of SQL, as it is. */
export const sqlOf = (title: string): string => found('SQL', title, /```sql\n([^]*?)```/);

/** The arguments of a chapter's `temporal …`. @param begins its first words @param values for each … in it */
export const temporalOf = (title: string, begins: string, values: readonly string[]): string[] => {
  const command = found(begins, title, new RegExp(`\`temporal (${begins}[^\`]*)\``));
  return filled(command, values).split(/\s+/);
};
