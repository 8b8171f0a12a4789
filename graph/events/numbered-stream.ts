import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../runtime/log';
import { businessError } from '../../domain/errors';

/** An item published under a number: a reader that has seen n has seen all lower numbers. */
export interface Numbered {
  readonly seq: bigint;
}

/** Where a stream is read from. */
export interface StreamSource<Item extends Numbered> {
  /** The items published after a number, in order, at most `limit`. */
  readonly read: (after: bigint, limit: number) => Promise<Item[]>;
  /** The last number given; 0 before any. */
  readonly last: () => Promise<bigint>;
  /** Key of followers of one subject. */
  readonly keyOf: (item: Item) => string;
  /** Runs after items were read and before they are delivered, for example to check that logins are live. */
  readonly beforeDelivery: () => Promise<void>;
  readonly onItem?: (item: Item) => void;
}

/** A follower's start and selection. */
export interface Follow<Item> {
  /** The last number that the follower has; null: from now on. */
  readonly after: bigint | null;
  /** Only of this key; null: of all. */
  readonly key: string | null;
  readonly accepts: (item: Item) => boolean;
  /** A narrower way to read the items published after a number, if there is one. */
  readonly backlog?: (after: bigint) => Promise<Item[]>;
  /** The follower reads items more slowly than they come, and is dropped. */
  readonly onSlow: () => void;
}

/** Items read from the database at once. */
const BATCH = 1_000;
/** The last items are cached, so that a follower that resumes after a short absence reads nothing from the database. */
const KEPT = 1_000;
/** Most queued items of a follower: further ones are read again from the database. */
const MOST_WAITING = 1_000;
/** A follower that reads nothing for this long although items wait is dropped, and resumes by its number; milliseconds. */
const STUCK_MS = 15_000;
/** Items that were taken are removed from the array in blocks of so many. */
const FORGET_EVERY = 256;
/** A follower further behind than this many numbers must load its list again. */
const FURTHEST_BEHIND = 50_000n;
/** The pause after a failed read, milliseconds. */
const RETRY_MS = 1_000;
/** How often it reads without a notice, milliseconds: a notice may be lost. */
const LOOK_MS = 1_000;
/**
 * Without a follower for this long, only the last number is read, milliseconds. Before that items are kept for those who
 * resume after a break, such as a restart.
 */
const QUIET_AFTER_MS = 60_000;

/**
 * A numbered stream in one process: each item is read once for all followers, and not at all while nobody follows. A notice
 * only triggers a read by number; a lost connection or notice loses nothing.
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
  /** When it began, or its last follower ended. */
  private followedAt = performance.now();

  constructor(
    private readonly source: StreamSource<Item>,
    private readonly log: Logger,
    private readonly quietAfterMs = QUIET_AFTER_MS,
  ) {}

  /** The number up to which followers have been served: what is read from the database after asking holds all of it. */
  get lastSeq(): bigint {
    return this.seq;
  }

  /** How many follow. */
  get size(): number {
    return this.followers.size;
  }

  /** Begins at the stream's present number. */
  async start(): Promise<void> {
    const last = await this.source.last();
    const from = last - BigInt(KEPT);
    this.seq = this.keptAfter = from > 0n ? from : 0n;
    for (const item of await this.source.read(this.seq, KEPT)) this.keep(item);
    if (this.seq < last) this.seq = last;
    this.looking = setInterval(() => {
      if (this.isQuiet) void this.passOver();
      else this.wake();
    }, LOOK_MS).unref();
  }

  /** Stops reading and delivering. */
  stop(): void {
    clearInterval(this.looking);
  }

  private get isQuiet(): boolean {
    return this.followers.size === 0 && performance.now() - this.followedAt > this.quietAfterMs;
  }

  /** Passes over the items that nobody follows. Who asks for them later reads them from the database. */
  async passOver(): Promise<void> {
    try {
      const last = await this.source.last();
      // A follower that came meanwhile begins at the number before.
      if (!this.isQuiet || this.reading || last <= this.seq) return;
      this.kept.length = 0;
      this.seq = this.keptAfter = last;
    } catch (error) {
      this.log.error({ err: error }, 'the last number of a stream cannot be read');
    }
  }

  /** There may be new items. */
  wake(): void {
    if (this.isQuiet) return;
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
        // Retries from the same number, a little later.
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
   * The items after a number, existing ones and new ones, without gaps and without repeats.
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
      this.followedAt = performance.now();
      const same = this.byKey.get(how.key ?? ALL);
      same?.delete(ended);
      if (same?.size === 0) this.byKey.delete(how.key ?? ALL);
    });
    const wasQuiet = this.isQuiet;
    this.followers.add(follower);
    const same = this.byKey.get(how.key ?? ALL) ?? new Set();
    this.byKey.set(how.key ?? ALL, same.add(follower));
    if (wasQuiet) this.wake();
    return follower;
  }

  /** The items that a follower lacks, from memory; undefined if memory does not reach back so far. */
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

/** The key of followers of everything. */
const ALL = '';

/** How a follower reads missing items. */
interface Hold<Item> {
  readonly since: (after: bigint) => Item[] | undefined;
  readonly read: (after: bigint, how: Follow<Item>) => Promise<Item[]>;
  readonly lastSeq: () => bigint;
}

/** One follower: first missing items, in pages, then live ones. A lagging follower reads missing items again. */
class Following<Item extends Numbered> implements AsyncIterableIterator<Item> {
  /** Accepted, and not yet taken. All followers share the items, so a waiting one costs a pointer. */
  private waiting: Item[] = [];
  private taken = 0;
  /** Resolves the pending request for the next item. */
  private asking: ((result: IteratorResult<Item>) => void) | undefined;
  private behind = true;
  private over = false;
  /** The item taken last, and when; undefined while the next one is looked for. */
  private last: bigint;
  private takenAt: number | undefined = performance.now();

  constructor(
    private readonly how: Follow<Item>,
    /** All items up to this number were accepted or passed over. */
    private seen: bigint,
    private readonly hold: Hold<Item>,
    private readonly onEnd: (ended: Following<Item>) => void,
  ) {
    this.last = seen;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** An item that was just published. A follower that is still catching up will read it later. */
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

  /** A client with a full socket may read nothing for any time. */
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

  /** Not an async function: it runs for each item and follower. */
  next(): Promise<IteratorResult<Item>> {
    this.takenAt = undefined;
    if (this.over) return Promise.resolve(DONE);
    const item = this.waiting[this.taken];
    if (item) {
      this.taken++;
      this.forgetTaken();
      return Promise.resolve(this.given(item));
    }
    if (this.behind) return this.catchUp().then(() => this.next());
    return new Promise((resolve) => {
      this.asking = resolve;
    });
  }

  /** The next page of missing items. */
  private async catchUp(): Promise<void> {
    const kept = this.hold.since(this.seen);
    if (kept) {
      // There is no await from here to the end: no item can be missed.
      this.take(kept);
      this.behind = false;
      return;
    }
    // The items that the process has read are committed: a later read finds all of them.
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
