import type { Channel, StoredChannel } from './channel';
import type { HttpChannelDeps } from './http-answer';
import { httpChannel } from './http-channel';
import { mappedChannel } from './mapped/mapped-channel';
import { mockChannel } from './mock-channel';
import { readStoredMapping } from '../domain/mapping/check';
import { leaksOf } from '../domain/mapping/leaks';

export { tryMapping } from './kit/kit';
export type {
  Channel,
  ChannelMessage,
  DepositQuery,
  PayoutRequest,
  StoredChannel,
  Webhook,
  WebhookAnswer,
} from './channel';

/** The dependencies of channels. */
export interface ChannelDeps extends HttpChannelDeps {
  readonly environment: 'sandbox' | 'production';
  /** Opens secrets, which are sealed for `channel:{id}`. */
  readonly sealer: { open(sealed: string, context: string): string };
}

/**
 * Opens a channel by its stored settings.
 * @throws for a mock channel in production: its money would count as real
 */
export type OpenChannel = (stored: StoredChannel) => Channel;

/** Makes channels from their rows. */
export const createChannels =
  ({ environment, sealer, ...deps }: ChannelDeps): OpenChannel =>
  ({ id, baseUrl, keyId, sealedSecret, timeoutSeconds, ...stored }) => {
    const { mockOutcome, mockOpening, mockAmounts } = stored;
    if (mockOutcome !== null) {
      if (environment === 'production') throw new Error('mock channels are not allowed in production: disable it');
      return mockChannel({
        outcome: mockOutcome,
        opening: mockOpening ?? 'OPEN',
        amounts: mockAmounts ?? null,
      });
    }
    if (baseUrl === null || keyId === null || sealedSecret === null)
      throw new Error(`the channel ${id} has no address`);
    const secret = sealer.open(sealedSecret, `channel:${id}`);
    if (stored.mapped === true) {
      const mapping = readStoredMapping(stored.mapping);
      if ('problems' in mapping) throw new Error(`the channel ${id} has no valid mapping`);
      const [leak] = leaksOf(mapping);
      const stopped = leak ? `its mapping is unsafe: ${leak.path} ${leak.problem}` : null;
      return mappedChannel({ mapping, environment, baseUrl, keyId, secret, timeoutSeconds, stopped }, deps);
    }
    const allowInsecure = environment === 'sandbox';
    return httpChannel({ baseUrl, keyId, secret, timeoutSeconds, allowInsecure }, deps);
  };
