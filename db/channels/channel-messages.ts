import type { Database } from '../client';

/** A channel's message, as received. */
export interface NewChannelMessage {
  readonly id: string;
  readonly channelId: string;
  readonly messageId: string;
  readonly reference: string;
  readonly reported: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Its exact bytes in base64, sealed for `channel_message:{id}`. */
  readonly body: Buffer;
}

/** Records a message once and wakes its order, which queries the channel. @returns false for a repeat */
export async function recordChannelMessage({ sql }: Database, m: NewChannelMessage, now: Date): Promise<boolean> {
  const [row] = await sql<{ fresh: boolean }[]>`
    select record_channel_message(${m.id}, ${m.channelId}, ${m.messageId}, ${m.reference}, ${m.reported},
      ${sql.json(m.headers)}::jsonb, ${m.body}::bytea, ${now}) as fresh`;
  return row?.fresh ?? false;
}

/** Deletes messages received before a time, at most `limit`. @returns how many */
export async function pruneChannelMessages({ sql }: Database, before: Date, limit: number): Promise<number> {
  const { count } = await sql`
    delete from channel_messages where id in (
      select id from channel_messages where received_at < ${before} order by received_at limit ${limit})`;
  return count;
}
