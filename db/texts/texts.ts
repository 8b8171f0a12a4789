import type { TextState } from '../../domain/text-pattern';
import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { agentDevices, agentTexts, textPatterns } from '../schema/agent-texts';

/** A message of a bank as a device forwarded it. */
export type TextRow = RowOf<typeof agentTexts>;
/** A pattern that reads a bank's messages; a version never changes. */
export type PatternRow = RowOf<typeof textPatterns>;
/** A device that forwards messages under an agent's key. */
export type DeviceRow = RowOf<typeof agentDevices>;

/** What a device reports about itself. */
export interface DeviceReport {
  readonly id: string;
  readonly agentKeyId: string;
  readonly deviceId: string;
  readonly label: string | null;
  readonly version: string | null;
  readonly battery: number | null;
  readonly waiting: number | null;
}

/** Records a device and its report; a new one begins unpaired. */
export async function seeDevice({ sql }: Database, device: DeviceReport, now: Date): Promise<DeviceRow> {
  const { id, agentKeyId, deviceId, label, version, battery, waiting } = device;
  const [row] = await sql<DeviceRow[]>`
    insert into agent_devices
      (id, agent_key_id, device_id, label, version, battery, waiting, first_seen_at, last_seen_at)
    values (${id}, ${agentKeyId}, ${deviceId}, ${label ?? deviceId}, ${version}, ${battery}, ${waiting}, ${now}, ${now})
    on conflict (agent_key_id, device_id) do update set
      label = coalesce(${label}, agent_devices.label), version = coalesce(${version}, agent_devices.version),
      battery = coalesce(${battery}, agent_devices.battery), waiting = coalesce(${waiting}, agent_devices.waiting),
      last_seen_at = greatest(agent_devices.last_seen_at, excluded.last_seen_at)
    returning *`;
  if (!row) throw new Error('no device');
  return row;
}

/** The devices of all keys, the newest first. */
export const findDevices = async ({ sql }: Database): Promise<DeviceRow[]> =>
  await sql<DeviceRow[]>`select * from agent_devices order by first_seen_at desc, id desc limit 500`;

/** One device. */
export async function findDevice({ sql }: Database, id: string): Promise<DeviceRow | undefined> {
  const [row] = await sql<DeviceRow[]>`select * from agent_devices where id = ${id}`;
  return row;
}

/** Pairs a device: its messages are read from now on. */
export async function pairDevice(tx: Transaction, id: string, by: string, now: Date): Promise<void> {
  await tx`
    update agent_devices set paired_by = ${by}, paired_at = ${now}, unpaired_at = null where id = ${id}`;
}

/** Unpairs a device: its messages are no longer read. */
export async function unpairDevice(tx: Transaction, id: string, now: Date): Promise<void> {
  await tx`
    update agent_devices set paired_by = null, paired_at = null, unpaired_at = ${now} where id = ${id}`;
}

/** Stores a message, once. @returns the message, and whether it was stored before */
export async function keepText(
  { sql }: Database,
  text: Omit<TextRow, 'state' | 'patternId' | 'transferId' | 'debitId' | 'problem' | 'triedAt'>,
): Promise<{ readonly text: TextRow; readonly duplicate: boolean }> {
  const { id, deviceId, accountId, sender, text: said, sentAt, receivedAt, dedupeKey } = text;
  const [made] = await sql<TextRow[]>`
    insert into agent_texts
      (id, device_id, account_id, sender, text, sent_at, received_at, dedupe_key, state, tried_at)
    values (${id}, ${deviceId}, ${accountId}, ${sender}, ${said}, ${sentAt}, ${receivedAt}, ${dedupeKey}, 'UNREAD',
      ${receivedAt})
    on conflict (device_id, dedupe_key) do nothing returning *`;
  if (made) return { text: made, duplicate: false };
  const [before] = await sql<TextRow[]>`
    select * from agent_texts where device_id = ${deviceId} and dedupe_key = ${dedupeKey}`;
  if (!before) throw new Error('a message is gone');
  return { text: before, duplicate: true };
}

/** Records the result of a waiting message. */
export async function settleText(
  sql: Database['sql'] | Transaction,
  id: string,
  done: {
    readonly state: TextState;
    readonly triedAt: Date;
    readonly patternId?: string;
    readonly transferId?: string;
    readonly debitId?: string;
    readonly problem?: string;
  },
): Promise<TextRow | undefined> {
  const [row] = await sql<TextRow[]>`
    update agent_texts
    set state = ${done.state}, tried_at = ${done.triedAt}, pattern_id = ${done.patternId ?? null},
      transfer_id = ${done.transferId ?? null}, debit_id = ${done.debitId ?? null}, problem = ${done.problem ?? null}
    where id = ${id} and state = 'UNREAD' returning *`;
  return row;
}

