import type { Encoding } from '../domain/statement';

/** The bytes of a file, chunk by chunk. */
export type Bytes = AsyncIterable<Uint8Array>;

const STRICT = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const WESTERN = new TextDecoder('windows-1252');

function strictOr1252(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    return WESTERN.decode(bytes);
  }
}

/** Where a line or an element may end: neither byte is a part of a longer character. */
const ENDS = new Set(['\n', '>'].map((sign) => sign.charCodeAt(0)));

/** Text of whole characters. What is not UTF-8 is windows-1252, line by line: names in files of both. */
function utf8Or1252(bytes: Uint8Array): string {
  try {
    return STRICT.decode(bytes);
  } catch {
    let text = '';
    let from = 0;
    for (let at = 0; at < bytes.length; at++) {
      if (!ENDS.has(bytes[at] ?? 0)) continue;
      text += strictOr1252(bytes.subarray(from, at + 1));
      from = at + 1;
    }
    return text + strictOr1252(bytes.subarray(from));
  }
}

/** How far back the end of a line, an element or at least a character is looked for. */
const MOST_BACK = 4_096;

/**
 * Where the last line or element of these bytes ends, or else the last ASCII character, or, where there is none for long,
 * the last character: no character is cut there. 0: further bytes must tell.
 */
function lastEnd(bytes: Uint8Array): number {
  let ascii = 0;
  let begins = 0;
  for (let at = bytes.length - 1; at >= Math.max(0, bytes.length - MOST_BACK); at--) {
    const byte = bytes[at] ?? 0;
    if (ENDS.has(byte)) return at + 1;
    if (byte < 0x80) ascii ||= at + 1;
    else if (byte >= 0xc0) begins ||= at;
  }
  return ascii || (bytes.length < MOST_BACK ? 0 : begins || bytes.length);
}

async function* mostlyUtf8(bytes: Bytes): AsyncGenerator<string> {
  let rest: Uint8Array = new Uint8Array();
  let begins = true;
  const text = (part: Uint8Array): string => {
    const said = utf8Or1252(part);
    if (said === '' || !begins) return said;
    begins = false;
    return said.replace(/^\ufeff/, '');
  };
  for await (const part of bytes) {
    const all = rest.length === 0 ? part : Buffer.concat([rest, part]);
    const end = lastEnd(all);
    rest = all.subarray(end);
    yield text(all.subarray(0, end));
  }
  yield text(rest);
}

/**
 * The text of bytes, chunk by chunk, without a byte order mark. What is not UTF-8 in a file of UTF-8 is read as
 * windows-1252: banks write such names.
 */
export async function* textOf(bytes: Bytes, encoding: string): AsyncGenerator<string> {
  if (encoding === ('utf-8' satisfies Encoding)) {
    yield* mostlyUtf8(bytes);
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const part of bytes) yield decoder.decode(part, { stream: true });
  yield decoder.decode();
}

/** Longer than any line of a statement: a longer one is cut, not kept in memory. */
const LONGEST = 100_000;

/** The lines of a text, without their ends. */
export async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const part of text) {
    const lines = (rest + part).split(/\r\n|\n|\r(?!$)/);
    rest = (lines.pop() ?? '').slice(0, LONGEST);
    yield* lines;
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}

/** How much is kept of a text that cannot be read. */
export const excerptOf = (text: string): string => text.replaceAll('\u0000', '').slice(0, 500);

/** A text of a line, cut to this many characters; null if it is empty. */
export function fieldOf(text: string | undefined, most: number): string | null {
  const said = (text ?? '').replace(/\p{Cc}+/gu, ' ').trim();
  return said === '' ? null : Array.from(said).slice(0, most).join('');
}

/** A text with plain spaces for those of other widths, and without characters of no width. @param marks what stands for a mark of direction */
export const plainSpaces = (text: string, marks = ''): string =>
  text
    .replace(/[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/[\u00ad\u200b\u2060\ufeff]/g, '')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, marks);
