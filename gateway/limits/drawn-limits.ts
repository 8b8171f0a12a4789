import { DrawnRate } from './drawn-rate';
import type { Limits } from './limits';
import type { LimitLine } from './questions';

/** How often unused tokens are looked for, milliseconds. */
const LOOK_EVERY_MS = 500;

/** The limits of one of several processes of a gateway, counted by their parent. */
export class DrawnLimits implements Limits {
  readonly #rates: DrawnRate[] = [];
  readonly #timer: NodeJS.Timeout;

  constructor(
    readonly processes: number,
    private readonly line: LimitLine,
  ) {
    this.#timer = setInterval(() => {
      for (const rate of this.#rates) rate.giveBack(performance.now());
    }, LOOK_EVERY_MS).unref();
  }

  readonly rate: Limits['rate'] = (name, allowance) => {
    const rate = new DrawnRate(name, allowance, this.line);
    this.#rates.push(rate);
    return rate;
  };

  readonly places: Limits['places'] = (name, most) => ({
    take: async (caller) => (await this.line.ask({ kind: 'place', name, caller, most })).drawn > 0,
    leave: (caller) => {
      this.line.tell({ kind: 'left', name, caller });
    },
  });

  close(): void {
    clearInterval(this.#timer);
  }
}
