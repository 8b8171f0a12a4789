import type { KeyRing } from '../crypto/key-ring';
import { createLookup } from '../crypto/lookup';
import { createSealer, sealedBy } from '../crypto/seal';
import type { Plain } from '../domain/change-request';
import type { Database } from '../db/client';
import * as rows from '../db/platform/sealed-rows';
import { rekeyBeneficiaries } from './beneficiary-rows';
import { resealPersonal } from './personal-rows';

/** Rows of one SQL statement, few enough that its locks last only milliseconds. */
const BATCH = 200;
/** A value before every id. */
const NONE = '00000000-0000-0000-0000-000000000000';
/** The most passes over the tables: each finds the rows added during the previous one, so more would mean a fault. */
const MOST_PASSES = 10;

/** The result of a run. */
export interface Resealed {
  readonly changed: number;
  /** The values that cannot be opened: the key is missing, or they were changed. */
  readonly unopened: readonly string[];
}

type Reader = Pick<Database, 'sql'>;

/**
 * Seals every sealed row again with the current key of a ring, and computes look-up hashes again. Each batch is one
 * statement that changes a row only if it still holds what was read: it may be stopped at any point, run again, and run
 * while the platform works.
 */
export async function reseal(database: Reader, ring: KeyRing): Promise<Resealed> {
  const unopened = new Set<string>();
  let changed = 0;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    let inPass = 0;
    for (const table of rows.SEALED_TABLES) inPass += await resealTable(database, ring, table, unopened);
    inPass += await resealProposals(database, ring, unopened);
    const sealer = createSealer(ring);
    // First: an account that is sealed is counted by its hash.
    inPass += await rekeyBeneficiaries(database, ring, sealer, unopened);
    inPass += await resealPersonal(database, ring, sealer, unopened);
    changed += inPass;
    if (inPass === 0) break;
  }
  return { changed, unopened: [...unopened] };
}

async function resealTable(
  database: Reader,
  ring: KeyRing,
  table: rows.SealedTable,
  unopened: Set<string>,
): Promise<number> {
  const current = sealedBy(ring.current);
  let changed = 0;
  for (let after = NONE; ;) {
    const found = await table.find(database, after, current, BATCH);
    const last = found.at(-1);
    if (!last) return changed;
    after = last.id;
    const renewed = found.flatMap((row): rows.ResealedRow[] => {
      const secret = opened(ring, row.sealed, row.context, unopened);
      if (secret === null) return [];
      const newHash = table.hashedText && createLookup(ring)(table.hashedText(secret));
      return [{ ...row, newSealed: createSealer(ring).seal(secret, row.context), newHash }];
    });
    if (renewed.length > 0) changed += await table.replace(database, renewed);
  }
}

function opened(ring: KeyRing, sealed: string, context: string, unopened: Set<string>): string | null {
  try {
    return createSealer(ring).open(sealed, context);
  } catch {
    unopened.add(context);
    return null;
  }
}

async function resealProposals(database: Reader, ring: KeyRing, unopened: Set<string>): Promise<number> {
  let changed = 0;
  for (const proposal of await rows.findOpenProposals(database)) {
    const payload = renewedPayload(ring, proposal, unopened);
    if (payload !== null && (await rows.replacePayload(database, proposal, payload))) changed++;
  }
  return changed;
}

/** A payload with its secrets under the current key; null if they are. */
function renewedPayload(
  ring: KeyRing,
  { subjectKind, payload }: rows.OpenProposal,
  unopened: Set<string>,
): rows.PlainObject | null {
  const current = sealedBy(ring.current);
  const renewedHere = new Set<string>();
  const anew = (text: unknown, context: string): { secret: string; sealed: string } | null => {
    if (typeof text !== 'string' || text.startsWith(current)) return null;
    const secret = opened(ring, text, context, unopened);
    if (secret === null) return null;
    renewedHere.add(context);
    return { secret, sealed: createSealer(ring).seal(secret, context) };
  };
  const lookup = createLookup(ring);
  const id = typeof payload['id'] === 'string' ? payload['id'] : '';
  /** One object of the payload, with nested ones. */
  const renew = (part: rows.PlainObject): rows.PlainObject => {
    const made: Record<string, Plain> = {};
    for (const [name, value] of Object.entries(part)) made[name] = isPlain(value) ? renew(value) : value;
    const key = anew(part['sealedKey'], `api_key:${id}`);
    if (key) Object.assign(made, { sealedKey: key.sealed, lookupHash: lookup(key.secret) });
    const { secretId } = part;
    const place = subjectKind === 'agent_key' ? 'agent_key' : 'channel';
    const secret = anew(
      part['sealedSecret'],
      typeof secretId === 'string' ? `event_addresses:${secretId}` : `${place}:${id}`,
    );
    if (secret) made['sealedSecret'] = secret.sealed;
    return made;
  };
  const renewed = renew(payload);
  return renewedHere.size > 0 ? renewed : null;
}

const isPlain = (value: Plain): value is rows.PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
