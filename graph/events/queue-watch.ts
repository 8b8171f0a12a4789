import type { Database } from '../../db/client';
import { countQueues, type QueueCounts } from '../../db/queues';
import type { Logger } from '../../runtime/log';

/** Interval of the counts while a client subscribes, milliseconds; a subscriber gets at most one in that time. */
const COUNT_EVERY_MS = 1_000;
/** A badge shows at most "1000+". */
const COUNT_AT_MOST = 1_000;

/** Subscribers that may see the same counts. */
interface Group {
  readonly merchantIds: readonly string[] | null;
  readonly followers: Set<Follower>;
  last: string;
  counts: QueueCounts | undefined;
}

/** Counts waiting work, once for all subscribers with the same view, and notifies them of changes. */
export class QueueWatch {
  private readonly groups = new Map<string, Group>();
  private counting: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly beforeDelivery: () => Promise<void>,
    private readonly log: Logger,
  ) {}

  /** The present counts. */
  async now(merchantIds: readonly string[] | null): Promise<QueueCounts> {
    return await countQueues(this.database, merchantIds, COUNT_AT_MOST);
  }

  /** The present counts, and again after each change. A slow subscriber gets only the newest. */
  follow(merchantIds: readonly string[] | null): AsyncIterableIterator<QueueCounts> {
    const key = JSON.stringify(merchantIds && [...merchantIds].sort());
    const group = this.groups.get(key) ?? {
      merchantIds,
      followers: new Set(),
      last: '',
      counts: undefined,
    };
    this.groups.set(key, group);
    const follower = new Follower(() => {
      group.followers.delete(follower);
      if (group.followers.size === 0) this.groups.delete(key);
    });
    group.followers.add(follower);
    if (group.counts) follower.tell(group.counts);
    this.counting ??= setTimeout(() => {
      void this.count();
    }, 0);
    return follower;
  }

  stop(): void {
    clearTimeout(this.counting);
    this.groups.clear();
  }

  private async count(): Promise<void> {
    try {
      for (const group of this.groups.values()) {
        const counts = await this.now(group.merchantIds);
        const text = JSON.stringify(counts);
        if (text === group.last) continue;
        await this.beforeDelivery();
        group.last = text;
        group.counts = counts;
        for (const follower of group.followers) follower.tell(counts);
      }
    } catch (error) {
      this.log.error({ err: error }, 'the work that waits cannot be counted');
    }
    this.counting =
      this.groups.size === 0
        ? undefined
        : setTimeout(() => {
            void this.count();
          }, COUNT_EVERY_MS).unref();
  }
}

/** One follower: it needs only the newest counts. */
class Follower implements AsyncIterableIterator<QueueCounts> {
  private newest: QueueCounts | undefined;
  private asking: ((result: IteratorResult<QueueCounts>) => void) | undefined;
  private over = false;

  constructor(private readonly onEnd: () => void) {}

  [Symbol.asyncIterator](): this {
    return this;
  }

  tell(counts: QueueCounts): void {
    if (this.asking) this.asking({ value: counts, done: false });
    else this.newest = counts;
    this.asking = undefined;
  }

  async next(): Promise<IteratorResult<QueueCounts>> {
    if (this.over) return { value: undefined, done: true };
    const value = this.newest;
    this.newest = undefined;
    if (value) return { value, done: false };
    return await new Promise((resolve) => {
      this.asking = resolve;
    });
  }

  async return(): Promise<IteratorResult<QueueCounts>> {
    this.over = true;
    this.onEnd();
    this.asking?.({ value: undefined, done: true });
    return await Promise.resolve({ value: undefined, done: true });
  }
}
