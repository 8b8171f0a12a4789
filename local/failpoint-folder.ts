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
import { type Armed, type Failpoint, FAILPOINTS, PAYOUT_FAILPOINTS } from '../runtime/failpoints';
import { writeFileAtomically } from './files';
import { isNodeError } from './processes';

/** kill: at once, as the machine would. freeze: stands still until somebody continues it. */
export type FailpointAction = 'kill' | 'freeze';

/** A step at which one process is to fail, once. */
export interface Arming {
  readonly step: Failpoint;
  readonly action: FailpointAction;
  /** What must pass it; anything unless given. */
  readonly key?: string;
  /** How many more passes to let go by first; none unless given. */
  readonly after?: number;
}

/** An arming that came true. */
export interface Fired {
  readonly step: Failpoint;
  readonly key: string;
}

const STEPS = Object.keys({ ...FAILPOINTS, ...PAYOUT_FAILPOINTS }) as Failpoint[];

const SIGNALS = { kill: 'SIGKILL', freeze: 'SIGSTOP' } as const;

/** As it lies in `armed`: `fromPass` counts passes of the step, over all processes. */
interface Order {
  readonly action: FailpointAction;
  readonly key?: string;
  readonly fromPass: number;
}

/**
 * Failpoints of all processes of a campaign, as files that no kill can lose:
 * `passes/STEP` has one byte a pass; `armed/STEP/N` is an arming, taken away by the one process that fails by it;
 * `fired/STEP/KEY` stays behind, so that nothing fails twice at one step.
 */
export class FailpointFolder implements Armed {
  constructor(private readonly folder: string) {
    for (const step of STEPS)
      for (const kind of ['armed', 'fired'])
        mkdirSync(path.join(folder, kind, step), { recursive: true });
    mkdirSync(path.join(folder, 'passes'), { recursive: true });
  }

  /** Has one process fail at a step. @returns whether it has, asked again and again */
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

  /** How often a step was passed, by all processes together. */
  passes(step: Failpoint): number {
    return statSync(path.join(this.folder, 'passes', step), { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Where processes failed so far. */
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
    // A signal may be a moment on its way; nothing more is done before it.
    if (action === 'kill') await new Promise(() => undefined);
  }

  /** The arming that this pass fails by: it is nobody else's from then on. */
  private take(step: Failpoint, key: string | undefined): FailpointAction | undefined {
    const armed = path.join(this.folder, 'armed', step);
    for (const name of readdirSync(armed).filter((file) => !file.endsWith('.tmp'))) {
      const file = path.join(armed, name);
      const order = readOrder(file);
      const pass = this.passes(step);
      if (!order || pass < order.fromPass || (order.key ?? key) !== key) continue;
      const trace = path.join(
        this.folder,
        'fired',
        step,
        encodeURIComponent(key ?? `pass ${pass}`),
      );
      if (moveOnce(file, trace)) return order.action;
    }
    return undefined;
  }
}

/** Undefined where another process was faster. */
function readOrder(file: string): Order | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Order;
  } catch (error) {
    if (isNodeError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Moves a file to a name that nobody had before. @returns whether this process did it */
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
    // Taken by another process at another key in the same moment.
    rmSync(to, { force: true });
    return false;
  }
}
