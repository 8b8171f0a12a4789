import { readdirSync, readFileSync } from 'node:fs';

/** Linux reports a process's CPU time in units of this, whatever the kernel's own tick is; seconds. */
const TICK = 1 / 100;

interface Stat {
  readonly parent: number;
  /** Its own time, and that of its ended children. */
  readonly seconds: number;
}

/** Undefined for a process that has ended, and on systems without /proc. */
function statOf(pid: number): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold any characters; after it come the state, the parent and, 10 fields later, the
    // times.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks * TICK };
  } catch {
    return undefined;
  }
}

const pids = (): number[] => {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
};

/** A process of the testbed, by its id. `family`: with all processes below it, such as PostgreSQL's server processes. */
export interface Watched {
  readonly name: string;
  readonly pid: number;
  readonly family?: boolean;
}

function familyOf(ancestor: number): number[] {
  const children = new Map<number, number[]>();
  for (const pid of pids()) {
    const parent = statOf(pid)?.parent;
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const below = (parent: number): number[] => (children.get(parent) ?? []).flatMap((pid) => [pid, ...below(pid)]);
  return below(ancestor);
}

/** Private memory of a process, bytes; undefined if the system does not report it. */
export function memoryOf({ pid, family }: Watched): number | undefined {
  const own = privateMemoryOf(pid);
  if (own === undefined || family !== true) return own;
  return familyOf(pid).reduce((sum, child) => sum + (privateMemoryOf(child) ?? 0), own);
}

/** Lets a Node.js process of the testbed collect its garbage (`collect.ts`), with all processes below it. */
export function collectGarbageOf({ pid, family }: Watched): void {
  for (const one of [pid, ...(family === true ? familyOf(pid) : [])]) process.kill(one, 'SIGUSR2');
}

function privateMemoryOf(pid: number): number | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(status)?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  } catch {
    return undefined;
  }
}

/** CPU time of a process so far, seconds; undefined if the system does not report it. */
export function secondsOf({ pid, family }: Watched): number | undefined {
  const own = statOf(pid);
  if (!own || family !== true) return own?.seconds;
  return familyOf(pid).reduce((sum, child) => sum + (statOf(child)?.seconds ?? 0), own.seconds);
}

/**
 * Starts counting each process's CPU time.
 * @returns given how many calls were done, the microseconds for each, by process; empty if the system does not report
 * it
 */
export function cpuMeter(watched: readonly Watched[]): (done: number) => Readonly<Record<string, number>> {
  const before = watched.map(secondsOf);
  return (done) => {
    const spent = watched.flatMap((process, n) => {
      const [from, to] = [before[n], secondsOf(process)];
      if (from === undefined || to === undefined || done === 0) return [];
      return [[`CPU of ${process.name}, µs each`, ((to - from) * 1e6) / done] as const];
    });
    return Object.fromEntries(spent);
  };
}
