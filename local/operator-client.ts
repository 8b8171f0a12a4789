import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The ready documents of docs/operations.graphql; a fragment goes with whatever operation spreads it. */
const documents = (): string =>
  readFileSync(path.resolve(process.cwd(), 'docs/operations.graphql'), 'utf8');

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** An operator's GraphQL client: what the demo and the sandbox's set-up use, as any outside tool could. */
export class OperatorClient {
  private readonly document = onlyNeeded(documents());
  private token: string | undefined;

  constructor(private readonly url: string) {}

  async login(login: string, password: string): Promise<void> {
    const { token } = await this.run<{ token: string }>('Login', { login, password });
    this.token = token;
  }

  /**
   * Runs an operation by its name and returns its one root field.
   * @throws with the first error's message
   */
  async run<Result>(
    operationName: string,
    variables: Record<string, unknown> = {},
  ): Promise<Result> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ query: this.document(operationName), operationName, variables }),
    });
    const { data, errors } = (await response.json()) as Answer;
    const [first] = errors ?? [];
    if (first) throw new Error(`${operationName}: ${first.message}`);
    const [result] = Object.values(data ?? {});
    return result as Result;
  }
}

/** Cuts the operation and the fragments that it needs out of the documents. */
function onlyNeeded(source: string): (operationName: string) => string {
  const blocks = [...source.matchAll(/^(query|mutation|subscription|fragment) (\w+)[\s\S]*?^\}/gm)];
  const byName = new Map(
    blocks.map(([text, kind, name]) => [`${kind === 'fragment' ? '…' : ''}${name ?? ''}`, text]),
  );
  const withFragments = (text: string, seen = new Set<string>()): string => {
    const needed = [...text.matchAll(/\.\.\.(\w+)/g)].map(([, name]) => `…${name ?? ''}`);
    const fresh = needed.filter((name) => !seen.has(name));
    for (const name of fresh) seen.add(name);
    return [text, ...fresh.map((name) => withFragments(byName.get(name) ?? '', seen))].join('\n');
  };
  return (operationName) => {
    const text = byName.get(operationName);
    if (text === undefined) throw new Error(`docs/operations.graphql has no ${operationName}`);
    return withFragments(text);
  };
}
