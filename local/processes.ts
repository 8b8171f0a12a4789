import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeFileAtomically } from './files';

/** A process for certain: its number alone may belong to another one by tomorrow. */
export interface ProcessRecord {
  readonly pid: number;
  /** When it started, in the system's own words. */
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
  if (!own) throw new Error('This system does not tell when a process started (/proc or ps)');
  return own;
}

export const isRunning = ({ pid, born }: ProcessRecord): boolean => birthOf(pid) === born;

/** Whether it stands still: by SIGSTOP, until a SIGCONT. False where it is gone. */
export function isStopped({ pid, born }: ProcessRecord): boolean {
  const told = tellOf(pid);
  return told?.born === born && told.state === 'T';
}

/**
 * Signals in turn until the process is gone.
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

/** A process that is gone already is what was wanted. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isNodeError(error, 'ESRCH')) throw error;
  }
}

/** To a server and its children, whatever their groups: to the server first, so that it makes no child meanwhile. */
export function signalFamily({ pid }: ProcessRecord, signal: NodeJS.Signals): void {
  sendSignal(pid, signal);
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  for (const [child = 0, parent] of processes) if (parent === pid) sendSignal(child, signal);
}

/** Notes a process that the next start must find, should this one be killed. */
export const writePidFile = (file: string, record: ProcessRecord): void => {
  writeFileAtomically(file, JSON.stringify(record));
};

/** The process that a pid file names, if it still runs. */
export function readPidFile(file: string): ProcessRecord | undefined {
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as ProcessRecord;
    return isRunning(record) ? record : undefined;
  } catch (error) {
    // Cut short by a crash of the machine: it names nobody that still runs.
    if (isNodeError(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Stops what a killed run left behind. Tells whether there was anything. */
export async function stopLeftover(pidFile: string, steps: readonly StopStep[]): Promise<boolean> {
  const leftover = readPidFile(pidFile);
  if (leftover) await stopProcess(leftover, steps);
  rmSync(pidFile, { force: true });
  return leftover !== undefined;
}

/** By its shape: under jest an error of Node is no instance of the tests' own Error. */
export const isNodeError = (error: unknown, code: string): error is NodeJS.ErrnoException =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === code;

/** A program that ran to its end and said no. */
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

/** What the system tells of a process: when it started, and its state's letter. */
interface Told {
  readonly born: string;
  readonly state: string;
}

/** Undefined when there is no such process; one that waits only to be reaped counts as none. */
const birthOf = (pid: number): string | undefined => tellOf(pid)?.born;

function tellOf(pid: number): Told | undefined {
  const told = process.platform === 'linux' ? toldByProc(pid) : toldByPs(pid);
  return told && /^[ZX]/.test(told.state) ? undefined : told;
}

function toldByProc(pid: number): Told | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; behind it come the state and, 19 fields on, the start in ticks.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { born: `${boot}/${fields[19] ?? ''}`, state: fields[0] ?? '' };
  } catch (error) {
    if (isNodeError(error, 'ENOENT') || isNodeError(error, 'ESRCH')) return undefined;
    throw error;
  }
}

function toldByPs(pid: number): Told | undefined {
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
