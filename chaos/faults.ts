import { setTimeout as sleep } from 'node:timers/promises';
import type { Failpoint } from '../runtime/failpoints';
import type { Member } from './member';
import type { Platform } from './platform';
import type { Random } from './random';
import type { Tables } from './tables';
import { until } from './until';

/**
 * kill: the process ends, as by a power cut. cut: it is frozen while PostgreSQL closes its connections, so that the
 * step's next statement uses a closed one.
 */
const HOWS = ['kill', 'cut'] as const;
type How = (typeof HOWS)[number];

/** A fault at a step of the worker. */
interface Fault {
  readonly step: Failpoint;
  readonly how: How;
  /** Whether the worker was killed or frozen there. */
  readonly fired: () => boolean;
  /** Whether its connections were cut then, for a cut. */
  isCut: boolean;
}

/** The number of faults of the worker at a step. */
export interface StepCount {
  readonly step: Failpoint;
  readonly kills: number;
  readonly cuts: number;
}

const BETWEEN_MS = 1_000;
/** After each step had both faults, orders get this time to end. */
const LATER_MS = 10_000;
/** A step that nothing passes for this long stays armed, and the next one is armed beside it. */
const PASSED_WITHIN_MS = 20_000;
const FROZEN_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** Causes both faults in the only worker at each of the given steps. */
export class Faults {
  private readonly faults: Fault[] = [];

  constructor(
    private readonly platform: Platform,
    private readonly worker: Member,
    private readonly steps: readonly [Failpoint, ...Failpoint[]],
    private readonly tables: Tables,
    private readonly random: Random,
    private readonly say: (line: string) => void,
  ) {}

  /** Arms each step with each fault in turn, in a different order each time, until `stop`. */
  async arm(stop: AbortSignal): Promise<void> {
    const turns: (readonly [Failpoint, How])[] = [];
    while (await pause(this.areEverywhere ? LATER_MS : BETWEEN_MS, stop)) {
      if (turns.length === 0)
        turns.push(...this.random.shuffle(this.steps.flatMap((step) => HOWS.map((how) => [step, how] as const))));
      const [step, how] = turns.pop() ?? ([this.steps[0], 'kill'] as const);
      const { life } = this.worker;
      const fault = this.armOne(step, how);
      await until(() => isDone(fault) || stop.aborted, PASSED_WITHIN_MS);
      if (!isDone(fault)) continue;
      this.say(`${how === 'kill' ? 'killed' : 'cut'} at ${step}`);
      if (how === 'kill') await this.worker.serves(life);
    }
  }

  /**
   * Cuts the worker's connections whenever it is frozen for that, and continues it, until the campaign ends: a step may
   * be passed late.
   */
  async cutWhereFrozen(end: AbortSignal): Promise<void> {
    while (await pause(LOOK_EVERY_MS, end))
      for (const fault of this.faults)
        if (fault.how === 'cut' && fault.fired() && !fault.isCut) {
          const standsStill = await until(() => this.worker.isFrozen, FROZEN_WITHIN_MS);
          fault.isCut = standsStill && (await this.tables.cutWorkers()) > 0;
          this.worker.thaw();
        }
  }

  /** Whether each step had both faults. */
  get areEverywhere(): boolean {
    return this.counts().every(({ kills, cuts }) => kills > 0 && cuts > 0);
  }

  /** The faults so far, in the order of the steps. */
  counts(): StepCount[] {
    const done = this.faults.filter(isDone);
    return this.steps.map((step) => {
      const here = done.filter((fault) => fault.step === step);
      const kills = here.filter(({ how }) => how === 'kill').length;
      return { step, kills, cuts: here.length - kills };
    });
  }

  private armOne(step: Failpoint, how: How): Fault {
    const fired = this.platform.failpoints.arm({
      step,
      action: how === 'kill' ? 'kill' : 'freeze',
      after: this.random.int(0, 3),
    });
    const fault: Fault = { step, how, fired, isCut: false };
    this.faults.push(fault);
    return fault;
  }
}

const isDone = ({ how, fired, isCut }: Fault): boolean => (how === 'cut' ? isCut : fired());

/** @returns false once `stop` is signalled */
async function pause(ms: number, stop: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
  return !stop.aborted;
}

/** Cuts the worker's connections at intervals, wherever it is, until stopped. @returns how often */
export async function cutBetween(tables: Tables, everyMs: number, stop: AbortSignal): Promise<number> {
  let cuts = 0;
  while (await pause(everyMs, stop)) if ((await tables.cutWorkers()) > 0) cuts += 1;
  return cuts;
}

/** The steps that lack one of the two faults. */
export const missed = (counts: readonly StepCount[]): string[] =>
  counts.flatMap(({ step, kills, cuts }) => [
    ...(kills === 0 ? [`the worker was never killed at ${step}`] : []),
    ...(cuts === 0 ? [`the worker's connections were never cut at ${step}`] : []),
  ]);

/** Faults over all steps, and how many steps had both. */
export function atSteps(counts: readonly StepCount[]): string {
  const kills = counts.reduce((sum, count) => sum + count.kills, 0);
  const cuts = counts.reduce((sum, count) => sum + count.cuts, 0);
  const both = counts.filter((count) => count.kills > 0 && count.cuts > 0).length;
  return `kills=${kills} cuts=${cuts} steps=${both}/${counts.length}`;
}
