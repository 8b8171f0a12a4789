import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyRing } from '../crypto/key-ring';
import type { Database } from '../db/client';
import * as db from '../db/platform/keys';
import { countOpenSessions, findKeyUses, type KeyUse } from '../db/platform/sealed-rows';
import { KEYS_EVERY_MS } from './key-watch';
import { findPersonalUses } from './personal-rows';
import { reseal } from './reseal';

/** A process without a report for this long has ended, or checks its keys before it serves, milliseconds. */
const HEARD_WITHIN_MS = 4 * KEYS_EVERY_MS;
/**
 * How long a process that was slow to notice the current key, and its requests, may still use the previous one,
 * milliseconds.
 */
const SETTLED_AFTER_MS = 60_000;
/** How long a payer's page is shown after the session's end (domain/cashier.ts), and a little more. */
const SHOWN_AFTER_END_MS = 25 * 3_600_000;

/** What a rotation needs. */
export interface RotationDeps {
  readonly database: Pick<Database, 'measure' | 'sql'>;
  readonly ring: KeyRing;
  readonly clock: () => Promise<Date>;
  readonly say: (line: string) => void;
  /** How long processes may take to notice a key, milliseconds. */
  readonly noticeWithinMs?: number;
  /** The interval of checks, milliseconds. */
  readonly lookEveryMs?: number;
}

/** The data that still needs an older key. */
interface OlderKey {
  readonly id: string;
  readonly needs: readonly string[];
}

const NOTICE_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 500;

/** The processes with a recent report. */
const heardOf = async ({ database, clock }: RotationDeps): Promise<db.ProcessKeysRow[]> =>
  await db.findProcesses(database, new Date((await clock()).getTime() - HEARD_WITHIN_MS));

const namesOf = (processes: readonly db.ProcessKeysRow[]): string =>
  processes.map(({ role, id }) => `${role} ${id}`).join(', ');

/**
 * Waits until every process with a recent report meets a condition. @throws with those that do not, after the time is
 * up
 */
async function untilAll(
  deps: RotationDeps,
  isWanted: (process: db.ProcessKeysRow) => boolean,
  problem: string,
): Promise<void> {
  const { noticeWithinMs = NOTICE_WITHIN_MS, lookEveryMs = LOOK_EVERY_MS } = deps;
  const since = performance.now();
  for (;;) {
    const wrong = (await heardOf(deps)).filter((process) => !isWanted(process));
    if (wrong.length === 0) return;
    if (performance.now() - since > noticeWithinMs) throw new Error(`${namesOf(wrong)}: ${problem}`);
    await sleep(lookEveryMs);
  }
}

/**
 * The key to rotate to: the one that was never current, or the current one, to finish an earlier run.
 * @param wanted an id, if the ring has several new keys
 */
function targetOf(ring: KeyRing, rows: readonly db.PlatformKeyRow[], wanted: string | null): string {
  if (wanted !== null && !ring.has(wanted)) throw new Error(`CAUSEWAY_KEYS has no key ${wanted}`);
  const known = new Set(rows.map(({ id }) => id));
  const fresh = ring.all.map(({ id }) => id).filter((id) => !known.has(id));
  const [only = rows[0]?.id ?? ring.current.id, ...others] = wanted === null ? fresh : [wanted];
  if (others.length > 0) throw new Error(`CAUSEWAY_KEYS has several new keys, ${fresh.join(', ')}: name one of them`);
  return only;
}

/** Whether the ring has a new key to rotate to, or an earlier rotation is unfinished. */
export async function isPending({ database, clock, ring }: RotationDeps): Promise<boolean> {
  const rows = await db.findPlatformKeys(database);
  const known = rows.length === 0 ? [ring.current.id] : rows.map(({ id }) => id);
  if (ring.all.some(({ id }) => !known.includes(id))) return true;
  ring.use(known[0] ?? ring.current.id);
  const secrets = await findKeyUses(database, await clock());
  const personal = await findPersonalUses(database, ring);
  return [...secrets, ...personal].some((use) => use.renewable && idOf(ring, use) !== known[0]);
}

/** The key of a value; one that names none is of the three settings. */
const idOf = (ring: KeyRing, { keyId }: KeyUse): string | undefined =>
  keyId === '' ? ring.find(undefined)?.id : keyId;

