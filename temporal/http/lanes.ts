/** One lane may take this part of the slots that are free. */
const PART = 8;

/** How soon somebody who was turned away comes back, milliseconds. */
const BACK_AFTER_MS = { least: 1_000, most: 60_000 };

/** Whoever is this late, milliseconds, no longer counts as waiting: another process has served it, or it is over. */
const GIVEN_UP_MS = 30_000;

/** What came of asking for a slot: a way to leave it again, or how long to stay away. */
export type Entry =
  | { readonly entered: true; readonly leave: () => void }
  | { readonly entered: false; readonly backAfterMs: number };

interface Lane {
  /** When each that is inside entered, the oldest first. */
  readonly inside: Set<{ readonly at: number }>;
  /** How long the last ones stayed, milliseconds, the newest counting most; null before the first has left. */
  stayMs: number | null;
  /** The turn that was given away last. */
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
  /** When those who were turned away come back. */
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

  /** Lanes with somebody inside. */
  get open(): number {
    return this.#lanes.size;
  }

  /** Those who were turned away and have not come back. */
  get waiting(): number {
    const givenUp = this.clock() - GIVEN_UP_MS;
    for (const [who, back] of this.#turned) if (back < givenUp) this.#turned.delete(who);
    return this.#turned.size;
  }

  /**
   * Takes one slot, which counts in each of the lanes.
   * @param names the lanes
   * @param who is the same when it comes back
   * @param longestMs how long a stay can be: reckoned with until the first has left
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

/** The next turn of a full lane. Turns beyond the most are shared, so that all are back soon after it empties. */
function backAfter(lane: Lane, longestMs: number, now: number): number {
  const { least, most } = BACK_AFTER_MS;
  const [oldest] = lane.inside;
  // Who is still inside tells as much as who has left.
  const stayMs = Math.max(lane.stayMs ?? longestMs, now - (oldest?.at ?? now));
  const turn = Math.max(lane.lastTurn, now + least) + stayMs / lane.inside.size;
  lane.lastTurn = turn - now > most ? now + least : turn;
  return Math.ceil(lane.lastTurn - now);
}
