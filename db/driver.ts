import { Duplex } from 'node:stream';
import postgres from 'postgres';

/** The driver has this long for the probe, milliseconds; it takes some twenty of a core. */
const WITHIN_MS = 10_000;

/** A message of PostgreSQL's protocol. */
function message(kind: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number): Buffer =>
  Buffer.concat([int16(value >>> 16), int16(value & 65_535)]);

const READY = message('Z', 'I');
const WELCOME = [message('R', int32(0)), READY];
/** One column of text. */
const COLUMN = message(
  'T',
  int16(1),
  'n\0',
  int32(0),
  int16(0),
  int32(25),
  int16(-1),
  int32(-1),
  int16(0),
);
const row = (text: string): Buffer => message('D', int16(1), int32(text.length), text);
const FAULT = message('E', 'SERROR\0', 'C22012\0', 'Mdivision by zero\0', '\0');
/** The first statement fails after three rows; the second one has two. */
const ANSWERS = [
  [COLUMN, row('1'), row('2'), row('3'), FAULT, READY],
  [COLUMN, row('4'), row('5'), message('C', 'SELECT 2\0'), READY],
];

/** A connection whose other end answers a log-in, then two statements. */
class Played extends Duplex {
  readonly readyState = 'open';
  private readonly answers = [WELCOME, ...ANSWERS];

  override _read(): void {
    // Answers follow writes.
  }

  override _write(_sent: unknown, _encoding: unknown, done: () => void): void {
    done();
    const answer = Buffer.concat(this.answers.shift() ?? []);
    // Like a socket: never while the driver writes.
    if (answer.length > 0) setImmediate(() => this.push(answer));
  }

  override _final(done: () => void): void {
    done();
    this.destroy();
  }
}

/** What the driver makes of the second answer. */
async function secondAnswer(): Promise<unknown> {
  // The types lack `socket`.
  const own = { socket: () => new Played() };
  const client = postgres({ max: 1, max_lifetime: null, fetch_types: false, ...own });
  const late = AbortSignal.timeout(WITHIN_MS);
  const silent = new Promise<never>((_resolve, reject) => {
    late.addEventListener('abort', () => {
      reject(new Error(`no answer within ${WITHIN_MS / 1000} s`));
    });
  });
  try {
    await Promise.race([client.unsafe('first').catch(() => undefined), silent]);
    const rows = await Promise.race([client.unsafe('second'), silent]);
    return Array.from(rows, (one) => (one as { n?: string } | undefined)?.n ?? null);
  } finally {
    void client.end({ timeout: 0 });
  }
}

/**
 * Refuses a driver without our patch (patches/), by what it does: the unpatched postgres.js begins the answer after one that failed
 * half-way with holes, and no error says so (porsager/postgres#1181). No server is asked. The patch of that file is
 * applied whole or not at all: the other faults that it corrects need no probe of their own.
 * @throws if the driver does so
 */
export async function requirePatchedDriver(): Promise<void> {
  const answer = JSON.stringify(await secondAnswer().catch(String));
  if (answer === '["4","5"]') return;
  throw new Error(
    `the postgres driver lacks our patch (patches/): it answers ${answer} for two rows after a failed statement. ` +
      'Run npm ci with its scripts, or node local/repair.mjs',
  );
}
