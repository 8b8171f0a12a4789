import { once } from 'node:events';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyObject } from 'node:crypto';
import { hashOfLine, judgeStream, lastOfLine, readEd25519PrivateKey, streamLine } from '../crypto/audit-stream';
import { readEd25519Key } from '../crypto/ed25519';
import { findAuditAfter } from '../db/audit/audit-log';
import { type Database, openDatabase } from '../db/client';
import type { Logger } from '../runtime/log';
import type { DatabaseSettings } from '../runtime/server-settings';
import { readSyslogUrl, Syslog } from '../runtime/syslog';

/** The most rows of one line, which is one message to the receiver. */
const BATCH = 20;
/** The part of the file's end that is read first, bytes: longer than most lines. */
const TAIL = 65_536;
const EVERY_MS = 1_000;
const AFTER_A_FAULT_MS = 5_000;

/** Where the audit log is streamed to. */
export interface StreamSettings {
  /** The file of streamed lines; its end shows where to continue. */
  readonly file: string;
  readonly key: KeyObject;
  /** Null: only to the file. */
  readonly syslog: URL | null;
}

/** @throws with the setting's name */
export function readStreamSettings(env: NodeJS.ProcessEnv): StreamSettings {
  const file = env['AUDIT_STREAM_FILE'];
  const keyFile = env['AUDIT_STREAM_KEY_FILE'];
  const key = env['AUDIT_STREAM_KEY'] ?? (keyFile ? readFileSync(keyFile, 'utf8') : undefined);
  const syslog = env['AUDIT_STREAM_SYSLOG'];
  if (!file || !key) throw new Error('set AUDIT_STREAM_FILE, and AUDIT_STREAM_KEY or its _FILE');
  return {
    file,
    key: named('AUDIT_STREAM_KEY', () => readEd25519PrivateKey(key)),
    syslog: syslog ? named('AUDIT_STREAM_SYSLOG', () => readSyslogUrl(syslog)) : null,
  };
}

function named<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : ''}`, { cause: error });
  }
}

/** The last complete line of a file of any size; an incomplete one after it is cut off. Null: there is none. */
async function lastLineOf(file: string): Promise<string | null> {
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    for (let length = Math.min(size, TAIL); ; length = Math.min(size, length * 2)) {
      const tail = Buffer.alloc(length);
      await handle.read(tail, 0, length, size - length);
      const end = tail.lastIndexOf(0x0a) + 1;
      const begin = end < 2 ? 0 : tail.lastIndexOf(0x0a, end - 2) + 1;
      // A line that begins in the tail is complete; the first one only if the tail is the whole file.
      if (begin === 0 && length < size) continue;
      if (end < length) await handle.truncate(size - length + end);
      return end === 0 ? null : tail.subarray(begin, end - 1).toString();
    }
  } finally {
    await handle.close();
  }
}

/**
 * Writes the audit log as lines of a file, and sends these lines as messages of syslog. Only one process may write a
 * file.
 */
export class AuditStream {
  private last: string | null = null;
  private connection: Syslog | null = null;
  /** How much of the file was sent, bytes; stored in `<file>.sent`. */
  private sent = 0;

  private constructor(
    private readonly database: Pick<Database, 'transaction'>,
    private readonly settings: StreamSettings,
  ) {}

  /** Continues at the end of the file; a line that was cut off when a process died is written again. */
  static async open(database: Pick<Database, 'transaction'>, settings: StreamSettings): Promise<AuditStream> {
    const stream = new AuditStream(database, settings);
    const { file } = settings;
    if (existsSync(file)) stream.last = await lastLineOf(file);
    if (existsSync(`${file}.sent`)) stream.sent = Number(await readFile(`${file}.sent`, 'utf8'));
    return stream;
  }

  /** Writes new rows to the file, flushed to disk, and sends unsent lines. @throws if one of them fails */
  async step(now: Date): Promise<void> {
    const { file, key, syslog } = this.settings;
    for (;;) {
      const after = this.last === null ? 0n : lastOfLine(this.last);
      const rows = await this.database.transaction(async (tx) => await findAuditAfter(tx, after, BATCH));
      if (rows.length === 0) break;
      const shown = rows.map((row) => ({ ...row, seq: row.seq.toString() }));
      const line = streamLine(key, this.last === null ? '' : hashOfLine(this.last), shown);
      const handle = await open(file, 'a', 0o600);
      try {
        await handle.write(`${line}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
      this.last = line;
    }
    if (syslog && existsSync(file)) await this.send(syslog, now);
  }

  private async send(to: URL, now: Date): Promise<void> {
    const { file } = this.settings;
    if (this.connection?.isOpen !== true) this.connection = await Syslog.connect(to);
    const lines = createInterface({ input: createReadStream(file, { start: this.sent }) });
    for await (const line of lines) {
      await this.connection.send(line, now);
      this.sent += Buffer.byteLength(line) + 1;
      await writeFile(`${file}.sent`, String(this.sent));
    }
  }

  async close(): Promise<void> {
    await this.connection?.close();
  }
}

/**
 * Streams the audit log until it is stopped.
 * @param only `once`: ends when everything is streamed, and throws if that fails
 */
export async function streamAudit(
  address: DatabaseSettings,
  settings: StreamSettings,
  only: string | undefined,
  log: Logger,
): Promise<void> {
  const reader = { applicationName: 'causeway-audit-stream', max: 1, readsOnly: true };
  const database = openDatabase({ ...address, ...reader });
  const ended = new AbortController();
  const end = (): void => {
    ended.abort();
  };
  process.once('SIGTERM', end).once('SIGINT', end);
  const stream = await AuditStream.open(database, settings);
  try {
    if (only === 'once') {
      await stream.step(new Date());
      return;
    }
    while (!ended.signal.aborted) {
      const pause = await stream.step(new Date()).then(
        () => EVERY_MS,
        (fault: unknown) => {
          log.error({ err: fault }, 'the audit log is not streamed: tried again');
          return AFTER_A_FAULT_MS;
        },
      );
      await Promise.race([sleep(pause), once(ended.signal, 'abort')]);
    }
  } finally {
    await stream.close();
    await database.close();
  }
}

/** Verifies a stream, from a file or from a receiver. @returns whether it is complete and unchanged */
export async function verifyStreamOnce(args: readonly string[]): Promise<boolean> {
  const [file, key] = args;
  if (!file || !key) throw new Error('audit:verify-stream takes a file and the public key');
  const lines = createInterface({ input: createReadStream(file) });
  const { rows, last, faults } = await judgeStream(lines, readEd25519Key(key));
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(
    faults.length === 0
      ? `the stream is whole: rows=${rows} last=${last?.seq ?? 0} hash=${last?.hash ?? ''}\n`
      : `the stream was tampered with: rows before that=${rows}\n`,
  );
  return faults.length === 0;
}
