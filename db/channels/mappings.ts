import type { JSONValue } from 'postgres';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { channelMappings, channelMappingTrials } from '../schema/channel-mappings';

/** A version of a channel's mapping. Times UTC. */
export type ChannelMappingRow = RowOf<typeof channelMappings>;

/** A trial of a version by the conformance kit. */
export type MappingTrialRow = RowOf<typeof channelMappingTrials>;

/** Adds a version. The channel's row is locked: versions count up without a gap. @returns its number */
export async function insertMapping(
  tx: Transaction,
  { channelId, mapping, note, createdBy }: Omit<ChannelMappingRow, 'version' | 'createdAt'>,
  now: Date,
): Promise<number> {
  await tx`select from channels where id = ${channelId} for no key update`;
  const [row] = await tx<{ version: number }[]>`
    insert into channel_mappings (channel_id, version, mapping, note, created_by, created_at)
    select ${channelId}, coalesce(max(version), 0) + 1, ${tx.json(mapping)}, ${note}, ${createdBy}, ${now}
    from channel_mappings where channel_id = ${channelId}
    returning version`;
  return row?.version ?? 0;
}

/** One version. */
export async function findMapping(
  sql: Database['sql'] | Transaction,
  channelId: string,
  version: number,
): Promise<ChannelMappingRow | undefined> {
  const [row] = await sql<ChannelMappingRow[]>`
    select * from channel_mappings where channel_id = ${channelId} and version = ${version}`;
  return row;
}

/** The versions of several channels, the newest first. */
export const findMappings = async ({ sql }: Database, channelIds: readonly string[]): Promise<ChannelMappingRow[]> =>
  await sql<ChannelMappingRow[]>`
    select * from channel_mappings where channel_id = any(${channelIds as string[]})
    order by channel_id, version desc`;

/** Records a trial. */
export async function insertTrial(tx: Transaction, trial: MappingTrialRow): Promise<void> {
  const { id, channelId, version, passed, checks, triedBy, triedAt } = trial;
  await tx`
    insert into channel_mapping_trials (id, channel_id, version, passed, checks, tried_by, tried_at)
    values (${id}, ${channelId}, ${version}, ${passed}, ${tx.json(checks as unknown as JSONValue)}, ${triedBy},
      ${triedAt})`;
}

/** The newest trial of each version of several channels. */
export const findTrials = async ({ sql }: Database, channelIds: readonly string[]): Promise<MappingTrialRow[]> =>
  await sql<MappingTrialRow[]>`
    select distinct on (channel_id, version) * from channel_mapping_trials
    where channel_id = any(${channelIds as string[]}) order by channel_id, version, id desc`;

/** Whether the newest trial of a version passed: only then may a channel use it. */
export const hasPassed = (sql: Database['sql'] | Transaction) => sql`
  coalesce((
    select t.passed from channel_mapping_trials t
    where t.channel_id = channels.id and t.version = channels.mapping_version order by t.id desc limit 1), false)`;

/**
 * Puts a version in force if it has passed the conformance kit. @param acceptsContact as in the version
 * @returns whether there is such a channel and version
 */
export async function setMappingInForce(
  tx: Transaction,
  channelId: string,
  version: number,
  acceptsContact: boolean,
  now: Date,
): Promise<boolean> {
  const { count } = await tx`
    update channels set mapping_version = ${version}, accepts_contact = ${acceptsContact}, updated_at = ${now}
    where id = ${channelId} and mapped and (
      select t.passed from channel_mapping_trials t
      where t.channel_id = ${channelId} and t.version = ${version} order by t.id desc limit 1)`;
  return count > 0;
}

/** Raises the alert that a channel reported a cost beyond the bound of its mapping, once for each attempt. */
export async function alertExcessiveCost(
  { sql }: Database,
  about: {
    readonly attemptId: string;
    readonly merchantId: string;
    readonly orderNo: string;
    readonly channelId: string;
    readonly channelCode: string;
    readonly reason: string;
  },
  now: Date,
): Promise<void> {
  const { attemptId, merchantId, ...rest } = about;
  await sql`
    select raise_alert('COST_ABOVE_BOUND', ${`cost:${attemptId}`}, ${merchantId}, ${sql.json(rest)}, ${now})`;
}

/** Raises the alert that a request of a channel was not sent, once an hour at most for each channel. */
export async function alertUnsent(
  { sql }: Database,
  about: {
    readonly channelId: string;
    readonly channelCode: string;
    readonly reason: string;
    /** The order that it was about; absent where the channel sends nothing at all. */
    readonly orderNo?: string;
  },
  now: Date,
): Promise<void> {
  const hour = now.toISOString().slice(0, 13);
  await sql`
    select raise_alert('REQUEST_NOT_SENT', ${`unsent:${about.channelId}:${hour}`}, null, ${sql.json(about)}, ${now})`;
}
