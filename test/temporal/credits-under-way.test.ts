import type { OutboxRow } from '../../db/events/outbox';
import { OUTBOX_RANK } from '../../domain/outbox';
import { CreditsUnderWay } from '../../temporal/credits-under-way';

const row = (orderNo: string, rank: number = OUTBOX_RANK.money, noun = 'deposit', merchantCode = 'A'): OutboxRow =>
  ({ noun, rank, arguments: { orderNo, merchantCode } }) as unknown as OutboxRow;
const rows = (from: number, to: number): OutboxRow[] =>
  Array.from({ length: to - from }, (_, n) => row(`D${from + n}`));

describe('the credits that a relay has under way', () => {
  let now: number;
  let uncredited: Set<string>;
  let asked: number;
  let credits: CreditsUnderWay;
  beforeEach(() => {
    [now, uncredited, asked] = [0, new Set(), 0];
    credits = new CreditsUnderWay(
      (orderNos) => {
        asked++;
        return Promise.resolve(orderNos.filter((orderNo) => uncredited.has(orderNo)));
      },
      () => now,
    );
  });

  /** Sends as many as may go, of which `perLook` are credited until the next look, for so many looks. */
  async function keepSending(looks: number, perLook: number): Promise<number> {
    let sent = 0;
    for (let look = 0; look < looks; look++) {
      const free = await credits.free();
      const next = rows(sent, sent + free);
      credits.add(next);
      sent += free;
      for (const { arguments: start } of next) uncredited.add((start as { orderNo: string }).orderNo);
      for (const orderNo of [...uncredited].slice(0, perLook)) uncredited.delete(orderNo);
      now += 100;
    }
    return sent;
  }

  it('are 16 at first and up to 64 while they are credited at once; no query is sent while none is under way', async () => {
    expect(await credits.free()).toBe(16);
    expect(asked).toBe(0);
    // 16, 20, 25, 31, 39, 48, 60, and 64 from then on.
    expect(await keepSending(10, Infinity)).toBe(431);
    expect(await credits.free()).toBe(64);
  });

  it('are not more because few are credited at once: these say nothing about many', async () => {
    for (let look = 0; look < 100; look++) {
      await credits.free();
      credits.add(rows(look * 7, look * 7 + 7));
      now += 100;
    }
    expect(await credits.free()).toBe(16);
  });

  it('are only deposits that are paid', async () => {
    credits.add([row('D1', OUTBOX_RANK.start), row('D2', OUTBOX_RANK.money, 'callback')]);
    expect(await credits.free()).toBe(16);
    credits.add([row('D3'), row('C1', OUTBOX_RANK.money, 'channel_deposit')]);
    uncredited = new Set(['D3', 'C1']);
    expect(await credits.free()).toBe(14);
  });

  it('name their merchants until they are credited', async () => {
    credits.add([row('D1'), row('D2'), row('D3', OUTBOX_RANK.money, 'deposit', 'B')]);
    expect(credits.merchants).toEqual(['A', 'B']);
    uncredited = new Set(['D3']);
    now += 100;
    await credits.free();
    expect(credits.merchants).toEqual(['B']);
  });

  it('follow the rate of credits: fewer when these are slow, and more again when they are fast', async () => {
    await keepSending(100, 2);
    expect(uncredited.size).toBeGreaterThan(0);
    now += 2_000;
    await credits.free();
    // 20 a second are credited: in ten seconds some 200 are sent, a few wait.
    uncredited.clear();
    const sent = await keepSending(100, 2);
    expect(sent).toBeGreaterThan(190);
    expect(sent).toBeLessThan(260);
    uncredited.clear();
    now += 2_000;
    await keepSending(100, Infinity);
    expect(await credits.free()).toBe(64);
  });

  it('are not blocked by an order that stays without a credit: it stops counting after a second', async () => {
    credits.add(rows(0, 16));
    uncredited = new Set(rows(0, 16).map(({ arguments: start }) => (start as { orderNo: string }).orderNo));
    expect(await credits.free()).toBe(0);
    now += 1_001;
    expect(await credits.free()).toBe(10);
    for (let n = 1; n < 6; n++) {
      const few = rows(n * 1_000, n * 1_000 + (await credits.free()));
      credits.add(few);
      for (const { arguments: start } of few) uncredited.add((start as { orderNo: string }).orderNo);
      now += 1_001;
    }
    // Ten a second go on, however many are blocked.
    expect(await credits.free()).toBe(10);
  });
});
