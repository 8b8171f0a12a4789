import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { OperatorClient } from './operator-client';
import { readSettings } from './settings';

/** An operator's address and login. */
interface Place {
  readonly graphql: string;
  readonly operator: { readonly login: string; readonly password: string };
}

/** GRAPHQL_URL with OPERATOR_LOGIN and OPERATOR_PASSWORD, else this machine's sandbox. @throws if neither exists */
function placeOf(env: NodeJS.ProcessEnv): Place {
  const { GRAPHQL_URL: graphql, OPERATOR_LOGIN: login, OPERATOR_PASSWORD: password } = env;
  if (graphql && login && password) return { graphql, operator: { login, password } };
  const file = path.join(readSettings(env).dataDir, 'sandbox.json');
  if (!existsSync(file)) throw new Error('set GRAPHQL_URL, OPERATOR_LOGIN and OPERATOR_PASSWORD: no sandbox runs here');
  return JSON.parse(readFileSync(file, 'utf8')) as Place;
}

/**
 * Runs a document of docs/operations.graphql as an operator, and prints its answer. It needs no checkout, because the
 * documents are in the image.
 * @param variables JSON
 */
export async function runOperation(env: NodeJS.ProcessEnv, name: string | undefined, variables = '{}'): Promise<void> {
  if (name === undefined) throw new Error('op NAME VARIABLES: name a document of docs/operations.graphql');
  const { graphql, operator } = placeOf(env);
  const client = new OperatorClient(graphql);
  await client.login(operator.login, operator.password);
  const result = await client.run(name, JSON.parse(variables) as Record<string, unknown>);
  process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
}
