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
      /** Prepares the testbed: merchants, processes, load. */
      open(testbed: Testbed, size: Size): Promise<Opened>;
    }
  | {
      /** A bench that needs no testbed. */
      readonly needs: undefined;
      openAlone(size: Size): Promise<Opened>;
    }
);

/** The size of a bench, apart from its duration. */
export interface Size {
  /** Undefined: the bench decides. */
  readonly orders: number | undefined;
  /** Fewer orders, at which the bench measures too before it goes on; ascending. */
  readonly before: readonly number[];
  /** How long orders come, minutes. Undefined: the bench decides. */
  readonly minutes: number | undefined;
  /** How many orders come a second. Undefined: the bench decides. */
  readonly perSecond: number | undefined;
  /** The run only shows that the bench works, with as little of everything as possible. */
  readonly short: boolean;
  /** The folder of another checkout, to be compared with this one. */
  readonly other: string | undefined;
  /** Where ledgers of others are, for the ledger bench: a checkout of pgledger, the binaries of the other two. */
  readonly peers: Readonly<Record<'pgledger' | 'tigerbeetle' | 'blnk', string | undefined>>;
}

/** A figure without a comparison. */
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