/** One message. */
export async function findText({ sql }: Database, id: string): Promise<TextRow | undefined> {
  const [row] = await sql<TextRow[]>`select * from agent_texts where id = ${id}`;
  return row;
}

/** Messages, the newest first. @param states by default all */
export const listTexts = async (
  { read: sql }: Database,
  {
    states,
    accountId,
    before,
    first,
  }: {
    readonly states: readonly TextState[] | null;
    readonly accountId: string | null;
    readonly before: Date | null;
    readonly first: number;
  },
): Promise<TextRow[]> =>
  await sql<TextRow[]>`
    select * from agent_texts
    where (${states as TextState[] | null}::text[] is null or state = any(${states as TextState[] | null}::text[]))
      and (${accountId}::uuid is null or account_id = ${accountId}::uuid)
      and (${before}::timestamptz is null or received_at < ${before}::timestamptz)
    order by received_at desc, id desc limit ${first}`;

/** Messages of a paired device that wait, and that a newer pattern or its pairing may read. */
export const findReadable = async ({ sql }: Database, deviceId: string, limit: number): Promise<TextRow[]> =>
  await sql<TextRow[]>`
    select t.* from agent_texts t join agent_devices d on d.id = t.device_id
    join bank_accounts a on a.id = t.account_id
    where t.device_id = ${deviceId} and t.state = 'UNREAD' and d.paired_at is not null
      and (d.paired_at >= t.tried_at or exists (
        select from text_patterns p where p.active and p.bank_code = a.bank_code and p.created_at >= t.tried_at))
    order by t.received_at, t.id limit ${limit}`;

/** The patterns in force, or all versions, by name. */
export const findPatterns = async ({ sql }: Database, bankCode: string | null, all: boolean): Promise<PatternRow[]> =>
  await sql<PatternRow[]>`
    select * from text_patterns
    where (${all} or active) and (${bankCode}::text is null or bank_code = ${bankCode})
    order by name, version desc`;

/** Adds the next version of a pattern; the previous one is no longer in force. */
export async function putPattern(tx: Transaction, pattern: PatternRow): Promise<void> {
  const p = pattern;
  await tx`update text_patterns set active = false where name = ${p.name} and active`;
  await tx`
    insert into text_patterns (id, name, version, bank_code, sender, direction, pattern, time_format, decimal_sign,
      years_ahead, active, created_by, created_at)
    values (${p.id}, ${p.name}, ${p.version}, ${p.bankCode}, ${p.sender}, ${p.direction}, ${p.pattern}, ${p.timeFormat},
      ${p.decimalSign}, ${p.yearsAhead}, ${p.active}, ${p.createdBy}, ${p.createdAt})`;
}

/** The newest version of a pattern, locked. */
export async function lockPattern(tx: Transaction, name: string): Promise<PatternRow | undefined> {
  const [row] = await tx<PatternRow[]>`
    select * from text_patterns where name = ${name} order by version desc limit 1 for update`;
  return row;
}

/**
 * Raises an alert for each paired device without a heartbeat since, once for each silence.
 * @param limit most alerts of one call: the next call continues
 * @returns how many are silent, alerted before or not
 */
export async function alertSilentDevices(
  { sql }: Database,
  seenBefore: Date,
  limit: number,
  now: Date,
): Promise<number> {
  const silent = sql`agent_devices d join agent_keys k on k.id = d.agent_key_id
    where d.paired_at is not null and k.revoked_at is null and d.last_seen_at <= ${seenBefore}`;
  const key = sql`'silent:' || d.id || ':' || extract(epoch from d.last_seen_at)::bigint`;
  await sql`
    select raise_alert('DEVICE_SILENT', s.key, null,
      jsonb_build_object('deviceId', s.id, 'device', s.label,
        'reason', s.label || ' was last seen at ' || to_char(s.last_seen_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC'),
      ${now})
    from (
      select d.id, d.label, d.last_seen_at, ${key} as key from ${silent}
        and not exists (select from alerts a where a.key = ${key})
      order by d.last_seen_at, d.id limit ${limit}) s`;
  const [row] = await sql<{ silent: number }[]>`select count(*)::int as silent from ${silent}`;
  return row?.silent ?? 0;
}