/** The data by the older key that it needs. */
async function needsOf(
  { database, clock, ring }: RotationDeps,
  rows: readonly db.PlatformKeyRow[],
  personal: readonly KeyUse[],
): Promise<readonly OlderKey[]> {
  const now = await clock();
  const uses = [...(await findKeyUses(database, now)), ...personal];
  const endedAfter = new Date(now.getTime() - SHOWN_AFTER_END_MS);
  // The newest first: each was used until the one before it in this list became current.
  const inOrder = rows.map(async ({ id }, place): Promise<OlderKey | null> => {
    const next = rows[place - 1];
    if (!next) return null;
    const until = new Date(next.currentFrom.getTime() + SETTLED_AFTER_MS);
    const from = rows[place + 1] ? (rows[place]?.currentFrom ?? null) : null;
    const sessions = await countOpenSessions(database, { from, until, endedAfter });
    const needs = uses.filter((use) => idOf(ring, use) === id).map(textOf);
    if (sessions > 0) needs.push(`${sessions} of cashier sessions (until a day after their end)`);
    if (until > now) needs.push('requests under way (for a minute)');
    return { id, needs };
  });
  return (await Promise.all(inOrder)).filter((key) => key !== null);
}

const textOf = ({ what, count, endsAt, renewable }: KeyUse): string =>
  `${count} of ${what}` + (endsAt ? ` (until ${endsAt.toISOString()})` : renewable ? ' (keys:rotate renews them)' : '');

/** Prints what needs older keys, and releases those that nothing needs. @returns whether all are released */
export async function checkKeys(deps: RotationDeps): Promise<boolean> {
  const { database, clock, ring, say } = deps;
  const rows = await db.findPlatformKeys(database);
  const [current] = rows;
  if (current) ring.use(current.id);
  const personal = await findPersonalUses(database, ring);
  if (!current) {
    say(`current ${ring.current.id}: no other key was ever current`);
    return true;
  }
  say(`current ${current.id} since ${current.currentFrom.toISOString()}`);
  const older = await needsOf(deps, rows, personal);
  const free = older.filter(({ needs }) => needs.length === 0).map(({ id }) => id);
  await db.releaseKeys(database, free, await clock());
  for (const { id, needs } of older) {
    const name = ring.has(id) && !ring.find(id) ? `${id} (the three keys from before the ring)` : id;
    say(needs.length > 0 ? `older ${name}: still needed` : `older ${name}: nothing needs it, take it out`);
    for (const need of needs) say(`  ${need}`);
  }
  return free.length === older.length;
}

/**
 * Rotates the platform's key while it works: waits until every process has the new key, makes it the current one, waits
 * until every process uses it, and seals every row again. May be stopped at any point and run again.
 * @param wanted the id of the new key, if the ring has several
 * @returns whether every row is sealed, and under the current key
 * @throws if a process lacks the new key: then nothing was changed
 */
export async function rotateKeys(deps: RotationDeps, wanted: string | null): Promise<boolean> {
  const { database, clock, ring, say } = deps;
  await db.nameFirstKey(database, ring.current.id, await clock());
  const rows = await db.findPlatformKeys(database);
  for (const { id, releasedAt } of rows)
    if (releasedAt === null && !ring.has(id)) throw new Error(`CAUSEWAY_KEYS lacks the key ${id}, which is in use`);
  const target = targetOf(ring, rows, wanted);
  if (rows[0]?.id === target) say(`no new key: what is left is sealed with the current one, ${target}`);
  else {
    await untilAll(
      deps,
      ({ keyIds }) => keyIds.includes(target),
      `lacks the key ${target}; give it to every process first. Nothing was changed`,
    );
    await db.makeKeyCurrent(database, target, await clock());
    say(`current ${target}`);
  }
  ring.use(target);
  await untilAll(deps, ({ currentId }) => currentId === target, `does not use the key ${target} yet; run this again`);
  const { changed, unopened } = await reseal(database, ring);
  say(`sealed again: rows=${changed}`);
  for (const context of unopened) say(`${context} does not open with any key here: it was changed, or its key is lost`);
  await checkKeys(deps);
  return unopened.length === 0;
}
