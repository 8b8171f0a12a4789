import { OPERATIONS } from './generated/operations';

/**
 * The text of one of docs/operations.graphql with the fragments that it needs.
 * @throws if none has that name
 */
export function operationText(name: string): string {
  const text = OPERATIONS[name];
  if (text === undefined) throw new Error(`docs/operations.graphql has no ${name}`);
  return text;
}

interface Answer {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string }[];
}

/** An operator's GraphQL client, without access that outside tools lack; the demo and the sandbox's set-up use it. */
export class OperatorClient {
  private token: string | undefined;

  constructor(private readonly url: string) {}

  async login(login: string, password: string): Promise<void> {
    const { token } = await this.run<{ token: string }>('Login', { login, password });
    this.token = token;
  }

  /**
   * Runs an operation by name and returns its one root field.
   * @throws with the first error's message
   */
  async run<Result>(operationName: string, variables: Record<string, unknown> = {}): Promise<Result> {
    const response = await fetch(this.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(this.token === undefined ? {} : { authorization: `Bearer ${this.token}` }),
      },
      body: JSON.stringify({ query: operationText(operationName), operationName, variables }),
    });
    const { data, errors } = (await response.json()) as Answer;
    const [first] = errors ?? [];
    if (first) throw new Error(`${operationName}: ${first.message}`);
    const [result] = Object.values(data ?? {});
    return result as Result;
  }
}
