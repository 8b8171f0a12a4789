import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../runtime/log';
import { businessError } from '../../domain/errors';

/** Something that was published under a number that no reader can miss: who has seen n has seen all before it. */
export interface Numbered {
  readonly seq: bigint;
}

/** Where a stream is read from. */
export interface StreamSource<Item extends Numbered> {
  /** What was published after a number, in order, at most `limit`. */
  readonly read: (after: bigint, limit: number) => Promise<Item[]>;
  /** The last number given; 0 before any. */
  readonly last: () => Promise<bigint>;
  /** By what readers of one thing alone are found. */
  readonly keyOf: (item: Item) => string;
  /** Done after items were read and before anybody hears of them, such as a look at whose login has ended. */
  readonly beforeDelivery: () => Promise<void>;
  readonly onItem?: (item: Item) => void;
}

/** Who follows a stream, from where, and what of it. */
export interface Follow<Item> {
  /** The last number that the follower has; null: from now on. */
  readonly after: bigint | null;
  /** Only of this key; null: of all. */
  readonly key: string | null;
  readonly accepts: (item: Item) => boolean;
  /** A narrower way to read all that was published after a number, where there is one. */
  readonly backlog?: (after: bigint) => Promise<Item[]>;
  /** The follower takes items more slowly than they come, and is let go. */
  readonly onSlow: () => void;
}

/** Items read from the database at once. */
const BATCH = 1_000;
/** The last items are kept, so that those who come back after a short absence read nothing from the database. */
const KEPT = 1_000;
/** Items that wait for one follower at most: what comes beyond them it reads again when it has taken these. */
const MOST_WAITING = 1_000;
/** Who takes nothing for so long although there is something is let go, and resumes by its number; milliseconds. */
const STUCK_MS = 15_000;
/** What was taken is dropped by so many: an array is not cut for each. */
const FORGET_EVERY = 256;
/** Who lacks more than this many numbers loads its list again instead. */
const FURTHEST_BEHIND = 50_000n;
/** PostgreSQL did not answer: again after this. */
const RETRY_MS = 1_000;
/** A look without a notice: a notice may be lost, an item may not. */
const LOOK_MS = 1_000;

/**
 * A numbered stream as one process follows it: each item is read once, whoever follows. A notice only says that there
 * is something, what there is is read by number; so a lost connection or notice loses nothing.
 */
export class NumberedStream<Item extends Numbered> {
  private readonly followers = new Set<Following<Item>>();
  private readonly byKey = new Map<string, Set<Following<Item>>>();
  /** The last items, in order. */
  private readonly kept: Item[] = [];
  /** Everything after this number, up to `lastSeq`, is kept. */
  private keptAfter = 0n;
  private reading: Promise<void> | undefined;
  private again = false;
  private looking: NodeJS.Timeout | undefined;
  private seq = 0n;

  constructor(
    private readonly source: StreamSource<Item>,
    private readonly log: Logger,
  ) {}

  /** The number up to which followers have been served: what is read from the database after asking holds all of it. */
  get lastSeq(): bigint {
    return this.seq;
  }

  /** How many follow. */
  get size(): number {
    return this.followers.size;
  }

  /** Begins where the stream stands. */
  async start(): Promise<void> {
    const last = await this.source.last();
    const from = last - BigInt(KEPT);
    this.seq = this.keptAfter = from > 0n ? from : 0n;
    for (const item of await this.source.read(this.seq, KEPT)) this.keep(item);
    if (this.seq < last) this.seq = last;
    this.looking = setInterval(() => {
      this.wake();
    }, LOOK_MS).unref();
  }

  /** Reads nothing more. Whoever still follows hears nothing more. */
  stop(): void {
    clearInterval(this.looking);
  }

  /** There may be something. */
  wake(): void {
    this.again = true;
    this.reading ??= this.readOn().finally(() => {
      this.reading = undefined;
    });
  }

  private async readOn(): Promise<void> {
    while (this.again) {
      this.again = false;
      try {
        const items = await this.source.read(this.seq, BATCH);
        if (items.length === 0) continue;
        await this.source.beforeDelivery();
        for (const item of items) this.deliver(item);
        if (items.length === BATCH) this.again = true;
      } catch (error) {
        // From the same number, a little later.
        this.log.error({ err: error }, 'a stream of events cannot be read');
        await sleep(RETRY_MS, undefined, { ref: false });
        this.again = true;
      }
    }
  }

  private deliver(item: Item): void {
    this.keep(item);
    this.source.onItem?.(item);
    for (const one of this.byKey.get(this.source.keyOf(item)) ?? []) one.offer(item);
    for (const one of this.byKey.get(ALL) ?? []) one.offer(item);
  }

  private keep(item: Item): void {
    this.seq = item.seq;
    this.kept.push(item);
    if (this.kept.length > KEPT) this.keptAfter = this.kept.shift()?.seq ?? this.keptAfter;
  }

