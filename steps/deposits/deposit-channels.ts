import { Batcher } from '../../db/batcher';
import type { Database } from '../../db/client';
import { type DepositChannelRow, findDepositChannels } from '../../db/deposits/channel-deposits';
import { claimTrial } from '../../db/health/health';

/** Lifetime of a reading, milliseconds. */
const GOOD_FOR_MS = 1_000;
const LOOKUPS = { size: 64, underWay: 1 };

/**
 * A short-lived cache of the channels that take deposits. A channel is checked again before its request, and its limits
 * under its lock. So a stale value may propose a channel, but must not refuse a deposit: read again before a refusal.
 */
export class DepositChannels {
  private readonly read: Batcher<string, readonly DepositChannelRow[]>;
  private readonly known = new Map<
    string,
    { readonly channels: readonly DepositChannelRow[]; readonly until: number }
  >();

  constructor(
    private readonly database: Database,
    private readonly clock: () => Date,
  ) {
    const read = async (currencies: readonly string[]): Promise<(readonly DepositChannelRow[])[]> => {
      const found = await findDepositChannels(database, [...new Set(currencies)], null, clock());
      return currencies.map((code) => found.filter(({ currencyCode }) => currencyCode === code));
    };
    this.read = new Batcher(read, LOOKUPS, database.patience);
  }

  /** The channels of a currency, cached or read now. */
  async of(currencyCode: string, afresh: boolean): Promise<readonly DepositChannelRow[]> {
    const known = this.known.get(currencyCode);
    if (known && !afresh && performance.now() < known.until) return known.channels;
    const channels = await this.read.call(currencyCode);
    this.known.set(currencyCode, { channels, until: performance.now() + GOOD_FOR_MS });
    return channels;
  }

  /** Whether a channel takes this order: one whose breaker is open takes one order at a time, as a trial. */
  async takes(channel: DepositChannelRow, orderId: string): Promise<boolean> {
    if (channel.breakerState === 'HEALTHY') return true;
    return await claimTrial(this.database, channel.id, orderId, this.clock());
  }
}
