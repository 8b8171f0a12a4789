import { createLookup } from '../crypto/lookup';
import { openDatabase } from '../db/client';
import { verifyLedger } from '../db/ledger/ledger';
import { verifyAudit } from '../graph/audit/audit';

/**
 * Compares every balance with its entries.
 * @returns whether all agree
 */
export async function verifyLedgerOnce(databaseUrl: string): Promise<boolean> {
  const database = openDatabase({ url: databaseUrl, applicationName: 'causeway-verify', max: 1 });
  try {
    const discrepancies = await verifyLedger(database);
    for (const { subject, problem } of discrepancies)
      process.stdout.write(`${subject}: ${problem}\n`);
    const verdict =
      discrepancies.length === 0 ? 'the ledger adds up' : 'the ledger does not add up';
    process.stdout.write(`${verdict}: discrepancies=${discrepancies.length}\n`);
    return discrepancies.length === 0;
  } finally {
    await database.close();
  }
}

/**
 * Walks the audit log's chain.
 * @param noted a row's number and its hash as somebody recorded them earlier
 * @returns whether the chain is unbroken
 */
export async function verifyAuditOnce(
  databaseUrl: string,
  lookupKey: Buffer,
  noted: { readonly seq: bigint; readonly hash: string } | null,
): Promise<boolean> {
  const database = openDatabase({ url: databaseUrl, applicationName: 'causeway-verify', max: 1 });
  try {
    const verdict = await verifyAudit(database, createLookup(lookupKey), noted);
    for (const { subject, problem } of verdict.faults)
      process.stdout.write(`${subject}: ${problem}\n`);
    const whole = verdict.faults.length === 0;
    process.stdout.write(
      whole
        ? `the audit log is whole: rows=${verdict.rows} hash=${verdict.hash}\n`
        : `the audit log was tampered with: faults=${verdict.faults.length}\n`,
    );
    return whole;
  } finally {
    await database.close();
  }
}

/**
 * The row and hash that `audit:verify` was asked to find.
 * @throws where they are not a number and a hash
 */
export function notedRow(
  args: readonly string[],
): { readonly seq: bigint; readonly hash: string } | null {
  const [seq, hash] = args;
  if (seq === undefined) return null;
  if (!/^\d{1,18}$/.test(seq) || !/^[0-9a-f]{64}$/.test(hash ?? ''))
    throw new Error('audit:verify takes nothing, or the number of a row and its hash');
  return { seq: BigInt(seq), hash: hash ?? '' };
}
