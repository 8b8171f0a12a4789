import { LINE_TEXTS, lineTextOf, statementPartOf } from '../domain/sealed-for';
import { openPersonal } from './personal';
import type { Sealer } from './seal';

type LineText = keyof typeof LINE_TEXTS;

/** Where a line stands. */
interface Place {
  readonly statementId: string;
  readonly line: number;
}

/** What a line says, as far as its reader tells. */
type SaidByLine = Place & { readonly [Text in LineText]?: string | null };

/** A line with each of its texts changed. */
function withTexts<Line extends SaidByLine>(line: Line, change: (value: string, context: string) => string): Line {
  const texts = (Object.keys(LINE_TEXTS) as LineText[]).flatMap((text) => {
    const value = line[text];
    const context = lineTextOf(text, line.statementId, line.line);
    return value == null ? [] : [[text, change(value, context)] as const];
  });
  return { ...line, ...Object.fromEntries(texts) };
}

/** A line of a statement, as its row keeps it. */
export const sealLine = <Line extends SaidByLine>(sealer: Sealer, line: Line): Line =>
  withTexts(line, (value, context) => sealer.seal(value, context));

/** The same in clear. @throws Error if a text is sealed and does not open */
export const openLine = <Line extends SaidByLine>(sealer: Sealer, line: Line): Line =>
  withTexts(line, (kept, context) => openPersonal(sealer, kept, context));

/** One text of a line in clear. @throws Error if it is sealed and does not open */
export function openLineText<Text extends LineText>(
  sealer: Sealer,
  line: Place & Readonly<Record<Text, string | null>>,
  text: Text,
): string | null {
  const kept: string | null = line[text];
  return kept === null ? null : openPersonal(sealer, kept, lineTextOf(text, line.statementId, line.line));
}

/** A part of a statement's file, as its row keeps it. */
export const sealPart = (sealer: Sealer, statementId: string, part: number, content: Buffer): Buffer =>
  sealer.sealBytes(content, statementPartOf(statementId, part));

/** The same in clear. @throws Error if it does not open */
export const openPart = (sealer: Sealer, statementId: string, part: number, kept: Buffer): Buffer =>
  sealer.openBytes(kept, statementPartOf(statementId, part));
