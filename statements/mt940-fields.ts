/** A field of SWIFT's customer statement message, such as `:61:`, with the lines that continue it. */
export interface Field {
  readonly line: number;
  /** Its number among the lines that are not empty. */
  readonly at: number;
  readonly tag: string;
  text: string;
}

/** Value date, entry date, mark, third letter of the currency, amount, type, reference // the bank's own. */
export const ENTRY =
  /^(\d{6})(\d{4})?(R?[CD])([A-Z])?(\d{1,15}(?:,\d{0,4})?|,\d{1,4})([A-Z](?:[A-Z0-9]{3}| {3}))(.*?)(?:\/\/(.*))?$/;
/** Mark, day, currency, amount. */
export const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d{1,15}(?:,\d{0,4})?)$/;
/** Number of entries, currency, their sum. */
export const SUM = /^(\d{1,5})([A-Z]{3})(\d{1,15}(?:,\d{0,4})?)$/;

/** Where a message stands: before its entries, among them, or behind its closing balance. */
type Place = 'head' | 'entries' | 'end';

/** Tags by the place where they may be. */
const HEAD: ReadonlySet<string> = new Set(['20', '21', '25', '25P', '28', '28C', '13', '13D', '34F']);
const OPENING: ReadonlySet<string> = new Set(['60F', '60M']);
const CLOSING: ReadonlySet<string> = new Set(['62F', '62M']);
const END: ReadonlySet<string> = new Set(['64', '65']);
const SUMS: ReadonlySet<string> = new Set(['90C', '90D']);

/** A text longer than this is cut. */
const LONGEST = 4_000;

/** The place of a message, field by field. */
class Sequence {
  private place: Place = 'end';
  private opened = false;
  /** The currency of the opening balance; null: there is none. */
  private code: string | null = null;

  /** Whether a balance within a text may be the message's own. */
  private isBalance(text: string): boolean {
    const [, , , code] = BALANCE.exec(text.trim()) ?? [];
    return code !== undefined && (this.code ?? code) === code;
  }

  /** Whether a line with this tag begins a field, or is a part of a text before it that merely looks like one. */
  begins(tag: string, text: string, inText: boolean): boolean {
    if (tag === '61' || tag === '86') return true;
    if (!inText) return true;
    if (tag === '20') return this.place !== 'entries' || !this.opened;
    if (HEAD.has(tag)) return this.place === 'head';
    if (OPENING.has(tag)) return this.place === 'head' && BALANCE.test(text.trim());
    if (CLOSING.has(tag)) return this.isBalance(text);
    if (END.has(tag)) return this.place === 'end' && this.isBalance(text);
    return SUMS.has(tag) && this.place === 'entries' && SUM.test(text.trim());
  }

  go(tag: string, text: string): void {
    if (tag === '20') {
      this.place = 'head';
      this.opened = false;
      this.code = null;
    } else if (OPENING.has(tag)) {
      this.opened = true;
      this.code = BALANCE.exec(text.trim())?.[3] ?? null;
    } else if (tag === '61') this.place = 'entries';
    else if (CLOSING.has(tag)) this.place = 'end';
  }
}

/**
 * The fields of a file, from all its messages. The payer's text begins none: a line within it that looks like a field is
 * one only if its tag may stand there and what follows has that field's form. Entries and details may stand anywhere;
 * balances must prove them.
 */
export async function* fieldsOf(lines: AsyncIterable<string>): AsyncGenerator<Field> {
  const sequence = new Sequence();
  let field: Field | null = null;
  let number = 0;
  let at = 0;
  for await (const text of lines) {
    number++;
    if (text !== '') at++;
    const [, tag, rest = ''] = /^:(\d{2}[A-Z]?):(.*)$/.exec(text) ?? [];
    const inText: boolean = field?.tag === '61' || field?.tag === '86';
    if (tag !== undefined && sequence.begins(tag, rest, inText)) {
      if (field) yield field;
      sequence.go(tag, rest);
      field = { line: number, at, tag, text: rest };
    } else if (field && text !== '' && !/^(-|-?\}.*|\{.*)$/.test(text)) {
      if (field.text.length < LONGEST) field.text += `\n${text}`;
    }
  }
  if (field) yield field;
}
