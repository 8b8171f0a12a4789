import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../until';

/** A mail arrives within this, milliseconds. */
const MAILED_MS = 30_000;

/** The token of the newest link that was mailed to an address. */
function newestToken(mails: string, to: string): string | undefined {
  const found = readdirSync(mails)
    // A mail that is being written has another name, and is renamed at any moment.
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map(
      (file) =>
        JSON.parse(readFileSync(path.join(mails, file), 'utf8')) as {
          to: string[];
          text: string;
        },
    )
    .filter((mail) => mail.to.includes(to));
  return /\/keys#(\S+)/.exec(found.at(-1)?.text ?? '')?.[1];
}

/** Fetches the secret of a link, as its owner does. @throws if it opens nothing */
export async function fetchSecret(gateway: string, token: string): Promise<string> {
  const answer = await fetch(`${gateway}/cashier/keys/take`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  const said = (await answer.json()) as { message: string; data: { secret: string } | null };
  if (!said.data) throw new Error(`${answer.status} ${said.message}`);
  return said.data.secret;
}

/** The link that an owner is mailed. @throws if none comes */
export async function mailedToken(mails: string, to: string): Promise<string> {
  let token: string | undefined;
  const isThere = (): Promise<boolean> => {
    token = newestToken(mails, to);
    return Promise.resolve(token !== undefined);
  };
  if (!(await until(isThere, MAILED_MS)) || token === undefined)
    throw new Error(`no link was mailed to ${to}`);
  return token;
}
