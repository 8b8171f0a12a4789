import type { Encoding } from '../domain/statement';

/** The bytes of a file, chunk by chunk. */
export type Bytes = AsyncIterable<Uint8Array>;

/** The text of bytes, chunk by chunk, without a byte order mark. Invalid bytes become U+FFFD. */
export async function* textOf(bytes: Bytes, encoding: Encoding): AsyncGenerator<string> {
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
