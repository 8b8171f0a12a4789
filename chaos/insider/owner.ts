import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../until';

/** A mail arrives within this, milliseconds. */
const MAILED_MS = 30_000;

/** The page that a link opens: of a secret, or of an agent to enrol. */
type Page = 'keys' | 'agents';

/** The token of the newest link that was mailed to an address. */
function newestToken(mails: string, to: string, page: Page): string | undefined {
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
  return new RegExp(`/${page}#(\\S+)`).exec(found.at(-1)?.text ?? '')?.[1];
}

/** Posts the token of a link to its page. @throws if it opens nothing */
async function postToken(url: string, fields: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  const said = (await answer.json()) as { message: string; data: Record<string, string> | null };
  if (!said.data) throw new Error(`${answer.status} ${said.message}`);
  return said.data;
}

/** Fetches the secret of a link, as its owner does. @throws if it opens nothing */
export const fetchSecret = async (gateway: string, token: string): Promise<string> =>
  (await postToken(`${gateway}/cashier/keys/take`, { token }))['secret'] ?? '';

/** Enrols an agent, as its owner does. @throws if the link opens nothing */
export async function enrolAgent(gateway: string, token: string, publicKey: string): Promise<void> {
  await postToken(`${gateway}/cashier/agents/enrol`, { token, public_key: publicKey });
}

/** The link that an owner is mailed. @throws if none comes */
export async function mailedToken(mails: string, to: string, page: Page = 'keys'): Promise<string> {
  let token: string | undefined;
  const isThere = (): Promise<boolean> => {
    token = newestToken(mails, to, page);
    return Promise.resolve(token !== undefined);
  };
  if (!(await until(isThere, MAILED_MS)) || token === undefined) throw new Error(`no link was mailed to ${to}`);
  return token;
}
