import { parseArgs } from 'node:util';
import { uuidv7 } from 'uuidv7';
import type { AuditSigner } from '../crypto/audit-signer';
import { auditDigest, entryOfNobody } from '../db/audit/audit-log';
import { type Database, openDatabase } from '../db/client';
import { readClock } from '../db/clock';
import { eraseOld } from '../db/personal/erase';
import { ERASE_AFTER_AT_LEAST_DAYS, ERASED_WHEN_OLD } from '../domain/personal';
import type { DatabaseSettings } from '../runtime/server-settings';

const DAY_MS = 86_400_000;
/** Rows that one transaction locks. */
const BATCH = 1_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Reads `--days N`.
 * @throws if it is missing, or less than production keeps
 */
export function readEraseDays(args: readonly string[], isProduction: boolean): number {
  const { values } = parseArgs({
    args: [...args],
    options: { days: { type: 'string', default: '' } },
  });
  const days = Number(values.days);
  if (!/^[1-9]\d{0,4}$/.test(values.days)) throw new Error('erase takes --days N');
  if (isProduction && days < ERASE_AFTER_AT_LEAST_DAYS)
    throw new Error(`production keeps people for at least ${ERASE_AFTER_AT_LEAST_DAYS} days`);
  return days;
}

/**
 * Erases people from everything that is older than so many days and has ended. It may be stopped at any point and run
 * again. @param say gets one line for each kind of row, and one at the end
 */
export async function eraseOnce(
  settings: DatabaseSettings,
  { days, batch = BATCH }: { readonly days: number; readonly batch?: number },
  signer: Pick<AuditSigner, 'sign'>,
  say: (line: string) => void,
  clock: (database: Database) => Promise<Date> = readClock,
): Promise<void> {
  const traceId = uuidv7();
  const database = openDatabase({ ...settings, applicationName: 'causeway-erase', max: 1 });
  const digest = auditDigest((text) => signer.sign(text));
  try {
    const at = await clock(database);
    const before = new Date(at.getTime() - days * DAY_MS);
    let all = 0;
    for (const what of ERASED_WHEN_OLD) {
      const entry = (rows: number) =>
        entryOfNobody({
          at,
          action: 'erasePeople',
          subject: what,
          reason: `older than ${days} days`,
          after: { rows, before: before.toISOString() },
          traceId,
        });
      let erased = 0;
      for (let after: string | null = FIRST; after !== null;) {
        const next = { before, after, limit: batch };
        const done: Awaited<ReturnType<typeof eraseOld>> = await eraseOld(
          ...([database, what, next, entry, digest] as const),
        );
        [after, erased] = [done.last, erased + done.rows];
      }
      all += erased;
      say(`what=${what} before=${before.toISOString()} rows=${erased}`);
    }
    // Tells that it came to its end, and when.
    say(`done=${(await clock(database)).toISOString()} before=${before.toISOString()} rows=${all}`);
  } finally {
    await database.close();
  }
}
