import type { Database, Transaction } from '../client';
import type { RowOf } from '../rows';
import type { platform, recoveries } from '../schema/platform';

/** The platform of a database, with its epoch and marker. */
export interface PlatformRow extends Pick<RowOf<typeof platform>, 'identity' | 'epoch'> {
  readonly marker: number;
  /** The recovery that has not ended; null: none. */
  readonly recoveryId: string | null;
}

/** A recovery: the database was restored to an earlier state. Times UTC. */
export type RecoveryRow = Omit<RowOf<typeof recoveries>, 'askingUntil'>;

/** A marker and an epoch, as stored outside of the database. */
export interface KeptMarker {
  readonly marker: number;
  readonly epoch: number;
}

/** Every marker of a platform that is known outside of its database, and the highest epoch. */
export interface KnownMarkers {
  readonly markers: readonly number[];
  readonly epoch: number;
}

/** Reads the platform of the database. @throws if `migrate` never ran */
export async function readPlatform({ sql }: Pick<Database, 'sql'>): Promise<PlatformRow> {
  const [row] = await sql<PlatformRow[]>`
    select p.identity, m.marker::float8, p.epoch, (select id from recoveries where ended_at is null) as recovery_id
    from platform p join platform_marker m on m.id = p.id where p.id = 1`;
  if (!row) throw new Error('the database has no platform row');
  return row;
}

/** The result of raising a marker. BEHIND: it is lower than a known one, and was not raised. */
export type MarkerVerdict = 'RAISED' | 'BEHIND' | 'RECOVERY';

/** A marker that was raised, or was not. */
interface RaisedMarker extends KeptMarker {
  readonly verdict: MarkerVerdict;
  /** The highest known marker that was raised in a lost copy of this database; null: none. */
  readonly lost: number | null;
}

/**
 * Raises the marker, unless it is lower than a known one or the platform is in recovery. @param known the markers of
 * this platform that are known outside, read before
 */
export async function raiseMarker(
  { sql }: Database,
  identity: string,
  known: readonly number[],
  now: Date,
): Promise<RaisedMarker> {
  const [row] = await sql<RaisedMarker[]>`
    select verdict, raised::float8 as marker, epoch,
      find_lost_marker(${identity}, ${sql.array([...known])}::bigint[])::float8 as lost
    from raise_marker(${identity}, ${Math.max(0, ...known)}, ${now})`;
  if (!row) throw new Error('the database has no marker');
  return row;
}

/**
 * The highest marker that was raised in a lost copy of this database; null: none. @param known the markers of this
 * platform that are known outside, read before
 */
export async function findLostMarker(
  { sql }: Database,
  identity: string,
  known: readonly number[],
): Promise<number | null> {
  if (known.length === 0) return null;
  const [row] = await sql<{ lost: number | null }[]>`
    select find_lost_marker(${identity}, ${sql.array([...known])}::bigint[])::float8 as lost`;
  return row?.lost ?? null;
}

/**
 * Begins a recovery if the marker outside was raised in a lost copy of the database.
 * @param id of the recovery
 * @returns whether this call began it
 */
export async function beginRecovery({ sql }: Database, id: string, outside: KeptMarker, now: Date): Promise<boolean> {
  const [row] = await sql<{ begun: boolean }[]>`
    select begin_recovery(${id}, ${outside.marker}, ${outside.epoch}, false, ${now}) is not null as begun`;
  return row?.begun ?? false;
}

/** Begins a recovery because an operator says that the database was restored. @returns whether there was none yet */
export async function beginRecoveryByHand({ sql }: Database, id: string, now: Date): Promise<boolean> {
  const [row] = await sql<{ begun: boolean }[]>`
    select begin_recovery(${id}, 0, 0, true, ${now}) is not null as begun`;
  return row?.begun ?? false;
}

/** Whether the database was restored and nobody has ended the recovery. */
export async function isInRecovery({ sql }: Pick<Database, 'sql'>): Promise<boolean> {
  const [row] = await sql<{ is: boolean }[]>`select in_recovery() as is`;
  return row?.is ?? false;
}

/** Whether a withdrawal's payout waits for the end of a recovery, or for a channel's answer. */
export async function isPayoutHeld(
  { sql }: { readonly sql: Database['sql'] | Transaction },
  withdrawalId: string,
): Promise<boolean> {
  const [row] = await sql<{ is: boolean }[]>`select is_payout_held(${withdrawalId}) as is`;
  return row?.is ?? false;
}

/** Whether a person must not begin a manual payout, or a return, because of a recovery. @param subject of its finding */
export async function isSendingHeld(tx: Transaction, subject: string): Promise<boolean> {
  const [row] = await tx<{ is: boolean }[]>`select is_sending_held(${subject}) as is`;
  return row?.is ?? false;
}

/** Whether people must first explain what a recovery found about a subject. */
export async function isUnexplained(tx: Transaction, subject: string): Promise<boolean> {
  const [row] = await tx<{ is: boolean }[]>`select is_unexplained(${subject}) as is`;
  return row?.is ?? false;
}

/** Why a recovery cannot end; null: it can. */
export async function findRecoveryProblem(
  sql: Database['sql'] | Transaction,
  recoveryId: string,
): Promise<'ENDED' | 'NOT_ASKED' | null> {
  const [row] = await sql<{ problem: 'ENDED' | 'NOT_ASKED' | null }[]>`
    select recovery_problem(${recoveryId}) as problem`;
  return row?.problem ?? null;
}

/** Ends a recovery. @param changeId the approved change request */
export async function endRecovery(tx: Transaction, recoveryId: string, changeId: string, now: Date): Promise<void> {
  await tx`
    update recoveries set ended_at = ${now}, ended_by = ${changeId}
    where id = ${recoveryId} and ended_at is null`;
}

/** Deposits that are PENDING from before a time, counted up to 10,000. */
export async function countOpenDepositsOf({ read: sql }: Database, before: Date): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (
      select from deposit_orders where status = 'PENDING' and created_at <= ${before} limit 10000) counted`;
  return row?.count ?? 0;
}

/** Why the money of a withdrawal must not be released yet; null: it may. */
export async function findReleaseProblem(
  tx: Transaction,
  withdrawalId: string,
): Promise<'NOT_ASKED' | 'MAY_BE_PAID' | null> {
  const [row] = await tx<{ problem: 'NOT_ASKED' | 'MAY_BE_PAID' | null }[]>`
    select release_problem(w) as problem from withdrawal_orders w where id = ${withdrawalId}`;
  return row?.problem ?? null;
}
