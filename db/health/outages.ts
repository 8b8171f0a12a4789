import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { outages } from '../schema/health';

/** An outage of a bank or a channel, as an operator entered it. Times UTC. */
export type OutageRow = RowOf<typeof outages>;

/** What an operator enters. */
export type NewOutage = Omit<OutageRow, 'endedBy' | 'endedAt'>;

/** Enters an outage. */
export async function enterOutage(tx: Transaction, outage: NewOutage): Promise<void> {
  const { id, bankCode, channelId, beginsAt, endsAt, reason, enteredBy, enteredAt } = outage;
  await tx`
    insert into outages (id, bank_code, channel_id, begins_at, ends_at, reason, entered_by, entered_at)
    values (${id}, ${bankCode}, ${channelId}, ${beginsAt}, ${endsAt}, ${reason}, ${enteredBy}, ${enteredAt})`;
}

/** Ends an outage, or cancels it before it begins. @returns whether it had not ended yet */
export async function endOutage(tx: Transaction, id: string, by: string, now: Date): Promise<boolean> {
  const { count } = await tx`
    update outages set ended_by = ${by}, ended_at = ${now}
    where id = ${id} and ended_at is null and coalesce(ends_at, 'infinity') > ${now}`;
  return count > 0;
}

/** Several outages by their ids. */
export const findOutages = async ({ sql }: Database, ids: readonly string[]): Promise<OutageRow[]> =>
  await sql<OutageRow[]>`select * from outages where id = any(${ids as string[]})`;

/** Whether a managed account is at this bank. */
export async function hasAccountAt({ sql }: Database, bankCode: string): Promise<boolean> {
  const rows = await sql`select from bank_accounts where bank_code = ${bankCode} limit 1`;
  return rows.length > 0;
}
