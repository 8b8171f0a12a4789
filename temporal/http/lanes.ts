/** A lane may hold 1/n of the free slots; this is n. */
const PART = 8;

/** When an attempt that found its lane full retries, milliseconds. */
const BACK_AFTER_MS = { least: 1_000, most: 60_000 };

/**
 * An attempt that is this late no longer counts as waiting, milliseconds: another process has made it, or it has ended.
 */
const GIVEN_UP_MS = 30_000;

/** The result of asking for a slot: a function that releases it, or when to retry. */
export type Entry =
  { readonly entered: true; readonly leave: () => void } | { readonly entered: false; readonly backAfterMs: number };

interface Lane {
  /** When each attempt under way entered, the oldest first. */
  readonly inside: Set<{ readonly at: number }>;
  /**
   * How long the last attempts took, milliseconds, the newest with the most weight; null before the first has ended.
   */
  stayMs: number | null;
  /** The turn that was assigned last. */
  lastTurn: number;
}

/**
 * Slots shared by many lanes. A lane may hold an eighth of the slots that are free at the moment: alone 55 of 500, fewer
 * while others hold some. So a few are always free for other lanes, and the first attempt of a lane is always admitted.
 *
 * Nothing waits here: an attempt that finds its lane full gets the time to retry, estimated from how long the lane's
 * attempts last. A slot that becomes free earlier goes to the next attempt that asks.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** When the attempts that found their lane full retry. */
  readonly #turned = new Map<string, number>();
  #inside = 0;

  /**
   * @param slots for all lanes together
   * @param clock milliseconds, of a monotonic clock
   */
  constructor(
    private readonly slots: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** Lanes with an attempt under way. */
  get open(): number {
    return this.#lanes.size;
  }

  /** Attempts that found their lane full and have not retried. */
  get waiting(): number {
    const givenUp = this.clock() - GIVEN_UP_MS;
    for (const [who, back] of this.#turned) if (back < givenUp) this.#turned.delete(who);
    return this.#turned.size;
  }

  /**
   * Takes one slot, which counts in each of the lanes.
   * @param names the lanes
   * @param who identifies the attempt when it retries
   * @param longestMs how long an attempt can take: the estimate until the first has ended
   */
  enter(names: readonly string[], who: string, longestMs: number): Entry {
    const now = this.clock();
    const most = Math.max(1, Math.floor((this.slots - this.#inside) / PART));
    const full = names
      .map((name) => this.#lanes.get(name))
      .find((lane) => lane !== undefined && lane.inside.size >= most);
    if (full) {
      const backAfterMs = backAfter(full, longestMs, now);
      this.#turned.set(who, now + backAfterMs);
      return { entered: false, backAfterMs };
    }
    this.#turned.delete(who);
    const stay = { at: now };
    for (const name of names) this.#laneOf(name).inside.add(stay);
    this.#inside++;
    return {
      entered: true,
      leave: () => {
        this.#leave(names, stay);
      },
    };
  }

  #laneOf(name: string): Lane {
    const lane = this.#lanes.get(name) ?? { inside: new Set(), stayMs: null, lastTurn: 0 };
    this.#lanes.set(name, lane);
    return lane;
  }

  #leave(names: readonly string[], stay: { readonly at: number }): void {
    const stayed = this.clock() - stay.at;
    let wasInside = false;
    for (const name of names) {
      const lane = this.#lanes.get(name);
      if (!lane?.inside.delete(stay)) continue;
      wasInside = true;
      lane.stayMs = lane.stayMs === null ? stayed : lane.stayMs * 0.8 + stayed * 0.2;
      if (lane.inside.size === 0) this.#lanes.delete(name);
    }
    if (wasInside) this.#inside--;
  }
}

/**
 * Assigns the next turn of a full lane. Turns beyond the longest wait are shared, so that all attempts retry soon after
 * the lane empties.
 */
function backAfter(lane: Lane, longestMs: number, now: number): number {
  const { least, most } = BACK_AFTER_MS;
  const [oldest] = lane.inside;
  // The age of an attempt under way counts as a duration, too.
  const stayMs = Math.max(lane.stayMs ?? longestMs, now - (oldest?.at ?? now));
  const turn = Math.max(lane.lastTurn, now + least) + stayMs / lane.inside.size;
  lane.lastTurn = turn - now > most ? now + least : turn;
  return Math.ceil(lane.lastTurn - now);
}
