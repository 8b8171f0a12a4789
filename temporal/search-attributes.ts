import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

/** What an engineer searches workflows by in the Temporal UI. */
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
  const { INDEXED_VALUE_TYPE_KEYWORD } = temporal.api.enums.v1.IndexedValueType;
  const keywords = Object.values(SEARCH_ATTRIBUTES).map(
    ({ name }) => [name, INDEXED_VALUE_TYPE_KEYWORD] as const,
  );
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(keywords),
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === GRPC_ALREADY_EXISTS))
      throw error;
  }
}
