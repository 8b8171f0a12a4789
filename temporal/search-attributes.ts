import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

/** The search attributes of our workflows in the Temporal UI. */
export const SEARCH_ATTRIBUTES = {
  orderNo: defineSearchAttributeKey('OrderNo', SearchAttributeType.KEYWORD),
  merchantCode: defineSearchAttributeKey('MerchantCode', SearchAttributeType.KEYWORD),
  currencyCode: defineSearchAttributeKey('CurrencyCode', SearchAttributeType.KEYWORD),
  notificationType: defineSearchAttributeKey('NotificationType', SearchAttributeType.KEYWORD),
};

const GRPC_ALREADY_EXISTS = 6;

/** Registers them with the server, which refuses workflows that carry unknown ones. Safe to repeat. */
export async function registerSearchAttributes(
  connection: Client['connection'],
  namespace: string,
): Promise<void> {
  // One by one, because a server that knows some of them refuses the whole call.
  for (const { name } of Object.values(SEARCH_ATTRIBUTES))
    await register(connection, namespace, name);
}

async function register(
  connection: Client['connection'],
  namespace: string,
  name: string,
): Promise<void> {
  const { INDEXED_VALUE_TYPE_KEYWORD } = temporal.api.enums.v1.IndexedValueType;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [name]: INDEXED_VALUE_TYPE_KEYWORD },
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === GRPC_ALREADY_EXISTS))
      throw error;
  }
}
