import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { SEARCH_ATTRIBUTES } from '../workflows/attributes';

const GRPC_ALREADY_EXISTS = 6;
const GRPC_PERMISSION_DENIED = 7;

type AttributeType = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES]['type'];

const { IndexedValueType } = temporal.api.enums.v1;
const INDEXED: Readonly<Record<AttributeType, temporal.api.enums.v1.IndexedValueType>> = {
  KEYWORD: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  KEYWORD_LIST: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
  DATETIME: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
};

const hasCode = (error: unknown, code: number): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Registers them with the server, which refuses workflows that carry unknown ones. Safe to repeat. */
export async function registerSearchAttributes(
  connection: Client['connection'],
  namespace: string,
): Promise<void> {
  // One by one, because a server that knows some of them refuses the whole call.
  for (const { name, type } of Object.values(SEARCH_ATTRIBUTES))
    await register(connection, namespace, { name, type });
}

/** The same, where Temporal lets this process do so. Otherwise `migrate` has done it, under an identity that may. */
export async function registerWhereAllowed(
  connection: Client['connection'],
  namespace: string,
): Promise<void> {
  try {
    await registerSearchAttributes(connection, namespace);
  } catch (error) {
    if (!hasCode(error, GRPC_PERMISSION_DENIED)) throw error;
  }
}

async function register(
  connection: Client['connection'],
  namespace: string,
  { name, type }: { readonly name: string; readonly type: AttributeType },
): Promise<void> {
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [name]: INDEXED[type] },
    });
  } catch (error) {
    if (!hasCode(error, GRPC_ALREADY_EXISTS)) throw error;
  }
}
