import { type Allowance, Buckets } from './buckets';
import { Counts } from './counts';

/** The rate of each caller of one kind. */
export interface Rate {
  /**
   * Takes tokens of a caller, or none if too few are left.
   * @param now milliseconds, of a monotonic clock
   * @returns after how many milliseconds there will be enough; 0 if they were taken
   */
  take(caller: string, weight: number, now: number): number | Promise<number>;
}

/** How many of something each caller of one kind may have open. */
export interface Places {
  /** @returns false if the caller has the most already */
  take(caller: string): boolean | Promise<boolean>;
  leave(caller: string): void;
}

/** Where a gateway counts what its callers may do: in this process, or in the parent of several. */
export interface Limits {
  /** The processes that share what one gateway may do: each has its part of the calls and connections. */
  readonly processes: number;
  /** @param name of the kind of callers */
  rate(name: string, allowance: Allowance): Rate;
  /** @param name of the kind of callers */
  places(name: string, most: number): Places;
}

/** The limits of a gateway that is one process. */
export const OWN_LIMITS: Limits = {
  processes: 1,
  rate: (_name, allowance) => new Buckets(allowance),
  places: (_name, most) => {
    const counts = new Counts();
    return {
      take: (caller) => {
        if (counts.of(caller) >= most) return false;
        counts.add(caller, 1);
        return true;
      },
      leave: (caller) => {
        counts.add(caller, -1);
      },
    };
  },
};
