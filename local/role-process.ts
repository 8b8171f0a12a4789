import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines, rotateLog } from './files';
import { findRecord, type ProcessRecord, type StopStep, writePidFile } from './processes';

/** What a role sends to its parent when it serves. */
interface Ready {
  readonly ready: true;
  readonly url?: string;
}

export interface RoleCommand {
  /** The program: `node <program> <role>`. */
  readonly program: string;
  readonly role: string;
  /** Names its log and pid file; the role's own name unless several processes of it run. */
  readonly name?: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logDir: string;
  /** The folder of its pid file, for the next start. */
  readonly pidDir: string;
}

/** The signals that stop a role, in their order. */
export const STOP_ROLE: readonly StopStep[] = [
  ['SIGTERM', 5_000],
  ['SIGKILL', 2_000],
];
const READY_WITHIN_MS = 60_000;
/**
 * V8's options, as in the image (Dockerfile). Half of its young generation is 32 MiB: in the usual 16 the requests of a
 * busy gateway outlive it, and are copied. A quiet process collects nothing and forgets no function: else the next rush
 * would compile its code again. So it keeps the memory of its last rush.
 */
export const V8_OPTIONS: readonly string[] = ['--max-semi-space-size=32', '--no-memory-reducer', '--no-flush-bytecode'];

/** One process of a role, or one that waits to become it (`local/standby.mjs`). It ends when its parent does. */
export class RoleProcess {
  readonly log: string;
  /** Undefined if it could not be started. */
  readonly record: ProcessRecord | undefined;
  /** Resolves when it serves, with its address if it has one. */
  readonly serves: Promise<string | undefined>;
  /** Resolves when it has ended, with its exit code or signal. */
  readonly ended: Promise<string>;

  private readonly child: ChildProcess;

  /** @param standby whether it waits for `load` and `serve` */
  constructor(
    private readonly command: RoleCommand,
    private standby = false,
  ) {
    const { program, role, env, logDir } = command;
    const name = command.name ?? role;
    this.log = path.join(logDir, `${name}.log`);
    rotateLog(this.log);
    const output = openSync(this.log, 'a', 0o600);
    // In a group of its own: Ctrl-C in the terminal reaches only us, and we stop things in order.
    const child = spawn(process.execPath, [...V8_OPTIONS, program, role], {
      env,
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    this.child = child;
    this.record = child.pid === undefined ? undefined : findRecord(child.pid);
    if (!standby) this.writePid();
    this.serves = readyMessage(child);
    this.ended = endOf(child).then((how) => {
      if (!this.standby) rmSync(this.pidFile, { force: true });
      return how;
    });
  }

  private get pidFile(): string {
    const { name, role, pidDir } = this.command;
    return path.join(pidDir, `${name ?? role}.pid`);
  }

  private writePid(): void {
    if (this.record) writePidFile(this.pidFile, this.record);
  }

  /** Lets a standby load the build, while the old process ends. */
  load(): void {
    if (this.child.connected) this.child.send('load');
  }

  /** Makes a standby the role. */
  serve(): void {
    if (this.child.connected) this.child.send('serve');
    this.standby = false;
    this.writePid();
  }

  /**
   * Waits until it serves.
   * @throws if it ends, or is silent for a minute, with the end of its log
   */
  async started(): Promise<string | undefined> {
    return await Promise.race([
      this.serves,
      this.ended.then((how) => Promise.reject(this.failure(`ended at its start (${how})`))),
      sleep(READY_WITHIN_MS, undefined, { ref: false }).then(() =>
        Promise.reject(this.failure('was not ready within a minute')),
      ),
    ]);
  }

  failure(what: string): Error {
    const { role, name = role } = this.command;
    return new Error(`${name} ${what}. Its log, ${this.log}, ends with:\n${lastLines(this.log)}`);
  }
}

const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => {
      resolve(error.message);
    });
    child.once('exit', (code, signal) => {
      resolve(signal ? `killed by ${signal}` : `exit code ${code ?? '?'}`);
    });
  });

const readyMessage = (child: ChildProcess): Promise<string | undefined> =>
  new Promise((resolve) => {
    child.on('message', (message) => {
      if (isReady(message)) resolve(message.url);
    });
  });

const isReady = (message: unknown): message is Ready =>
  typeof message === 'object' && message !== null && 'ready' in message && message.ready === true;
