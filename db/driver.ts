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
const int32 = (value: number): Buffer => Buffer.concat([int16(value >>> 16), int16(value & 65_535)]);

const READY = message('Z', 'I');
/** A server that can be written to says so: else the driver asks it first. */
const WELCOME = [
  message('R', int32(0)),
  message('S', 'in_hot_standby\0', 'off\0'),
  message('S', 'default_transaction_read_only\0', 'off\0'),
  READY,
];
/** One column of text. */
const COLUMN = message('T', int16(1), 'n\0', int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0));
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

/** All that the driver would take from PG… of the environment: what is set there is meant for a server. */
const OPTIONS = {
  host: 'probe',
  port: 5432,
  user: 'probe',
  password: 'probe',
  database: 'probe',
  ssl: false,
  sslnegotiation: null,
  target_session_attrs: 'read-write',
  max: 1,
  max_pipeline: 1,
  idle_timeout: 0,
  max_lifetime: null,
  keep_alive: null,
  connect_timeout: 0,
  backoff: false,
  prepare: true,
  fetch_types: false,
  debug: false,
  publications: 'none',
  connection: { application_name: 'probe' },
  // The types lack `socket`.
  socket: () => new Played(),
} as const;

/** What the driver makes of the second answer. */
async function secondAnswer(withinMs: number): Promise<unknown> {
  const client = postgres(OPTIONS as object);
  let late: NodeJS.Timeout | undefined;
  // It keeps the process up: nothing else does while the driver is silent, and an end without an error is a success.
  const silent = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => {
      reject(new Error(`no answer within ${withinMs / 1000} s`));
    }, withinMs);
  });
  try {
    await Promise.race([client.unsafe('first').catch(() => undefined), silent]);
    const rows = await Promise.race([client.unsafe('second'), silent]);
    return Array.from(rows, (one) => (one as { n?: string } | undefined)?.n ?? null);
  } finally {
    clearTimeout(late);
    void client.end({ timeout: 0 });
  }
}

/**
 * Refuses a driver without our patch (patches/), by what it does: the unpatched postgres.js begins the answer after one that failed
 * half-way with holes, and no error says so (porsager/postgres#1181). No server is asked. The patch of that file is
 * applied whole or not at all: the other faults that it corrects need no probe of their own.
 * @param withinMs how long the driver has, milliseconds
 * @throws if the driver does so, or does not answer
 */
export async function requirePatchedDriver(withinMs = WITHIN_MS): Promise<void> {
  const answer = JSON.stringify(await secondAnswer(withinMs).catch(String));
  if (answer === '["4","5"]') return;
  throw new Error(
    `the postgres driver lacks our patch (patches/): it answers ${answer} for two rows after a failed statement. ` +
      'Run npm ci with its scripts, or node local/repair.mjs',
  );
}
