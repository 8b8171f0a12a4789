import { setTimeout as sleep } from 'node:timers/promises';
import { PAYOUT_FAILPOINTS } from '../../runtime/failpoints';
import type { Member } from '../member';
import type { Platform } from '../platform';
import type { Random } from '../random';
import { until } from '../until';
import type { PayoutBooks } from './books';

type Step = keyof typeof PAYOUT_FAILPOINTS;

/**
 * kill: the process ends, as by a power cut. cut: it stands still while PostgreSQL ends its connections, so that what
 * the step does next goes to one that is gone.
 */
const HOWS = ['kill', 'cut'] as const;
type How = (typeof HOWS)[number];

/** A single fault at a step of the worker. */
interface Fault {
  readonly step: Step;
  readonly how: How;
  /** Whether the worker was killed or frozen there. */
  readonly fired: () => boolean;
  /** Whether its connections were cut then, if they are to be. */
  isCut: boolean;
}

/** The number of faults of the worker at a step. */
export interface StepCount {
  readonly step: Step;
  readonly kills: number;
  readonly cuts: number;
}

const STEPS = Object.keys(PAYOUT_FAILPOINTS) as Step[];
const BETWEEN_MS = 1_000;
/** After this long without a pass a step stays armed, and the next one is armed beside it. */
const PASSED_WITHIN_MS = 20_000;
const FROZEN_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** Causes both faults in the one worker at each step of a payout. */
export class Faults {
  private readonly faults: Fault[] = [];

  constructor(
    private readonly platform: Platform,
    private readonly worker: Member,
    private readonly books: PayoutBooks,
    private readonly random: Random,
    private readonly say: (line: string) => void,
  ) {}

  /** Arms each step with each fault in turn, in another order each time, until `stop`. */
  async arm(stop: AbortSignal): Promise<void> {
    const turns: (readonly [Step, How])[] = [];
    while (await pause(BETWEEN_MS, stop)) {
      if (turns.length === 0)
        turns.push(
          ...this.random.shuffle(STEPS.flatMap((step) => HOWS.map((how) => [step, how] as const))),
        );
      const [step, how] = turns.pop() ?? (['payout.marked', 'kill'] as const);
      const { life } = this.worker;
      const fault = this.armOne(step, how);
      await until(() => isDone(fault) || stop.aborted, PASSED_WITHIN_MS);
      if (!isDone(fault)) continue;
      this.say(`${how === 'kill' ? 'killed' : 'cut'} at ${step}`);
      if (how === 'kill') await this.worker.serves(life);
    }
  }

  /** Cuts the worker wherever it stands still for it, and has it go on, until the campaign ends: a step may come late. */
  async cutWhereFrozen(end: AbortSignal): Promise<void> {
    while (await pause(LOOK_EVERY_MS, end))
      for (const fault of this.faults)
        if (fault.how === 'cut' && fault.fired() && !fault.isCut) {
          const standsStill = await until(() => this.worker.isFrozen, FROZEN_WITHIN_MS);
          fault.isCut = standsStill && (await this.books.cutWorkers()) > 0;
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
    return STEPS.map((step) => {
      const here = done.filter((fault) => fault.step === step);
      const kills = here.filter(({ how }) => how === 'kill').length;
      return { step, kills, cuts: here.length - kills };
    });
  }

  private armOne(step: Step, how: How): Fault {
    const fired = this.platform.failpoints.arm({
      ...{ step, action: how === 'kill' ? 'kill' : 'freeze' },
      after: this.random.int(0, 3),
    });
    const fault: Fault = { step, how, fired, isCut: false };
    this.faults.push(fault);
    return fault;
  }
}

const isDone = ({ how, fired, isCut }: Fault): boolean => (how === 'cut' ? isCut : fired());

/** @returns false once `stop` is signalled */
export async function pause(ms: number, stop: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
  return !stop.aborted;
}
