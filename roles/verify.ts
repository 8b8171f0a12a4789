import { existsSync, readFileSync } from 'node:fs';
import type { AuditSigner } from '../crypto/audit-signer';
import { openDatabase } from '../db/client';
import { proveBooks } from '../db/ledger/ledger';
import type { ProofScope } from '../db/proof/prove';
import { proveHeads } from '../db/proof/seals';
import type { DatabaseSettings } from '../runtime/server-settings';
import { headText } from '../domain/ledger-head';
import { verifyAudit } from '../steps/audit/verify-audit';

/** A standby or a restored copy serves as well as the primary. */
const READER = { applicationName: 'causeway-verify', max: 1, readsOnly: true };

/** Proves all of the books, or those of a period. @returns whether they add up */
export async function verifyLedgerOnce(
  settings: DatabaseSettings,
  range: Pick<ProofScope, 'from' | 'until'> = {},
  heads: readonly NotedHead[] = [],
): Promise<boolean> {
  const database = openDatabase({ ...settings, ...READER });
  try {
    const begun = Date.now();
    const { postings, rows, checks, ...proof } = await proveBooks(database, range);
    const cut = await database.transaction(async (tx) => await proveHeads(tx, heads));
    const discrepancies = [...proof.discrepancies, ...cut];
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    const { maxRSS } = process.resourceUsage();
    process.stdout.write(
      `postings=${postings} rows=${rows} checks=${checks} heads=${heads.length} seconds=${seconds} memory_mb=${Math.round(maxRSS / 1024)}\n`,
    );
    for (const { subject, problem } of discrepancies) process.stdout.write(`${subject}: ${problem}\n`);
    const verdict = discrepancies.length === 0 ? 'the ledger adds up' : 'the ledger does not add up';
    process.stdout.write(`${verdict}: discrepancies=${discrepancies.length}\n`);
    return discrepancies.length === 0;
  } finally {
    await database.close();
  }
}

/**
 * Walks the audit log's chain.
 * @param noted a row's number and hash that somebody recorded earlier
 * @returns whether the chain is unbroken
 */
export async function verifyAuditOnce(
  settings: DatabaseSettings,
  signer: Pick<AuditSigner, 'judge'>,
  noted: { readonly seq: bigint; readonly hash: string } | null,
): Promise<boolean> {
  const database = openDatabase({ ...settings, ...READER });
  try {
    const verdict = await verifyAudit(database, signer, noted);
    for (const { subject, problem } of verdict.faults) process.stdout.write(`${subject}: ${problem}\n`);
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

/** A head of the ledger's chain, as it was recorded outside the database. */
export interface NotedHead {
  readonly seq: bigint;
  readonly hash: string;
}

/** Reads the heads in a worker's file; none if there is no file. @throws if a line is not signed with these keys */
export function notedHeads(file: string, signer: () => Pick<AuditSigner, 'judge'>): NotedHead[] {
  if (!existsSync(file)) return [];
  const { judge } = signer();
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const head = JSON.parse(line) as Record<'seq' | 'hash' | 'signature', string>;
    const finding = judge(headText(head), head.signature);
    if (finding === 'UNKNOWN_KEY')
      throw new Error(`${file} has a line of a key that was not given (CAUSEWAY_AUDIT_KEY): ${line}`);
    if (finding === 'WRONG') throw new Error(`${file} has a line that was not signed here: ${line}`);
    return { seq: BigInt(head.seq), hash: head.hash };
  });
}

/**
 * The period that `ledger:verify` gets: from and until; without the latter it is open-ended.
 * @throws if one is not a time
 */
export function askedRange(args: readonly string[]): Pick<ProofScope, 'from' | 'until'> {
  const [from, until] = args.map((text) => {
    const time = new Date(text);
    if (Number.isNaN(time.getTime()))
      throw new Error('ledger:verify takes no arguments, or a start and optionally an end');
    return time;
  });
  return { from, until };
}

/** The row and hash that `audit:verify` gets. @throws if they are not a number and a hash */
export function notedRow(args: readonly string[]): { readonly seq: bigint; readonly hash: string } | null {
  const [seq, hash] = args;
  if (seq === undefined) return null;
  if (!/^\d{1,18}$/.test(seq) || !/^(?:[0-9a-f]{8}\.)?[0-9a-f]{64}$/.test(hash ?? ''))
    throw new Error('audit:verify takes no arguments, or the number of a row and its hash');
  return { seq: BigInt(seq), hash: hash ?? '' };
}
