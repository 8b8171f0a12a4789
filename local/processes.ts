import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from './files';

/** Identifies a process reliably: its number alone may be reused. */
export interface ProcessRecord {
  readonly pid: number;
  /** When it started, as the system prints it. */
  readonly born: string;
}

/** A signal, and how long the process has to act on it, milliseconds. */
export type StopStep = readonly [signal: NodeJS.Signals, graceMs: number];

const POLL_MS = 20;

/** Undefined when there is no such process. */
export function findRecord(pid: number): ProcessRecord | undefined {
  const born = birthOf(pid);
  return born === undefined ? undefined : { pid, born };
}

/** This process. */
export function ownRecord(): ProcessRecord {
  const own = findRecord(process.pid);
  if (!own) throw new Error('This system does not show when a process started (neither /proc nor ps)');
  return own;
}

export const isRunning = ({ pid, born }: ProcessRecord): boolean => birthOf(pid) === born;

/** Whether it is stopped by SIGSTOP. False if it is gone. */
export function isStopped({ pid, born }: ProcessRecord): boolean {
  const state = stateOf(pid);
  return state?.born === born && state.state === 'T';
}

/**
 * Sends signals in turn until the process is gone.
 * @throws if it outlives the last step
 */
export async function stopProcess(process_: ProcessRecord, steps: readonly StopStep[]) {
  for (const [signal, graceMs] of steps) {
    if (!isRunning(process_)) return;
    sendSignal(process_.pid, signal);
    if (await isGoneWithin(process_, graceMs)) return;
  }
  if (isRunning(process_)) throw new Error(`Process ${process_.pid} cannot be stopped`);
}

/** Sends a signal; a process that is gone already is fine. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isNodeError(error, 'ESRCH')) throw error;
  }
}

/**
 * Signals a server and its children, whatever their groups: the server first, so that it starts no more children
 * meanwhile.
 */
export function signalFamily({ pid }: ProcessRecord, signal: NodeJS.Signals): void {
  sendSignal(pid, signal);
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  for (const [child = 0, parent] of processes) if (parent === pid) sendSignal(child, signal);
}

/** Records a process that the next start must find if this one is killed. */
export const writePidFile = (file: string, record: ProcessRecord): void => {
  writeFileAtomically(file, JSON.stringify(record));
};

/** The process that a pid file names, if it still runs. */
export function readPidFile(file: string): ProcessRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as ProcessRecord;
    return isRunning(record) ? record : undefined;
  } catch (error) {
    // The file is incomplete after a crash of the machine: it names no running process.
    if (isNodeError(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Stops what a killed run left behind.
 * @returns whether there was anything
 */
export async function stopLeftover(pidFile: string, steps: readonly StopStep[]): Promise<boolean> {
  const leftover = readPidFile(pidFile);
  if (leftover) await stopProcess(leftover, steps);
  rmSync(pidFile, { force: true });
  return leftover !== undefined;
}

/** By its shape: under jest, Node's errors are not instances of the tests' own Error. */
export const isNodeError = (error: unknown, code: string): error is NodeJS.ErrnoException =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** Whether a program ran to its end with this exit code. */
export const isExitCode = (error: unknown, status: number): boolean =>
  typeof error === 'object' && error !== null && 'status' in error && error.status === status;

async function isGoneWithin(process_: ProcessRecord, graceMs: number): Promise<boolean> {
  const deadline = Date.now() + graceMs;
  while (isRunning(process_)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** What the system knows about a process: when it started, and its state's letter. */
interface ProcessState {
  readonly born: string;
  readonly state: string;
}

/** When a process started; undefined for a zombie or if there is none. */
const birthOf = (pid: number): string | undefined => stateOf(pid)?.born;

function stateOf(pid: number): ProcessState | undefined {
  const found = process.platform === 'linux' ? readByProc(pid) : readByPs(pid);
  return found && /^[ZX]/.test(found.state) ? undefined : found;
}

function readByProc(pid: number): ProcessState | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold any characters; after it come the state and, 19 fields later, the start in ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { born: `${boot}/${fields[19] ?? ''}`, state: fields[0] ?? '' };
  } catch (error) {
    if (isNodeError(error, 'ENOENT') || isNodeError(error, 'ESRCH')) return undefined;
    throw error;
  }
}

function readByPs(pid: number): ProcessState | undefined {
  try {
    const line = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return line === '' ? undefined : { born: line.replace(/^\S+\s+/, ''), state: line.slice(0, 1) };
  } catch (error) {
    // ps exits with 1 when no process matches.
    if (isExitCode(error, 1)) return undefined;
    throw error;
  }
}
