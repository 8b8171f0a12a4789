import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import path from 'node:path';
import {
  type Armed,
  CHANNEL_DEPOSIT_FAILPOINTS,
  type Failpoint,
  FAILPOINTS,
  PAYOUT_FAILPOINTS,
} from '../runtime/failpoints';
import { writeFileAtomically } from './files';
import { isNodeError } from './processes';

/** kill: ends the process at once, like a power cut. freeze: stops it until it is continued from outside. */
export type FailpointAction = 'kill' | 'freeze';

/** A step at which one process must fail, once. */
export interface Arming {
  readonly step: Failpoint;
  readonly action: FailpointAction;
  /** The key that must pass; by default any. */
  readonly key?: string;
  /** How many passes to let through first; by default none. */
  readonly after?: number;
}

/** An arming that has fired. */
export interface Fired {
  readonly step: Failpoint;
  readonly key: string;
}

const STEPS = Object.keys({
  ...FAILPOINTS,
  ...PAYOUT_FAILPOINTS,
  ...CHANNEL_DEPOSIT_FAILPOINTS,
}) as Failpoint[];

const SIGNALS = { kill: 'SIGKILL', freeze: 'SIGSTOP' } as const;

/** The file in `armed`: `fromPass` counts passes of the step, over all processes. */
interface Order {
  readonly action: FailpointAction;
  readonly key?: string;
  readonly fromPass: number;
}

/**
 * Failpoints of all processes of a campaign, as files that survive every kill. `passes/STEP` has one byte a pass;
 * `armed/STEP/N` is an arming, removed by the one process that it makes fail; `fired/STEP/KEY` stays, so that no key
 * fails twice at one step.
 */
export class FailpointFolder implements Armed {
  constructor(private readonly folder: string) {
    for (const step of STEPS)
      for (const kind of ['armed', 'fired']) mkdirSync(path.join(folder, kind, step), { recursive: true });
    mkdirSync(path.join(folder, 'passes'), { recursive: true });
  }

  /**
   * Arms a step for one process.
   * @returns a function that returns whether it has fired
   */
  arm({ step, action, key, after = 0 }: Arming): () => boolean {
    const file = path.join(this.folder, 'armed', step, randomUUID());
    const order: Order = {
      action,
      fromPass: this.passes(step) + after + 1,
      ...(key !== undefined && { key }),
    };
    writeFileAtomically(file, JSON.stringify(order));
    return () => !existsSync(file);
  }

  /** How often all processes together have passed a step. */
  passes(step: Failpoint): number {
    return statSync(path.join(this.folder, 'passes', step), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** The armings that have fired so far. */
  fired(): Fired[] {
    const steps = STEPS;
    return steps.flatMap((step) =>
      readdirSync(path.join(this.folder, 'fired', step)).map((name) => ({
        step,
        key: decodeURIComponent(name),
      })),
    );
  }

  async hit(step: Failpoint, key: string | undefined): Promise<void> {
    appendFileSync(path.join(this.folder, 'passes', step), '.');
    const action = this.take(step, key);
    if (action === undefined) return;
    process.kill(process.pid, SIGNALS[action]);
    // A signal may take a moment; the process does nothing more until then.
    if (action === 'kill') await new Promise(() => undefined);
  }

  /** Takes the arming that applies to this pass, so that no other process can. */
  private take(step: Failpoint, key: string | undefined): FailpointAction | undefined {
    const armed = path.join(this.folder, 'armed', step);
    for (const name of readdirSync(armed).filter((file) => !file.endsWith('.tmp'))) {
      const file = path.join(armed, name);
      const order = readOrder(file);
      const pass = this.passes(step);
      if (!order || pass < order.fromPass || (order.key ?? key) !== key) continue;
      const trace = path.join(this.folder, 'fired', step, encodeURIComponent(key ?? `pass ${pass}`));
      if (moveOnce(file, trace)) return order.action;
    }
    return undefined;
  }
}

/** The arming in a file, or undefined if another process was faster. */
function readOrder(file: string): Order | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Order;
  } catch (error) {
    if (isNodeError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/**
 * Moves a file to a name that did not exist.
 * @returns whether this process did it
 */
function moveOnce(from: string, to: string): boolean {
  try {
    linkSync(from, to);
  } catch (error) {
    if (isNodeError(error, 'EEXIST') || isNodeError(error, 'ENOENT')) return false;
    throw error;
  }
  try {
    unlinkSync(from);
    return true;
  } catch (error) {
    if (!isNodeError(error, 'ENOENT')) throw error;
    // Another process took it for another key in the same moment.
    rmSync(to, { force: true });
    return false;
  }
}
