import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lastLines, rotateLog } from './files';
import { findRecord, isRunning, sendSignal, stopProcess, writePidFile, type StopStep } from './processes';

export interface ServerProcess {
  /** Resolves when the server ends without a request, with its exit code or signal. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
  /** Ends it at once; `stop` waits for that end. */
  kill(): void;
}

export interface ServerCommand {
  /** Its name for people. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The user it runs as, if that must not be us. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** The file that its output is appended to. */
  readonly log: string;
  /** Lets the next start find it if we are killed. */
  readonly pidFile: string;
  readonly stopSteps: readonly StopStep[];
  /** Ends it at once, with all its children. */
  readonly killSignal: NodeJS.Signals;
  /** Whether it serves yet. */
  readonly isReady: () => Promise<boolean>;
  /** Aborts the start and stops the server. */
  readonly signal?: AbortSignal | undefined;
}

const READY_WITHIN_MS = 60_000;
const POLL_MS = 40;

/**
 * Starts a server and waits until it serves.
 * @throws with the last lines of its log if it ends before that or takes longer than a minute
 */
export async function startServer(server: ServerCommand): Promise<ServerProcess> {
  const { name, log, pidFile, signal } = server;
  signal?.throwIfAborted();
  mkdirSync(path.dirname(log), { recursive: true });
  rotateLog(log);
  const output = openSync(log, 'a', 0o600);
  // In a group of its own: Ctrl-C in the terminal reaches only us, and we stop things in order.
  const child = spawn(server.command, server.args, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', output, output],
    env: { ...process.env, ...server.env },
    ...server.user,
  });
  closeSync(output);

  let stopping = false;
  let outcome: string | undefined;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string): void => {
      outcome = how;
      if (!stopping) resolve(how);
    };
    child.once('error', (error) => {
      end(error.message);
    });
    child.once('exit', (code, killed) => {
      end(killed ? `killed by ${killed}` : `exit code ${code ?? '?'}`);
    });
  });
  const failure = (what: string): Error => new Error(`${name} ${what}. Its log, ${log}, ends with:\n${lastLines(log)}`);

  const record = child.pid === undefined ? undefined : findRecord(child.pid);
  if (!record) throw failure(`did not start: ${await ended}`);
  writePidFile(pidFile, record);
  const stop = async (): Promise<void> => {
    stopping = true;
    await stopProcess(record, server.stopSteps);
    rmSync(pidFile, { force: true });
  };

  const deadline = Date.now() + READY_WITHIN_MS;
  try {
    while (!(await server.isReady())) {
      signal?.throwIfAborted();
      if (outcome !== undefined) throw failure(`ended at its start (${outcome})`);
      if (Date.now() > deadline) throw failure('was not ready within a minute');
      await sleep(POLL_MS);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const kill = (): void => {
    if (isRunning(record)) sendSignal(record.pid, server.killSignal);
  };
  return { ended, stop, kill };
}
