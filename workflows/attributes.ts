import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { WaitsFor } from '../domain/waiting';

const { KEYWORD, DATETIME } = SearchAttributeType;

/** The search attributes of our workflows in the Temporal UI. Their values are ids, codes and times only. */
export const SEARCH_ATTRIBUTES = {
  orderNo: defineSearchAttributeKey('OrderNo', KEYWORD),
  /** The merchant's own number of the order. */
  merchantOrderNo: defineSearchAttributeKey('MerchantOrderNo', KEYWORD),
  merchantCode: defineSearchAttributeKey('MerchantCode', KEYWORD),
  currencyCode: defineSearchAttributeKey('CurrencyCode', KEYWORD),
  notificationType: defineSearchAttributeKey('NotificationType', KEYWORD),
  /** The status in which the order waits. */
  orderPhase: defineSearchAttributeKey('OrderPhase', KEYWORD),
  /** Whom or what it waits for: one of `WAITS_FOR`. */
  waitsFor: defineSearchAttributeKey('WaitsFor', KEYWORD),
  waitingSince: defineSearchAttributeKey('WaitingSince', DATETIME),
};

/**
 * Shows that an order now waits for something else than its attributes say: one event in its history, and none where they
 * say so already. An order that was started without the attribute gets none: its history has no place for the event.
 */
export function showWaiting(orderPhase: string, waitsFor: WaitsFor): void {
  const shown = workflowInfo().typedSearchAttributes.get(SEARCH_ATTRIBUTES.waitsFor);
  if (shown === undefined || shown === waitsFor) return;
  upsertSearchAttributes([
    { key: SEARCH_ATTRIBUTES.orderPhase, value: orderPhase },
    { key: SEARCH_ATTRIBUTES.waitsFor, value: waitsFor },
    { key: SEARCH_ATTRIBUTES.waitingSince, value: new Date() },
  ]);
}
