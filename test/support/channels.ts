import { createChannels, type OpenChannel } from '../../channels';
import { createCallbackSender } from '../../temporal/http/callback-sender';

/** Channels as a worker of a sandbox opens them: real requests, also to loopback. */
export function testChannels(environment: 'sandbox' | 'production' = 'sandbox'): {
  readonly open: OpenChannel;
  readonly close: () => void;
} {
  const sender = createCallbackSender({ webhookSslVerify: true });
  const policy = { allowInsecure: environment === 'sandbox', allowedHosts: null };
  const open = createChannels({
    environment,
    // Secrets are not sealed here: these tests do not concern that.
    sealer: { open: (secret) => secret },
    clock: () => new Date(),
    post: async (request, signal) => await sender.post({ ...request, policy, keepBytes: 65_536 }, signal),
  });
  return {
    open,
    close: () => {
      sender.close();
    },
  };
}
