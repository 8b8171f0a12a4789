import type { SearchAttributeType } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../workflows/attributes';

const GRPC_ALREADY_EXISTS = 6;
const GRPC_PERMISSION_DENIED = 7;

const hasCode = (error: unknown, code: number): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Registers them with the server, which refuses workflows that carry unknown ones. Safe to repeat. */
export async function registerSearchAttributes(connection: Client['connection'], namespace: string): Promise<void> {
  // One by one, because a server that knows some of them refuses the whole call.
  for (const { name, type } of Object.values(SEARCH_ATTRIBUTES)) await register(connection, namespace, { name, type });
}

/** The same, where Temporal lets this process do so. Otherwise `migrate` has done it, under an identity that may. */
export async function registerWhereAllowed(connection: Client['connection'], namespace: string): Promise<void> {
  try {
    await registerSearchAttributes(connection, namespace);
  } catch (error) {
    if (!hasCode(error, GRPC_PERMISSION_DENIED)) throw error;
  }
}

async function register(
  connection: Client['connection'],
  namespace: string,
  { name, type }: { readonly name: string; readonly type: SearchAttributeType },
): Promise<void> {
  const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_DATETIME } = temporal.api.enums.v1.IndexedValueType;
  const indexed = type === 'DATETIME' ? INDEXED_VALUE_TYPE_DATETIME : INDEXED_VALUE_TYPE_KEYWORD;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [name]: indexed },
    });
  } catch (error) {
    if (!hasCode(error, GRPC_ALREADY_EXISTS)) throw error;
  }
}
