import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { uuidv7 } from 'uuidv7';
import type { AuditSigner } from '../crypto/audit-signer';
import { auditDigest, entryOfNobody } from '../db/audit/audit-log';
import { type Database, openDatabase } from '../db/client';
import { readClock } from '../db/clock';
import { dropOldRows, findOldRows, type OldRow } from '../db/platform/archive';
import { ARCHIVE_AFTER_AT_LEAST_DAYS, ARCHIVED_TABLES, type ArchivedTable, daysOf } from '../domain/archive';
import { writeFileAtomically } from '../local/files';
import type { DatabaseSettings } from '../runtime/server-settings';

const DAY_MS = 86_400_000;
/** Rows, or callbacks with their attempts, of one file. */
const BATCH = 10_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** What is archived, and where. */
export interface ArchiveSettings {
  /** Rows older than this leave the database; messages of channels sooner (domain/archive.ts). */
  readonly days: number;
  /** An existing folder. */
  readonly folder: string;
  /** Of one file; as the command has it by default. */
  readonly batch?: number;
}

/**
 * Reads `--days N --to FOLDER`.
 * @throws if they are missing, or less than production keeps
 */
export function readArchiveSettings(args: readonly string[], isProduction: boolean): ArchiveSettings {
  const { values } = parseArgs({
    args: [...args],
    options: { days: { type: 'string', default: '' }, to: { type: 'string', default: '' } },
  });
  const days = Number(values.days);
  if (!/^[1-9]\d{0,4}$/.test(values.days) || values.to === '') throw new Error('archive takes --days N --to FOLDER');
  if (isProduction && days < ARCHIVE_AFTER_AT_LEAST_DAYS)
    throw new Error(`production keeps rows for at least ${ARCHIVE_AFTER_AT_LEAST_DAYS} days`);
  if (!existsSync(values.to)) throw new Error(`there is no folder ${values.to}`);
  return { days, folder: values.to };
}

/**
 * Writes old rows to files, and deletes what was written and read again. It may be stopped at any point and run again:
 * a file of a batch that was not deleted is written again under the same name.
 * @param say gets one line for each table
 */
export async function archiveOnce(
  settings: DatabaseSettings,
  { days, folder, batch = BATCH }: ArchiveSettings,
  signer: Pick<AuditSigner, 'sign'>,
  say: (line: string) => void,
  clock: (database: Database) => Promise<Date> = readClock,
): Promise<void> {
  const run = uuidv7();
  const database = openDatabase({ ...settings, applicationName: 'causeway-archive', max: 1 });
  const digest = auditDigest((text) => signer.sign(text));
  try {
    const at = await clock(database);
    for (const table of ARCHIVED_TABLES) {
      const kept = daysOf(table, days);
      const before = new Date(at.getTime() - kept * DAY_MS);
      let [after, files, count] = [FIRST, 0, 0];
      for (;;) {
        const rows = await findOldRows(database, table, { before, after, limit: batch });
        const last = rows.at(-1);
        if (last === undefined) break;
        const written = writeRows(folder, table, rows);
        const entry = entryOfNobody({
          at,
          action: 'archiveRows',
          subject: table,
          reason: `older than ${kept} days`,
          after: { ...written, rows: rows.length, before: before.toISOString() },
          traceId: run,
        });
        await dropOldRows(database, table, rows, entry, digest);
        [after, files, count] = [last.id, files + 1, count + rows.length];
      }
      say(`table=${table} before=${before.toISOString()} rows=${count} files=${files}`);
    }
  } finally {
    await database.close();
  }
}

/** Writes rows as gzipped lines of JSON. @throws unless the disk gives back what was written */
function writeRows(
  folder: string,
  table: ArchivedTable,
  rows: readonly OldRow[],
): { readonly file: string; readonly sha256: string } {
  const text = rows.map(({ line }) => `${line}\n`).join('');
  const bytes = gzipSync(text);
  const name = `${rows[0]?.id ?? ''}_${rows.at(-1)?.id ?? ''}.jsonl.gz`;
  const file = path.join(folder, table, name);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileAtomically(file, bytes);
  const found = readFileSync(file);
  if (sha256(found) !== sha256(bytes) || gunzipSync(found).toString() !== text)
    throw new Error(`${file} does not hold what was written`);
  return { file: `${table}/${name}`, sha256: sha256(bytes) };
}
