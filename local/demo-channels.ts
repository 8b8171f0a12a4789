import { ensureOutcomes } from './demo-outcomes';
import type { OperatorClient } from './operator-client';

/** A channel of the sandbox. `setMockOutcome` chooses the outcome of its payouts. */
export interface DemoChannel {
  readonly id: string;
  readonly channelCode: string;
  readonly kind: string;
  readonly currencies: readonly string[];
  readonly mockOutcome: string | null;
}

const CHANNEL_CODE = 'mock';

/**
 * Creates the sandbox's missing channels: the one that pays out, and those with an outcome by amount. Payouts complete
 * until `setMockOutcome` changes that.
 */
export async function ensureChannels(
  operator: OperatorClient,
  currencies: readonly string[],
  reason: string,
): Promise<DemoChannel[]> {
  const { nodes } = await operator.run<{ nodes: DemoChannel[] }>('Channels', { first: 200 });
  const there = nodes.find(({ channelCode }) => channelCode === CHANNEL_CODE);
  const channel = there ?? (await create(operator, currencies, reason));
  await ensureOutcomes(operator, new Set(nodes.map((one) => one.channelCode)), reason);
  const { id, channelCode, kind, mockOutcome } = channel;
  return [{ id, channelCode, kind, currencies: channel.currencies, mockOutcome }];
}

async function create(operator: OperatorClient, currencies: readonly string[], reason: string): Promise<DemoChannel> {
  const { channel } = await operator.run<{ channel: DemoChannel | null }>('CreateChannel', {
    reason,
    input: {
      channelCode: CHANNEL_CODE,
      kind: 'MOCK',
      mockOutcome: 'COMPLETED',
      // Simulated failures need not last long.
      settings: { name: 'Mock channel', currencies, failureFinalDelaySeconds: 10 },
    },
  });
  if (!channel) throw new Error('the channel of the demo waits for the approval of a second person');
  return channel;
}
