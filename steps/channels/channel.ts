import { notFound } from '../../domain/errors';
import type * as db from '../../db/channels/channels';
import type { Needs } from '../context';
import type { ChannelSetUp } from './channel-set-up';

export async function channelOrRefuse({ loaders }: Needs<'loaders'>, id: string): Promise<db.ChannelRow> {
  const channel = await loaders.channels.load(id);
  if (!channel) throw notFound('channel');
  return channel;
}

/** What a new channel will do, in one line. */
export function summaryOf(channelCode: string, { change }: ChannelSetUp): string {
  const { currencies, depositCurrencies } = change;
  const does = [
    ...(currencies.length > 0 ? [`pay out (${currencies.join(', ')})`] : []),
    ...(depositCurrencies.length > 0 ? [`take deposits (${depositCurrencies.join(', ')})`] : []),
  ].join(' and ');
  return `${does.charAt(0).toUpperCase()}${does.slice(1)} by the channel ${channelCode}`;
}

export const sealFor =
  ({ sealer }: Needs<'sealer'>, channelId: string) =>
  (secret: string): string =>
    sealer.seal(secret, `channel:${channelId}`);
