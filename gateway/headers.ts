import type { IncomingMessage } from 'node:http';

/**
 * A header that was sent once and is not empty, else undefined: if a header is repeated, it is unknown which value was
 * signed. Node joins or drops repetitions, so this reads the raw headers.
 * @param name in lower case
 */
export function singleHeader({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let found: string | undefined;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== name) continue;
    if (found !== undefined) return undefined;
    found = rawHeaders[i + 1];
  }
  return found === '' ? undefined : found;
}
