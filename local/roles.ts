import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines, rotateLog } from './files';
import {
  findRecord,
  sendSignal,
  stopLeftover,
  stopProcess,
  writePidFile,
  type ProcessRecord,
  type StopStep,
} from './processes';

/** What a role sends to its parent once it serves. */
interface Ready {
  readonly ready: true;
  readonly url?: string;
}

export interface RolesOptions {
  /** The program: `node <program> <role>`. */
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logDir: string;
  /** Holds a pid file for each role, for the next start. */
  readonly pidDir: string;
  readonly say: (line: string) => void;
  /** A role crashed again and again: everything must stop. */
  readonly onGivenUp: (message: string) => void;
}

const STOP: readonly StopStep[] = [
  ['SIGTERM', 5_000],
  ['SIGKILL', 2_000],
];
const READY_WITHIN_MS = 60_000;
const RESTART_AFTER_MS = 1_000;
const CRASHES_ALLOWED = 3;
const CRASH_WINDOW_MS = 60_000;

interface Running {
  readonly child: ChildProcess;
  readonly record: ProcessRecord;
}

/** Runs the roles as processes of their own and starts again the one that crashes. */
export class Roles {
  private readonly running = new Map<string, Running>();
  private readonly crashes = new Map<string, number[]>();
  private stopping = false;

  constructor(private readonly options: RolesOptions) {
    mkdirSync(options.logDir, { recursive: true });
    mkdirSync(options.pidDir, { recursive: true });
  }

  /**
   * Runs a role to its end.
   * @throws if it fails, with the end of its log
   */
  async runToEnd(role: string): Promise<void> {
    const how = await this.spawn(role).ended;
    if (how !== 'exit code 0') throw this.failure(role, `failed (${how})`);
  }

  /**
   * Starts a role and watches it from then on.
   * @returns the address it serves at, if it says one
   * @throws if it ends or says nothing for a minute before it has ever served
   */
  async start(role: string): Promise<string | undefined> {
    const { child, ended } = this.spawn(role);
    const ready = await Promise.race([
      readyMessage(child),
      ended.then((how) => Promise.reject(this.failure(role, `ended at its start (${how})`))),
      sleep(READY_WITHIN_MS, undefined, { ref: false }).then(() =>
        Promise.reject(this.failure(role, 'did not serve within a minute')),
      ),
    ]);
    void ended.then((how) => this.restart(role, how));
    return ready.url;
  }

  /** Asks all to end, and ends those that do not within 5 seconds. */
  async stop(): Promise<void> {
    this.stopping = true;
    await Promise.all([...this.running.values()].map(({ record }) => stopProcess(record, STOP)));
  }

  /** At once and without asking. */
  kill(): void {
    this.stopping = true;
    for (const { record } of this.running.values()) sendSignal(record.pid, 'SIGKILL');
  }

  private spawn(role: string): { readonly child: ChildProcess; readonly ended: Promise<string> } {
    if (this.stopping) throw new Error(`${role} is not started: everything stops`);
    const log = this.logOf(role);
    rotateLog(log);
    const output = openSync(log, 'a', 0o600);
    // A group of its own: Ctrl-C in the terminal reaches us alone, and we stop things in order.
    const child = spawn(process.execPath, [this.options.program, role], {
      env: this.options.env,
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    const pidFile = path.join(this.options.pidDir, `${role}.pid`);
    const record = child.pid === undefined ? undefined : findRecord(child.pid);
    if (record) {
      writePidFile(pidFile, record);
      this.running.set(role, { child, record });
    }
    const ended = new Promise<string>((resolve) => {
      const end = (how: string): void => {
        this.running.delete(role);
        rmSync(pidFile, { force: true });
        resolve(how);
      };
      child.once('error', (error) => {
        end(error.message);
      });
      child.once('exit', (code, signal) => {
        end(signal ? `killed by ${signal}` : `exit code ${code ?? '?'}`);
      });
    });
    return { child, ended };
  }

  private async restart(role: string, how: string): Promise<void> {
    if (this.stopping) return;
    const { say, onGivenUp } = this.options;
    const log = this.logOf(role);
    say(`${role} crashed (${how}). Its log, ${log}, ends with:\n${lastLines(log)}`);
    const now = Date.now();
    const recent = [...(this.crashes.get(role) ?? []), now].filter(
      (at) => at > now - CRASH_WINDOW_MS,
    );
    this.crashes.set(role, recent);
    if (recent.length >= CRASHES_ALLOWED) {
      onGivenUp(`${role} crashed ${recent.length} times within a minute. Its log: ${log}`);
      return;
    }
    await sleep(RESTART_AFTER_MS);
    if (this.isStopping()) return;
    const { child, ended } = this.spawn(role);
    void ended.then((next) => this.restart(role, next));
    void readyMessage(child).then(() => {
      say(`${role} runs again`);
    });
  }

  /** Read anew after a pause: another step may have set it. */
  private isStopping(): boolean {
    return this.stopping;
  }

  private logOf(role: string): string {
    return path.join(this.options.logDir, `${role}.log`);
  }

  private failure(role: string, what: string): Error {
    const log = this.logOf(role);
    return new Error(`${role} ${what}. Its log, ${log}, ends with:\n${lastLines(log)}`);
  }
}

/** Stops the roles that a killed run left; they end by themselves too, but their ports are needed now. */
export async function stopLeftoverRoles(
  pidDir: string,
  roles: readonly string[],
): Promise<boolean> {
  const stopped = await Promise.all(
    roles.map((role) => stopLeftover(path.join(pidDir, `${role}.pid`), STOP)),
  );
  return stopped.includes(true);
}

const readyMessage = (child: ChildProcess): Promise<Ready> =>
  new Promise((resolve) => {
    child.on('message', (message) => {
      if (isReady(message)) resolve(message);
    });
  });

const isReady = (message: unknown): message is Ready =>
  typeof message === 'object' && message !== null && 'ready' in message && message.ready === true;