  /**
   * The items after a number, those that are there and each that comes, without a gap and none twice.
   * @throws BUSINESS_ERROR for a number that lies too far behind
   */
  follow(how: Follow<Item>): AsyncIterableIterator<Item> {
    const after = how.after ?? this.seq;
    if (!how.backlog && this.seq - after > FURTHEST_BEHIND)
      throw businessError(
        'TOO_FAR_BEHIND',
        'afterSeq is too old: load the list again and resume from its lastEventSeq',
      );
    const follower = new Following(how, after, this.hold, (ended) => {
      this.followers.delete(ended);
      const same = this.byKey.get(how.key ?? ALL);
      same?.delete(ended);
      if (same?.size === 0) this.byKey.delete(how.key ?? ALL);
    });
    this.followers.add(follower);
    const same = this.byKey.get(how.key ?? ALL) ?? new Set();
    this.byKey.set(how.key ?? ALL, same.add(follower));
    return follower;
  }

  /** What a follower lacks: from memory, or undefined where memory does not reach back so far. */
  private readonly hold: Hold<Item> = {
    since: (after) => {
      if (after < this.keptAfter) return undefined;
      const first = this.kept.findLastIndex(({ seq }) => seq <= after) + 1;
      return this.kept.slice(first);
    },
    read: async (after, { backlog }) => {
      for (;;) {
        try {
          const items = await (backlog?.(after) ?? this.source.read(after, BATCH));
          await this.source.beforeDelivery();
          return items;
        } catch (error) {
          this.log.error({ err: error }, 'a stream of events cannot be read');
          await sleep(RETRY_MS, undefined, { ref: false });
        }
      }
    },
    lastSeq: () => this.seq,
  };
}

/** The key of those who follow everything. */
const ALL = '';

/** How a follower gets at what it lacks. */
interface Hold<Item> {
  readonly since: (after: bigint) => Item[] | undefined;
  readonly read: (after: bigint, how: Follow<Item>) => Promise<Item[]>;
  readonly lastSeq: () => bigint;
}

/** One follower: first what it lacks, in pages, then what is offered to it. Where it lags it lacks something again. */
class Following<Item extends Numbered> implements AsyncIterableIterator<Item> {
  /** Accepted, and not yet taken. Items are shared by all followers, so that one that waits costs a pointer. */
  private waiting: Item[] = [];
  private taken = 0;
  /** Whoever asked for the next item waits here. */
  private asking: ((result: IteratorResult<Item>) => void) | undefined;
  private behind = true;
  private over = false;
  /** The item taken last, and when; undefined while the next one is looked for. */
  private last: bigint;
  private takenAt: number | undefined = performance.now();

  constructor(
    private readonly how: Follow<Item>,
    /** All up to this number was accepted or passed over. */
    private seen: bigint,
    private readonly hold: Hold<Item>,
    private readonly onEnd: (ended: Following<Item>) => void,
  ) {
    this.last = seen;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** An item that has just been published. While this one still catches up it will find the item by itself. */
  offer(item: Item): void {
    if (this.over || this.isStuck() || this.behind || item.seq <= this.seen) return;
    this.seen = item.seq;
    if (!this.how.accepts(item)) return;
    if (this.asking) {
      const { asking } = this;
      this.asking = undefined;
      asking(this.given(item));
    } else if (this.waiting.length - this.taken >= MOST_WAITING) {
      this.fallBehind();
    } else {
      this.waiting.push(item);
    }
  }

  /** A client whose socket is full takes nothing, for as long as it likes. */
  private isStuck(): boolean {
    if (this.takenAt === undefined || performance.now() - this.takenAt < STUCK_MS) return false;
    this.letGo();
    return true;
  }

  private letGo(): void {
    this.end();
    this.how.onSlow();
  }

  private fallBehind(): void {
    this.waiting = [];
    this.taken = 0;
    this.seen = this.last;
    this.behind = true;
  }

  private given(item: Item): IteratorResult<Item> {
    this.last = item.seq;
    this.takenAt = performance.now();
    return { value: item, done: false };
  }

  async next(): Promise<IteratorResult<Item>> {
    this.takenAt = undefined;
    for (;;) {
      if (this.over) return DONE;
      const item = this.waiting[this.taken];
      if (item) {
        this.taken++;
        this.forgetTaken();
        return this.given(item);
      }
      if (!this.behind)
        return await new Promise((resolve) => {
          this.asking = resolve;
        });
      await this.catchUp();
    }
  }

  /** The next page of what it lacks. */
  private async catchUp(): Promise<void> {
    const kept = this.hold.since(this.seen);
    if (kept) {
      // Nothing is awaited from here to the end: no item falls between.
      this.take(kept);
      this.behind = false;
      return;
    }
    // What the process has read is committed: a look that comes after it finds all of it.
    const upTo = this.hold.lastSeq();
    if (!this.how.backlog && upTo - this.seen > FURTHEST_BEHIND) {
      this.letGo();
      return;
    }
    this.take(await this.hold.read(this.seen, this.how));
    if (this.how.backlog && this.seen < upTo) this.seen = upTo;
  }

  private take(items: readonly Item[]): void {
    if (this.over) return;
    for (const item of items) {
      if (item.seq <= this.seen) continue;
      this.seen = item.seq;
      if (this.how.accepts(item)) this.waiting.push(item);
    }
  }

  private forgetTaken(): void {
    if (this.taken < this.waiting.length && this.taken < FORGET_EVERY) return;
    this.waiting = this.waiting.slice(this.taken);
    this.taken = 0;
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.waiting = [];
    this.onEnd(this);
    this.asking?.(DONE);
    this.asking = undefined;
  }

  return(): Promise<IteratorResult<Item>> {
    this.end();
    return Promise.resolve(DONE);
  }
}

const DONE: IteratorResult<never> = { value: undefined, done: true };
