import { createLookup } from '../crypto/lookup';
import { openDatabase } from '../db/client';
import { proveBooks } from '../db/ledger/ledger';
import type { ProofScope } from '../db/proof/prove';
import { verifyAudit } from '../graph/audit/audit';

/**
 * Proves the books, all of them or those of a time.
 * @returns whether they add up
 */
export async function verifyLedgerOnce(
  databaseUrl: string,
  range: Pick<ProofScope, 'from' | 'until'> = {},
): Promise<boolean> {
  const database = openDatabase({ url: databaseUrl, applicationName: 'causeway-verify', max: 1 });
  try {
    const begun = Date.now();
    const { discrepancies, postings, rows, checks } = await proveBooks(database, range);
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    const { maxRSS } = process.resourceUsage();
    process.stdout.write(
      `postings=${postings} rows=${rows} checks=${checks} seconds=${seconds} memory_mb=${Math.round(maxRSS / 1024)}\n`,
    );
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
 * The time that `ledger:verify` was asked about: from and until, the latter left out for no end.
 * @throws where one is no time
 */
export function askedRange(args: readonly string[]): Pick<ProofScope, 'from' | 'until'> {
  const [from, until] = args.map((text) => {
    const time = new Date(text);
    if (Number.isNaN(time.getTime()))
      throw new Error('ledger:verify takes nothing, or a time from which on, and one until which');
    return time;
  });
  return { from, until };
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
