import type { PayoutAttemptStatus } from '../../domain/payout';
import { ATTEMPTS_ELSEWHERE, referencesToAsk } from '../../domain/recovery';

const a = { id: 'channel-a', channelCode: 'sim-a' };
const b = { id: 'channel-b', channelCode: 'sim-b' };
type Attempt = Parameters<typeof referencesToAsk>[1][number];
const ask = (...[attempts, channels, epochs]: [Attempt[], { id: string; channelCode: string }[], number]): string[] =>
  referencesToAsk('W1', attempts, channels, epochs).map(({ channelId, reference }) => `${channelId}: ${reference}`);
/** References of attempts at a channel, in the old form and in each epoch. */
const lost = ({ id, channelCode }: typeof a, numbers: number, epochs: number): string[] =>
  Array.from({ length: numbers }, (_, n) => n + 1).flatMap((number) => [
    `${id}: W1-${number}`,
    ...Array.from({ length: epochs }, (_, epoch) => `${id}: W1-${number}-${epoch}-${channelCode}`),
  ]);

describe('the references that a recovery queries', () => {
  it('are those of every possible attempt, in each epoch and in the old form', () => {
    const numbers = 2 + ATTEMPTS_ELSEWHERE;
    expect(ask([], [a, b], 2).sort()).toEqual([...lost(a, numbers, 2), ...lost(b, numbers, 2)]);
  });

  it('allow for attempts at channels that were created in the lost time', () => {
    expect(ask([], [a], 1)).toContain('channel-a: W1-4-0-sim-a');
    expect(ATTEMPTS_ELSEWHERE).toBe(3);
  });

  const tried = (status: PayoutAttemptStatus): Attempt => ({
    number: 1,
    channelId: a.id,
    reference: 'W1-1-0-sim-a',
    status,
  });

  it('are the known one at the channel that was used, and more at the others', () => {
    expect(ask([tried('SENT')], [a, b], 1).sort()).toEqual([
      ...['channel-a: W1-1-0-sim-a', ...lost(b, 2 + ATTEMPTS_ELSEWHERE, 1)],
    ]);
  });

  it('are all, each once, at a channel that has only a prepared attempt', () => {
    expect(ask([tried('PREPARED')], [a], 1).sort()).toEqual(lost(a, 2 + ATTEMPTS_ELSEWHERE, 1));
  });

  it('are none for a manual payout, and none without channels', () => {
    const manual = { number: 1, channelId: null, reference: 'W1-1', status: 'OPEN' } as const;
    expect(ask([manual], [a], 1)).toEqual(lost(a, 2 + ATTEMPTS_ELSEWHERE, 1));
    expect(ask([], [], 3)).toEqual([]);
  });
});
