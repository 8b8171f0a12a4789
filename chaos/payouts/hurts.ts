import { setTimeout as sleep } from 'node:timers/promises';
import { PAYOUT_FAILPOINTS } from '../../failpoints';
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

/** A step at which the worker is to be hurt, once. */
interface Hurt {
  readonly step: Step;
  readonly how: How;
  /** Whether the worker was killed there, or stands still there since. */
  readonly fired: () => boolean;
  /** Whether its connections were ended then, where they are to be. */
  isCut: boolean;
}

/** How often the worker was hurt at a step. */
export interface StepCount {
  readonly step: Step;
  readonly kills: number;
  readonly cuts: number;
}

const STEPS = Object.keys(PAYOUT_FAILPOINTS) as Step[];
const BETWEEN_MS = 1_000;
/** A step that nothing passes for so long stays armed, and the next one is armed beside it. */
const PASSED_WITHIN_MS = 20_000;
const FROZEN_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 50;

/** Hurts the one worker at each step of a payout, in both ways. */
export class Hurts {
  private readonly hurts: Hurt[] = [];

  constructor(
    private readonly platform: Platform,
    private readonly worker: Member,
    private readonly books: PayoutBooks,
    private readonly random: Random,
    private readonly say: (line: string) => void,
  ) {}

  /** Takes each step and way in turn, in another order each time, until it is told to stop. */
  async arm(stop: AbortSignal): Promise<void> {
    const turns: (readonly [Step, How])[] = [];
    while (await pause(BETWEEN_MS, stop)) {
      if (turns.length === 0)
        turns.push(
          ...this.random.shuffle(STEPS.flatMap((step) => HOWS.map((how) => [step, how] as const))),
        );
      const [step, how] = turns.pop() ?? (['payout.marked', 'kill'] as const);
      const { life } = this.worker;
      const hurt = this.armOne(step, how);
      await until(() => isDone(hurt) || stop.aborted, PASSED_WITHIN_MS);
      if (!isDone(hurt)) continue;
      this.say(`${how === 'kill' ? 'killed' : 'cut'} at ${step}`);
      if (how === 'kill') await this.worker.serves(life);
    }
  }

  /** Cuts the worker wherever it stands still for it, and has it go on, until the campaign ends: a step may come late. */
  async cutWhereFrozen(end: AbortSignal): Promise<void> {
    while (await pause(LOOK_EVERY_MS, end))
      for (const hurt of this.hurts)
        if (hurt.how === 'cut' && hurt.fired() && !hurt.isCut) {
          const standsStill = await until(() => this.worker.isFrozen, FROZEN_WITHIN_MS);
          hurt.isCut = standsStill && (await this.books.cutWorkers()) > 0;
          this.worker.thaw();
        }
  }

  /** Whether each step was hurt in both ways. */
  get areEverywhere(): boolean {
    return this.counts().every(({ kills, cuts }) => kills > 0 && cuts > 0);
  }

  /** What came true so far, in the order of the steps. */
  counts(): StepCount[] {
    const done = this.hurts.filter(isDone);
    return STEPS.map((step) => {
      const here = done.filter((hurt) => hurt.step === step);
      const kills = here.filter(({ how }) => how === 'kill').length;
      return { step, kills, cuts: here.length - kills };
    });
  }

  private armOne(step: Step, how: How): Hurt {
    const fired = this.platform.failpoints.arm({
      ...{ step, action: how === 'kill' ? 'kill' : 'freeze' },
      after: this.random.int(0, 3),
    });
    const hurt: Hurt = { step, how, fired, isCut: false };
    this.hurts.push(hurt);
    return hurt;
  }
}

const isDone = ({ how, fired, isCut }: Hurt): boolean => (how === 'cut' ? isCut : fired());

/** @returns false once it is told to stop */
export async function pause(ms: number, stop: AbortSignal): Promise<boolean> {
  await sleep(ms, undefined, { signal: stop }).catch(() => undefined);
  return !stop.aborted;
}
