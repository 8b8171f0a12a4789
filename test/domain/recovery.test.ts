import { referencesToAsk } from '../../domain/recovery';

const a = { id: 'channel-a', channelCode: 'sim-a' };
const b = { id: 'channel-b', channelCode: 'sim-b' };
const ask = (
  ...[attempts, channels, epochs]: [
    { number: number; channelId: string | null; reference: string }[],
    { id: string; channelCode: string }[],
    number,
  ]
): string[] =>
  referencesToAsk('W1', attempts, channels, epochs).map(
    ({ channelId, reference }) => `${channelId}: ${reference}`,
  );

describe('the references that a recovery queries', () => {
  it('are those of every possible attempt, in each epoch and in the old form', () => {
    expect(ask([], [a, b], 2).sort()).toEqual([
      ...['channel-a: W1-1', 'channel-a: W1-1-0-sim-a', 'channel-a: W1-1-1-sim-a'],
      ...['channel-a: W1-2', 'channel-a: W1-2-0-sim-a', 'channel-a: W1-2-1-sim-a'],
      ...['channel-b: W1-1', 'channel-b: W1-1-0-sim-b', 'channel-b: W1-1-1-sim-b'],
      ...['channel-b: W1-2', 'channel-b: W1-2-0-sim-b', 'channel-b: W1-2-1-sim-b'],
    ]);
  });

  it('are the known one at the channel that was used, and more at the others', () => {
    const tried = { number: 1, channelId: a.id, reference: 'W1-1-0-sim-a' };
    expect(ask([tried], [a, b], 1)).toEqual([
      ...['channel-a: W1-1-0-sim-a', 'channel-b: W1-1', 'channel-b: W1-1-0-sim-b'],
      ...['channel-b: W1-2', 'channel-b: W1-2-0-sim-b'],
    ]);
  });

  it('are none for a manual payout, and none without channels', () => {
    const manual = { number: 1, channelId: null, reference: 'W1-1' };
    expect(ask([manual], [a], 1)).toEqual([
      ...['channel-a: W1-1', 'channel-a: W1-1-0-sim-a'],
      ...['channel-a: W1-2', 'channel-a: W1-2-0-sim-a'],
    ]);
    expect(ask([], [], 3)).toEqual([]);
  });
});
