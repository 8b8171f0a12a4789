import { log } from '@temporalio/activity';
import type { Money } from '../../domain/money';
import { alertExcessiveCost } from '../../db/channels/mappings';
import type { Database } from '../../db/client';

/** An order and its channel's answer, which may report a charge beyond its bound. */
export interface Charged {
  readonly attemptId: string;
  readonly order: {
    readonly merchantId: string;
    readonly orderNo: string;
    readonly currencyCode: string;
  };
  readonly channel: { readonly id: string; readonly channelCode: string };
  readonly answer: { readonly kind: string; readonly excessiveCost?: Money };
}

/** Raises an alert about a charge beyond its bound; the ledger posts the agreed cost instead. */
export async function watchCost(database: Database, charged: Charged, now: Date): Promise<void> {
  const { attemptId, order, channel, answer } = charged;
  if (!answer.excessiveCost) return;
  const { merchantId, orderNo, currencyCode } = order;
  const reason = `it reports ${answer.excessiveCost.toFixed()} ${currencyCode}`;
  const about = { attemptId, merchantId, orderNo, reason };
  await alertExcessiveCost(database, { ...about, channelId: channel.id, channelCode: channel.channelCode }, now);
  log.warn('channel cost beyond its bound', { orderNo, channel: channel.channelCode, reason });
}
