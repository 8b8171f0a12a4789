import { businessError, notFound } from '../../domain/errors';
import type { ChannelRow } from '../../db/channels/channels';
import type { ChannelMappingRow, MappingTrialRow } from '../../db/channels/mappings';
import type { Needs } from '../context';

export const trialOf = async (
  { loaders }: Needs<'loaders'>,
  { channelId, version }: ChannelMappingRow,
): Promise<MappingTrialRow | undefined> =>
  (await loaders.channelMappingTrials.load(channelId)).find((trial) => trial.version === version);

export async function mappedChannel({ loaders }: Needs<'loaders'>, id: string): Promise<ChannelRow> {
  const channel = await loaders.channels.load(id);
  if (!channel) throw notFound('channel');
  if (!channel.mapped) throw businessError('WRONG_STATE', 'the channel speaks our own protocol: it has no mapping');
  return channel;
}

export async function versionOf(
  { loaders }: Needs<'loaders'>,
  id: string,
  version: number,
): Promise<ChannelMappingRow> {
  const found = (await loaders.channelMappings.load(id)).find((one) => one.version === version);
  if (!found) throw notFound('mapping');
  return found;
}
