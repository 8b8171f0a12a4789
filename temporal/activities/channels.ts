import { heartbeat, log } from '@temporalio/activity';
import type { OpenChannel } from '../../channels';
import { pruneChannelMessages } from '../../db/channels/channel-messages';
import { type ChannelRow, findEnabledChannels, noteChannelCheck } from '../../db/channels/channels';
import { alertUnsent } from '../../db/channels/mappings';
import type { Database } from '../../db/client';
import { CHANNEL_MESSAGE_DAYS } from '../../domain/archive';
import { currenciesOf } from '../../domain/channel';
import { metrics } from '../../runtime/metrics';
import { judgeHealth } from './health';

/** The dependencies of the channel watch. */
export interface ChannelActivityDeps {
  readonly database: Database;
  readonly clock: () => Promise<Date>;
  readonly openChannel: OpenChannel;
  readonly environment: 'sandbox' | 'production';
}

/** How long channels' messages are kept, milliseconds: disputes are raised within this time. */
const MESSAGES_KEPT_MS = CHANNEL_MESSAGE_DAYS * 86_400_000;
/** Messages that one statement deletes. */
const BATCH = 1_000;

/** The steps of `channelWatch`. Each may run twice, and concurrently. */
export function createChannelActivities({ database, clock, openChannel, environment }: ChannelActivityDeps) {
  /**
   * A channel's health and balances. A channel that throws counts as down, and does not stop the checks of the others.
   */
  async function ask(row: ChannelRow): Promise<Parameters<typeof noteChannelCheck>[2]> {
    try {
      const channel = openChannel(row);
      if (channel.stopped) {
        const about = { channelId: row.id, channelCode: row.channelCode, reason: channel.stopped };
        await alertUnsent(database, about, await clock());
      }
      const { health, reason } = await channel.health();
      const balances = [];
      if (health === 'UP')
        for (const currencyCode of currenciesOf(row)) {
          const balance = await channel.balance(currencyCode);
          if (balance !== null) balances.push({ currencyCode, balance });
        }
      return { health, reason, balances };
    } catch (error) {
      log.error('channel check failed', { channel: row.channelCode, err: error });
      return { health: 'DOWN', reason: "it cannot be queried: see the worker's log", balances: [] };
    }
  }

  /** @returns whether the channel is down */
  async function check(row: ChannelRow): Promise<boolean> {
    const found = await ask(row);
    const { health, reason } = found;
    await noteChannelCheck(database, row.id, found, await clock());
    if (health !== row.health) log.warn('channel health changed', { channel: row.channelCode, health, reason });
    heartbeat();
    return health === 'DOWN';
  }

  return {
    /**
     * Queries every channel's health and balances, updates channels' breakers and silent agents, and deletes old
     * messages.
     * @returns how many channels are down
     */
    async checkChannels(): Promise<number> {
      const channels = await findEnabledChannels(database);
      const found = await Promise.all(channels.map(check));
      const down = found.filter(Boolean).length;
      metrics.channelsDown.set(down);
      await judgeHealth(database, environment, await clock());
      const before = new Date((await clock()).getTime() - MESSAGES_KEPT_MS);
      while ((await pruneChannelMessages(database, before, BATCH)) === BATCH) heartbeat();
      return down;
    },
  };
}

/** The steps as the workflow sees them. */
export type ChannelActivities = ReturnType<typeof createChannelActivities>;
