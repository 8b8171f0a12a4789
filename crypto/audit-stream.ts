import { createPrivateKey, hash, type KeyObject, sign } from 'node:crypto';
import { isSignedBy } from './ed25519';

/** Reads a private key: PKCS #8, DER in base64. @throws if it is not an Ed25519 key */
export function readEd25519PrivateKey(base64: string): KeyObject {
  const key = createPrivateKey({
    ...({ format: 'der', type: 'pkcs8' } as const),
    key: Buffer.from(base64, 'base64'),
  });
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('not a key of Ed25519');
  return key;
}

/** A row of the audit log in a stream: its number and its hash in the log, and whatever else it has. */
export interface StreamedRow {
  readonly seq: string;
  readonly hash: string;
}

/** What a line of a stream says: some rows, and the SHA-256 of the line before, hex; empty in the first. */
interface Batch {
  readonly previous: string;
  readonly rows: readonly StreamedRow[];
}

/** By what the next line names this one. */
export const hashOfLine = (line: string): string => hash('sha256', line);

/** A line of the stream: the signature of Ed25519 in base64, a space, and what is signed, as JSON. */
export function streamLine(key: KeyObject, previous: string, rows: readonly StreamedRow[]): string {
  const batch: Batch = { previous, rows };
  const body = JSON.stringify(batch);
  return `${sign(null, Buffer.from(body), key).toString('base64')} ${body}`;
}

const bodyOf = (line: string): string => line.slice(line.indexOf(' ') + 1);

/** The number of the last row in a line. */
export const lastOfLine = (line: string): bigint => BigInt((JSON.parse(bodyOf(line)) as Batch).rows.at(-1)?.seq ?? 0);

/** What a look at a whole stream says. */
export interface StreamVerdict {
  readonly rows: number;
  /** The last row, as `audit:verify` takes it; null of an empty stream. */
  readonly last: StreamedRow | null;
  readonly faults: readonly string[];
}

/** What is wrong with a line behind the one before; null: nothing. */
function faultOf(
  line: string,
  key: KeyObject,
  before: { readonly line: string | null; readonly seq: bigint },
): string | null {
  if (!isSignedBy(key, bodyOf(line), line.slice(0, Math.max(0, line.indexOf(' ')))))
    return 'it was not signed with this key, or changed';
  const { previous, rows } = JSON.parse(bodyOf(line)) as Batch;
  if (previous !== (before.line === null ? '' : hashOfLine(before.line)))
    return 'the line before it is missing, or another one';
  const gap = rows.findIndex(({ seq }, at) => BigInt(seq) !== before.seq + BigInt(at) + 1n);
  return gap < 0 ? null : `row ${rows[gap]?.seq ?? ''} is out of order`;
}

/** Judges a stream from its first line on; each line may be the same as the one before, as it is sent again after a fault. */
export async function judgeStream(
  lines: AsyncIterable<string> | Iterable<string>,
  key: KeyObject,
): Promise<StreamVerdict> {
  let rows = 0;
  let last: StreamedRow | null = null;
  let before: string | null = null;
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line === '' || line === before) continue;
    const fault = faultOf(line, key, { line: before, seq: BigInt(last?.seq ?? 0) });
    if (fault !== null) return { rows, last, faults: [`line ${number}: ${fault}`] };
    const batch = JSON.parse(bodyOf(line)) as Batch;
    rows += batch.rows.length;
    last = batch.rows.at(-1) ?? last;
    before = line;
  }
  return { rows, last, faults: [] };
}
