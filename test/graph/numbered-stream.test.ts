import fc from 'fast-check';
import pino from 'pino';
import { NumberedStream } from '../../graph/events/numbered-stream';

interface Item {
  readonly seq: bigint;
}

const silent = pino({ level: 'silent' });

const numbers = (from: number, to: number): bigint[] =>
  Array.from({ length: to - from }, (_, n) => BigInt(from + n + 1));

/** A published stream in memory; reading takes a while, as with PostgreSQL. */
function published(before = 0, quietAfterMs?: number) {
  const items: Item[] = numbers(0, before).map((seq) => ({ seq }));
  let reads = 0;
  const stream = new NumberedStream<Item>(
    {
      read: async (after, limit) => {
        reads++;
        const found = items.filter(({ seq }) => seq > after).slice(0, limit);
        await Promise.resolve();
        return found;
      },
      last: () => Promise.resolve(items.at(-1)?.seq ?? 0n),
      keyOf: ({ seq }) => String(seq % 2n),
      beforeDelivery: async () => {
        await Promise.resolve();
      },
    },
    silent,
    quietAfterMs,
  );
  return {
    stream,
    reads: () => reads,
    publish: (count: number) => {
      for (let n = 0; n < count; n++) items.push({ seq: BigInt(items.length + 1) });
      stream.wake();
    },
  };
}

const everything = { key: null, accepts: () => true, onSlow: () => undefined };

async function take(from: AsyncIterableIterator<Item>, count: number): Promise<bigint[]> {
  const seqs: bigint[] = [];
  for (let n = 0; n < count; n++) {
    const item = (await from.next()) as IteratorResult<Item, undefined>;
    if (item.done === true) break;
    seqs.push(item.value.seq);
  }
  return seqs;
}

describe('a numbered stream', () => {
  it('gives each follower every item once, from any start, while items are published', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 3_000 }),
        fc.array(fc.record({ publish: fc.nat(160), take: fc.nat(160) }), { maxLength: 6 }),
        fc.nat(3_000),
        async (before, steps, position) => {
          const { stream, publish } = published(before);
          await stream.start();
          const after = Math.min(position, before);
          const follower = stream.follow({ ...everything, after: BigInt(after) });
          const got: bigint[] = [];
          let total = before;
          for (const step of steps) {
            publish(step.publish);
            total += step.publish;
            got.push(...(await take(follower, Math.min(step.take, total - after - got.length))));
          }
          got.push(...(await take(follower, total - after - got.length)));
          expect(got).toEqual(numbers(after, total));
          stream.stop();
        },
      ),
      { numRuns: 100, seed: 6 },
    );
  });

  it('reads nothing without followers, and then loses nothing', async () => {
    const { stream, publish, reads } = published(10, -1);
    await stream.start();
    const before = reads();
    publish(5_000);
    await stream.passOver();
    expect(reads()).toBe(before);
    expect(stream.lastSeq).toBe(5_010n);
    publish(3);
    // A follower arrives while the last number is read.
    const passing = stream.passOver();
    const follower = stream.follow({ ...everything, after: null });
    await passing;
    expect(await take(follower, 3)).toEqual(numbers(5_010, 5_013));
    const resumed = stream.follow({ ...everything, after: 4_000n });
    expect(await take(resumed, 1_013)).toEqual(numbers(4_000, 5_013));
    publish(2);
    expect(await take(follower, 2)).toEqual(numbers(5_013, 5_015));
    await follower.return?.();
    await resumed.return?.();
    const after = reads();
    publish(1);
    expect(reads()).toBe(after);
    stream.stop();
  });

  it('reads each item once for any number of followers', async () => {
    const { stream, publish, reads } = published();
    await stream.start();
    const followers = Array.from({ length: 100 }, () => stream.follow({ ...everything, after: null }));
    const before = reads();
    const heard = Promise.all(followers.map(async (follower) => await take(follower, 10)));
    publish(10);
    for (const seqs of await heard) expect(seqs).toEqual(numbers(0, 10));
    expect(reads() - before).toBeLessThan(5);
    stream.stop();
  });

  it('gives a follower of one key no other items', async () => {
    const { stream, publish } = published();
    await stream.start();
    const odd = stream.follow({ ...everything, key: '1', after: null });
    const heard = take(odd, 3);
    publish(6);
    expect(await heard).toEqual([1n, 3n, 5n]);
    stream.stop();
  });

  it('limits the queue of a slow follower, and still gives it every item', async () => {
    const { stream, publish } = published();
    await stream.start();
    const lagging = stream.follow({ ...everything, after: null });
    const quick = stream.follow({ ...everything, after: null });
    const first = take(lagging, 1);
    const all = take(quick, 5_001);
    publish(1);
    await first;
    publish(5_000);
    expect(await all).toEqual(numbers(0, 5_001));
    expect(await take(lagging, 5_000)).toEqual(numbers(1, 5_001));
    stream.stop();
  });

  it('drops a follower that reads nothing', async () => {
    const { stream, publish } = published();
    await stream.start();
    let slow = 0;
    const stuck = stream.follow({ ...everything, after: null, onSlow: () => slow++ });
    const patient = stream.follow({ ...everything, after: null, onSlow: () => slow++ });
    const began = performance.now();
    const now = jest.spyOn(performance, 'now').mockReturnValue(began);
    const first = take(stuck, 1);
    const all = take(patient, 3);
    publish(1);
    await first;
    now.mockReturnValue(began + 14_999);
    publish(1);
    await take(stream.follow({ ...everything, after: 1n }), 1);
    expect(slow).toBe(0);
    now.mockReturnValue(began + 15_000);
    publish(1);
    expect(await all).toEqual([1n, 2n, 3n]);
    expect(slow).toBe(1);
    expect(await take(stuck, 1)).toEqual([]);
    now.mockRestore();
    stream.stop();
  });

  it('ends for a waiting follower', async () => {
    const { stream } = published();
    await stream.start();
    const follower = stream.follow({ ...everything, after: null });
    const next = follower.next();
    await follower.return?.();
    expect(await next).toEqual({ value: undefined, done: true });
    expect(stream.size).toBe(0);
    stream.stop();
  });

  it('refuses a follower that is too far behind', async () => {
    const { stream } = published(50_002);
    await stream.start();
    expect(() => stream.follow({ ...everything, after: 1n })).toThrow('load the list again');
    expect(await take(stream.follow({ ...everything, after: 2n }), 1)).toEqual([3n]);
    stream.stop();
  });

  it('polls after a lost notification', async () => {
    const { stream, publish } = published();
    await stream.start();
    const heard = take(stream.follow({ ...everything, after: null }), 1);
    jest.spyOn(stream, 'wake').mockImplementationOnce(() => undefined);
    publish(1);
    expect(await heard).toEqual([1n]);
    stream.stop();
  });
});
