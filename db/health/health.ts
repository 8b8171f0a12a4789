import type { BreakerVerdict, ChannelRecord } from '../../domain/health';
import { type ChannelRow, channelOf, type RawChannel } from '../channels/channels';
import type { Database } from '../client';

/** A channel with the results of its orders. */
export interface ChannelWithRecord extends ChannelRow {
  readonly record: ChannelRecord;
}

/** Channels whose breaker may change: one is set, or it is open. By id. */
export async function findBreakers({ sql }: Database, now: Date): Promise<ChannelWithRecord[]> {
  const rows = await sql<(RawChannel & ChannelRecord)[]>`
    select c.*, r.* from channels c cross join lateral channel_record(c, ${now}::timestamptz) r
    where c.breaker_percent is not null or c.breaker_failures is not null or c.breaker_state <> 'HEALTHY'
    order by c.id`;
  return rows.map(({ succeeded, failed, failedInRow, lastError, trial, ...raw }) => ({
    ...channelOf(raw),
    record: { succeeded, failed, failedInRow, lastError, trial },
  }));
}

/** The results of the orders of several channels, by channel. */
export const findChannelRecords = async (
  { sql }: Database,
  channelIds: readonly string[],
  now: Date,
): Promise<(ChannelRecord & { readonly id: string })[]> =>
  await sql<(ChannelRecord & { readonly id: string })[]>`
    select c.id, r.succeeded, r.failed, r.failed_in_row, r.last_error, r.trial
    from channels c cross join lateral channel_record(c, ${now}::timestamptz) r
    where c.id = any(${channelIds as string[]})`;

const doneIn = (rows: readonly { done: boolean }[]): boolean => rows[0]?.done ?? false;

/** Changes the state of a breaker. @returns false if it changed since it was evaluated */
export const moveBreaker = async (
  { sql }: Database,
  { id, breakerState, trialOrderId }: Pick<ChannelRow, 'id' | 'breakerState' | 'trialOrderId'>,
  to: BreakerVerdict,
  now: Date,
): Promise<boolean> =>
  doneIn(
    await sql<{ done: boolean }[]>`
    select move_breaker(${id}, ${breakerState}, ${trialOrderId}, ${to.breakerState}, ${to.reason},
      ${to.breakerPausedFor}, ${to.breakerTrialAt}, ${now}) as done`,
  );

/** Tries an order at a channel whose breaker is open, if a trial is allowed. @returns whether the order may go there */
export const claimTrial = async ({ sql }: Database, channelId: string, orderId: string, now: Date): Promise<boolean> =>
  doneIn(await sql<{ done: boolean }[]>`select claim_trial(${channelId}, ${orderId}, ${now}) as done`);

/**
 * Records which accounts' agents have become silent or send heartbeats again. @param minutes for accounts without a
 * setting of their own; 0: they are never passed over
 * @returns how many accounts' agents are silent
 */
export async function noteSilentAgents({ sql }: Database, minutes: number, now: Date): Promise<number> {
  const [row] = await sql<{ silent: number }[]>`
    select note_silent_agents(${minutes}, ${now}) as silent`;
  return row?.silent ?? 0;
}
