import { createChannels, type OpenChannel } from '../channels';
import type { Config } from '../config';
import { type CallbackSender, createCallbackSender } from '../temporal/http/callback-sender';
import type { Role } from './role';
import type { Secrets } from './secrets';

/** Sends callbacks to merchants and requests to channels, with certificates verified as WEBHOOK_SSL_VERIFY says. */
export const openSender = (config: Config): CallbackSender =>
  createCallbackSender({ webhookSslVerify: config.webhookSslVerify });

/** The longest answer of a provider, bytes: it may hold a picture of a QR code. */
const CHANNEL_ANSWER_BYTES = 64 * 1024;

/** Requests to channels may go to the same addresses as callbacks: public addresses, and in a sandbox loopback. */
export function openChannels(
  { config, clock, secrets }: Pick<Role, 'config' | 'clock'> & { readonly secrets: Pick<Secrets, 'sealer'> },
  sender: CallbackSender,
): OpenChannel {
  const policy = { allowInsecure: config.environment === 'sandbox', allowedHosts: null };
  const keepBytes = CHANNEL_ANSWER_BYTES;
  return createChannels({
    environment: config.environment,
    sealer: secrets.sealer,
    clock: clock.now,
    post: async (request, signal) =>
      await sender.post({ ...request, policy, keepBytes, tracedFor: 'channels' }, signal),
  });
}
