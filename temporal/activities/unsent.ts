import type { DepositAnswer } from '../../domain/channel-deposit';
import type { PayoutAnswer } from '../../domain/payout';
import { alertUnsent } from '../../db/channels/mappings';
import type { Database } from '../../db/client';

/** An order whose request may not have been sent. */
interface Asked {
  readonly order: { readonly orderNo: string };
  readonly channel: { readonly id: string; readonly channelCode: string };
  readonly answer: PayoutAnswer | DepositAnswer;
}

/** Raises an alert if we refused to send the request ourselves. */
export async function watchUnsent(
  database: Database,
  { order: { orderNo }, channel: { id: channelId, channelCode }, answer }: Asked,
  now: Date,
): Promise<void> {
  if (answer.kind !== 'REFUSED' || answer.unsent !== true) return;
  await alertUnsent(database, { channelId, channelCode, orderNo, reason: answer.reason }, now);
}
