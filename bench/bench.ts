import type { Heat } from './harness';
import type { Needs } from './servers';
import type { Testbed } from './testbed';

/** A comparison that `npm run bench -- NAME` runs. */
export type Bench = {
  /** What it compares, for the list. */
  readonly sentence: string;
} & (
  | {
      readonly needs: Needs;
      /** Sets the testbed: merchants, processes, load. */
      open(testbed: Testbed, size: Size): Promise<Opened>;
    }
  | {
      /** It runs in this process alone. */
      readonly needs: undefined;
      open(): Promise<Opened>;
    }
);

/** How much a bench is to take on, where that is not a question of time. */
export interface Size {
  /** Undefined where the bench is to decide. */
  readonly orders: number | undefined;
  /** Only whether it runs is of interest: as little of everything as shows that. */
  readonly short: boolean;
}

/** A figure that is compared with none. */
export interface Finding {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

/** A bench with its testbed. */
export interface Opened {
  readonly heats: readonly Heat[];
  findings?(): Promise<readonly Finding[]>;
  /** Checks the result and closes the bench. */
  close?(): void | Promise<void>;
}
