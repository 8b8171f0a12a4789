import { Batcher, type BatchLimits } from './batcher';

/** Concurrent transactions, each with owners of its own. More of them make smaller batches, which cost more an item. */
const LANES = 2;

/**
 * Batches in lanes. Items of one owner, such as a merchant or an account, go through one lane, one transaction after
 * another, so that none waits for a row that another transaction of this process has locked. Items that come meanwhile
 * form the next batch.
 */
export class Lanes<Item, Result> {
  private readonly lanes: readonly Batcher<Item, Result>[];

  /**
   * @param send returns a result for each item, in their order
   * @param size most items of one transaction: its locks are held for a few milliseconds only
   * @param patience that of its database (DatabaseOptions)
   */
  constructor(
    send: (items: readonly Item[]) => Promise<readonly Result[]>,
    size: BatchLimits['size'],
    patience: number,
  ) {
    const limits = { size, underWay: 1 };
    this.lanes = Array.from({ length: LANES }, () => new Batcher(send, limits, patience));
  }

  /** @param ownerId a UUID @throws what Batcher.call throws */
  async call(ownerId: string, item: Item): Promise<Result> {
    // The last digits are random, so they spread owners over the lanes.
    const lane = this.lanes[Number.parseInt(ownerId.slice(-4), 16) % LANES];
    if (!lane) throw new Error(`${ownerId} is no id`);
    return await lane.call(item);
  }
}
